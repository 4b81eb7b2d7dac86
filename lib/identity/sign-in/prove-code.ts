import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { plural } from '#lib/core/text/plural.ts';
import type { Transaction } from '#lib/db/types.ts';
import { checkBrowser, clearFailingBrowser, type SpentAttempt, spendSignInAttempt } from './attempts.ts';
import { hashBrowserToken } from './browser.ts';
import type { SignInDeps } from './request-sign-in-code.ts';
import { isSignInCode } from './sign-in-codes.ts';
import { throttleVerify } from './throttle.ts';

type ProvenCode = SpentAttempt & { browserHash: string };

const NONE_WAITING =
  'Aucun code demandé par ce navigateur ne fonctionne plus\u00a0: le dernier a expiré, a déjà servi ou a été essayé cinq fois. Demandez-en un autre.';

function wrongCode(attemptsLeft: number): string {
  if (attemptsLeft === 0)
    return 'Ce code ne convient pas, et c’était le dernier essai. Demandez-en un autre.';
  return `Ce code ne convient pas. Il vous reste ${attemptsLeft} ${plural(attemptsLeft, 'essai')}.`;
}

/** Logs the reason for refusing a code, and returns the refusal. `refused` answers in the words of a wrong code. */
export function codeRefused(
  ctx: Context,
  reason: 'none' | 'wrong' | 'used' | 'refused',
  attemptsLeft = 0,
): ServiceError {
  ctx.log.warn('auth.otp.failed', { reason, requestId: ctx.requestId });
  const isWrong = reason === 'wrong' || reason === 'refused';
  const message = isWrong ? wrongCode(attemptsLeft) : NONE_WAITING;
  return new ServiceError('unauthenticated', { message, problems: [{ field: 'code', message }] });
}

/**
 * Spends a try of the newest code that this very browser asked for, and compares it; the caller uses it up with `consumeCode` in the
 * transaction of what it opens. Errors: `unauthenticated` (field `code`), `rate_limited`.
 */
export async function proveCode(
  ctx: Context,
  input: { email: string; code: string; network: string; browser: string | null },
  deps: SignInDeps,
): Promise<ProvenCode> {
  const { email, code, network } = input;
  if (input.browser === null) throw codeRefused(ctx, 'none');
  const browserHash = hashBrowserToken(deps.secret, input.browser);
  const { known, hasCode } = await checkBrowser(ctx, { email, browserHash });
  await throttleVerify(ctx, deps.secret, { email, browserHash, network, known, hasCode });
  const spent = await spendSignInAttempt(ctx, { email, browserHash });
  if (!spent) throw codeRefused(ctx, 'none');
  if (!(await isSignInCode(deps.secret, spent, code))) {
    if (known) await clearFailingBrowser(ctx, { email, browserHash });
    throw codeRefused(ctx, 'wrong', spent.attemptsLeft);
  }
  return { ...spent, browserHash };
}

/** Uses up a right code; false when it already was. */
export async function consumeCode(tx: Transaction, input: { id: string; now: Date }): Promise<boolean> {
  const used = await tx
    .updateTable('SignInCode')
    .set({ consumedAt: input.now })
    .where('id', '=', input.id)
    .where('consumedAt', 'is', null)
    .executeTakeFirst();
  return used.numUpdatedRows > 0n;
}
