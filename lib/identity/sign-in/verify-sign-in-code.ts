import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { Mail } from '#lib/core/mail/mail.ts';
import { transaction } from '#lib/db/transaction.ts';
import { completeSignIn, notifyNewBrowser, type OpenedSession } from './complete-sign-in.ts';
import { emailProblem, normalizeEmail } from './email.ts';
import { codeRefused, consumeCode, proveCode } from './prove-code.ts';
import type { SignInDeps } from './request-sign-in-code.ts';
import { readTypedCode } from './sign-in-codes.ts';

type VerifyInput = {
  email: string;
  code: string;
  network: string;
  /** The value that this browser holds since it asked for the code; null: it holds none, and asked for nothing. */
  browser: string | null;
  userAgent: string;
  /** The session that this browser had, if any: it ends, so that no session outlives a change of person. */
  previousSessionId?: string | undefined;
};

/**
 * Opens a session for the browser that asked for the newest code and gives it, in the account of the last visit; who was only
 * invited has chosen none yet (`memberId` null) and answers the invitation next. A code opens one
 * session, takes five tries and lives ten minutes; a browser that asked for none touches nothing. The member is told by mail when
 * the browser is a new one. A suspended or unknown address is refused in the words of a wrong code.
 * Errors: `invalid_request` naming the field, `unauthenticated` (field `code`), `rate_limited`.
 */
export async function verifySignInCode(
  ctx: Context,
  input: VerifyInput,
  deps: SignInDeps & { post: (mail: Mail) => void },
): Promise<OpenedSession> {
  const email = normalizeEmail(input.email);
  const code = readTypedCode(input.code);
  const problems = [];
  const emailFault = emailProblem(email);
  if (emailFault) problems.push({ field: 'email', message: emailFault });
  if (!code) problems.push({ field: 'code', message: 'Le code compte six chiffres.' });
  if (!code || problems[0])
    throw new ServiceError('invalid_request', {
      ...(problems[0] ? { message: problems[0].message } : {}),
      problems,
    });
  const { network, browser, userAgent, previousSessionId } = input;
  const proven = await proveCode(ctx, { email, code, network, browser }, deps);
  const opened = await transaction(ctx, async (tx) => {
    if (!(await consumeCode(tx, { id: proven.id, now: ctx.clock.now() }))) return 'used' as const;
    const { browserHash } = proven;
    return (
      (await completeSignIn(tx, ctx, { email, browserHash, userAgent, network, previousSessionId })) ??
      ('refused' as const)
    );
  });
  if (opened === 'used' || opened === 'refused') throw codeRefused(ctx, opened, proven.attemptsLeft);
  return notifyNewBrowser(ctx, opened, { email, userAgent }, deps.post);
}
