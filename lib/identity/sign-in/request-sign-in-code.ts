import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import type { Mail } from '#lib/core/mail/mail.ts';
import { checkBrowser } from './attempts.ts';
import { hashBrowserToken } from './browser.ts';
import { emailProblem, normalizeEmail } from './email.ts';
import { CODE_ATTEMPTS, CODE_LIFETIME_MS, hashSignInCode, newSignInCode } from './sign-in-codes.ts';
import { signInMail, verificationMail } from './sign-in-mail.ts';
import { throttleRequest } from './throttle.ts';

export type SignInDeps = {
  /** Keys the hashes of codes and of throttled addresses. */
  secret: string;
};

/**
 * Sends a six-digit code to an address that is a member of, or invited into, an account. Answer and work are the same for every address: a
 * code is always made and stored, and `post` must deliver after the answer has left. The code is bound to `browser`, the value that the asking
 * browser holds; asking again there ends its previous code, and nobody else's. A browser that signed in to this address before is limited on
 * its own. `purpose` only chooses the words of the mail. Errors: `invalid_request` for an invalid address, `rate_limited`.
 */
export async function requestSignInCode(
  ctx: Context,
  input: { email: string; network: string; browser: string; purpose?: 'sign-in' | 'verification' },
  deps: SignInDeps & { post: (mail: Mail) => void },
): Promise<{ email: string; expiresAt: Date }> {
  const email = normalizeEmail(input.email);
  const problem = emailProblem(email);
  if (problem)
    throw new ServiceError('invalid_request', {
      message: problem,
      problems: [{ field: 'email', message: problem }],
    });
  const browserHash = hashBrowserToken(deps.secret, input.browser);
  const { known } = await checkBrowser(ctx, { email, browserHash });
  await throttleRequest(ctx, deps.secret, {
    email,
    network: input.network,
    browser: known ? browserHash : null,
  });
  const now = ctx.clock.now();
  const id = createId('signInCode', now);
  const code = newSignInCode();
  const expiresAt = new Date(now.getTime() + CODE_LIFETIME_MS);
  const codeHash = await hashSignInCode(deps.secret, { id, email }, code);
  await ctx.db.signInCode.create({
    data: { id, email, browserHash, codeHash, createdAt: now, expiresAt, attemptsLeft: CODE_ATTEMPTS },
  });
  const mayEnter = await ctx.db.member.findFirst({
    where: { email, OR: [{ status: 'ACTIVE' }, { status: 'INVITED', invitationEndsAt: { gt: now } }] },
    select: { id: true },
  });
  const mail = input.purpose === 'verification' ? verificationMail : signInMail;
  if (mayEnter) deps.post(mail({ to: email, code }));
  return { email, expiresAt };
}
