import type { MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { Mail } from '#lib/core/mail/mail.ts';
import { transaction } from '#lib/db/transaction.ts';
import { sessionPerson } from '../people/session-person.ts';
import { describeBrowser } from '../sessions/describe-browser.ts';
import { rememberBrowser } from '../sign-in/attempts.ts';
import { codeRefused, consumeCode, proveCode } from '../sign-in/prove-code.ts';
import { requestSignInCode, type SignInDeps } from '../sign-in/request-sign-in-code.ts';
import { readTypedCode } from '../sign-in/sign-in-codes.ts';
import { newBrowserMail } from '../sign-in/sign-in-mail.ts';
import { markVerified } from './mark-verified.ts';

type Deps = SignInDeps & { post: (mail: Mail) => void };

/**
 * Mails the acting person the code that proves, before a grave action, that it is them; bound to this browser and limited as sign-in
 * codes are. Returns the address. Errors: `rate_limited`, `unauthenticated`.
 */
export async function sendVerificationCode(
  ctx: Context<MemberActor>,
  input: { network: string; browser: string },
  deps: Deps,
): Promise<{ email: string }> {
  const { email } = await sessionPerson(ctx.kysely, ctx);
  await requestSignInCode(ctx, { ...input, email, purpose: 'verification' }, deps);
  return { email };
}

/**
 * The mailed code proves for ten minutes, in this session, who is there. It is spent as a sign-in code is: five tries, once, by the
 * browser that asked. Errors: `invalid_request` and `unauthenticated` (field `code`), `rate_limited`.
 */
export async function verifyByCode(
  ctx: Context<MemberActor>,
  input: { code: string; network: string; browser: string | null; userAgent: string },
  deps: Deps,
): Promise<void> {
  const code = readTypedCode(input.code);
  const message = 'Le code compte six chiffres.';
  if (!code) throw new ServiceError('invalid_request', { message, problems: [{ field: 'code', message }] });
  const { personId, email, name } = await sessionPerson(ctx.kysely, ctx);
  const { network, browser } = input;
  const { id, browserHash } = await proveCode(ctx, { email, code, network, browser }, deps);
  const now = ctx.clock.now();
  const done = await transaction(ctx, async (tx) => {
    if (!(await consumeCode(tx, { id, now }))) return null;
    await markVerified(tx, ctx, 'code');
    return rememberBrowser(tx, { email, browserHash, personId, now });
  });
  if (!done) throw codeRefused(ctx, 'used');
  if (!done.wasKnown)
    deps.post(newBrowserMail({ to: email, name, browser: describeBrowser(input.userAgent), at: now }));
}
