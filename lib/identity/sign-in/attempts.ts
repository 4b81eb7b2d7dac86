import { sql } from 'kysely';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import type { Transaction } from '#lib/db/types.ts';

/**
 * Wrong codes in a row, over all codes, after which browsers that the address does not know are refused (NIST SP 800-63B, 5.2.2:
 * no more than 100). A known browser that reaches it is cleared.
 */
export const FAILURES_ALLOWED = 100;

type Browser = { email: string; browserHash: string };

const browserState = prepared('sign-in.browser', (db, p: Params<Browser & { now: Date }>) =>
  db.selectNoFrom((eb) => [
    eb
      .exists(
        eb
          .selectFrom('KnownBrowser')
          .innerJoin('Person', 'Person.id', 'KnownBrowser.personId')
          .select('Person.id')
          .where('Person.email', '=', p.email)
          .where('browserHash', '=', p.browserHash),
      )
      .as('known'),
    eb
      .exists(
        eb
          .selectFrom('SignInFailure')
          .select('email')
          .where('email', '=', p.email)
          .where('failures', '>=', FAILURES_ALLOWED),
      )
      .as('blocked'),
    eb
      .exists(
        eb
          .selectFrom('SignInCode')
          .select('id')
          .where('email', '=', p.email)
          .where('browserHash', '=', p.browserHash)
          .where('attemptsLeft', '>', 0)
          .where('consumedAt', 'is', null)
          .where('expiresAt', '>', p.now),
      )
      .as('hasCode'),
  ]),
);

/**
 * Whether somebody signed in to this address from this browser before, and whether a code that it asked for can still be tried. Costs the
 * same for every address.
 * Errors: `rate_limited` for an unknown browser once the address has met too many wrong codes, whoever gave them.
 */
export async function checkBrowser(
  ctx: Context,
  browser: Browser,
): Promise<{ known: boolean; hasCode: boolean }> {
  const row = await browserState.first(ctx.kysely, { ...browser, now: ctx.clock.now() });
  const known = Boolean(row?.known);
  if (row?.blocked && !known)
    throw new ServiceError('rate_limited', {
      message:
        'Trop de codes faux ont été donnés pour cette adresse. Connectez-vous depuis un navigateur où vous l’avez déjà fait, ou demandez à un fondateur de votre compte de débloquer la connexion.',
    });
  return { known, hasCode: Boolean(row?.hasCode) };
}

// The code is locked before its counter, the order in which it is used up: the same right code, sent twice, would otherwise deadlock.
const spendAttempt = prepared('sign-in-code.spend', (db, p: Params<Browser & { now: Date }>) =>
  db
    .with('newest', (one) =>
      one
        .selectFrom('SignInCode')
        .select(['id', 'attemptsLeft', 'consumedAt', 'expiresAt'])
        .where('email', '=', p.email)
        .where('browserHash', '=', p.browserHash)
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .limit(1)
        .forNoKeyUpdate(),
    )
    .with('live', (one) =>
      one
        .selectFrom('newest')
        .select('id')
        .where('attemptsLeft', '>', 0)
        .where('consumedAt', 'is', null)
        .where('expiresAt', '>', p.now),
    )
    .with('known', (one) =>
      one
        .updateTable('KnownBrowser')
        .from('Person')
        .set((eb) => ({ failures: eb('failures', '+', 1) }))
        .whereRef('Person.id', '=', 'KnownBrowser.personId')
        .where('Person.email', '=', p.email)
        .where('browserHash', '=', p.browserHash)
        .where((eb) => eb.exists(eb.selectFrom('live').select('id')))
        .returning('KnownBrowser.personId'),
    )
    .with('counted', (one) =>
      one
        .insertInto('SignInFailure')
        .columns(['email', 'failures', 'updatedAt'])
        .expression((eb) =>
          eb
            .selectFrom('live')
            .select([
              sql<string>`${p.email}::text`.as('email'),
              sql<number>`1`.as('failures'),
              sql<Date>`${p.now}::timestamptz`.as('updatedAt'),
            ])
            .where(({ exists, not, selectFrom }) => not(exists(selectFrom('known').select('personId')))),
        )
        .onConflict((conflict) =>
          conflict
            .column('email')
            .doUpdateSet((eb) => ({
              failures: eb('SignInFailure.failures', '+', 1),
              updatedAt: eb.ref('excluded.updatedAt'),
            }))
            .where('SignInFailure.failures', '<', FAILURES_ALLOWED),
        )
        .returning('email'),
    )
    .updateTable('SignInCode')
    .from('live')
    .set((eb) => ({ attemptsLeft: eb('attemptsLeft', '-', 1) }))
    .whereRef('SignInCode.id', '=', 'live.id')
    .where('SignInCode.attemptsLeft', '>', 0)
    .where('SignInCode.consumedAt', 'is', null)
    .where((eb) =>
      eb.or([
        eb.exists(eb.selectFrom('known').select('personId')),
        eb.exists(eb.selectFrom('counted').select('email')),
      ]),
    )
    .returning(['SignInCode.id', 'email', 'codeHash', 'attemptsLeft']),
);

export type SpentAttempt = { id: string; email: string; codeHash: Uint8Array; attemptsLeft: number };

/**
 * Spends a try of the newest code that this browser asked for, and counts it as a failure until it proves right, before any comparison:
 * however many guesses arrive at once, they share the five tries of one code. A browser without a code of its own changes nothing.
 */
export async function spendSignInAttempt(ctx: Context, browser: Browser): Promise<SpentAttempt | undefined> {
  return spendAttempt.first(ctx.kysely, { ...browser, now: ctx.clock.now() });
}

/** The code was right: failures are cleared, and the browser is known from now on. Returns whether it was known before. */
export async function rememberBrowser(
  tx: Transaction,
  input: Browser & { personId: string; now: Date },
): Promise<{ wasKnown: boolean }> {
  await tx.deleteFrom('SignInFailure').where('email', '=', input.email).execute();
  const { created } = await tx
    .insertInto('KnownBrowser')
    .values({
      personId: input.personId,
      browserHash: input.browserHash,
      createdAt: input.now,
      lastSeenAt: input.now,
      failures: 0,
    })
    .onConflict((conflict) =>
      conflict.columns(['personId', 'browserHash']).doUpdateSet({ lastSeenAt: input.now, failures: 0 }),
    )
    .returning(sql<boolean>`xmax = 0`.as('created'))
    .executeTakeFirstOrThrow();
  return { wasKnown: !created };
}

/** Forgets a known browser after too many wrong codes: it is treated as a new one. */
export async function clearFailingBrowser(ctx: Context, browser: Browser): Promise<void> {
  await ctx.kysely
    .deleteFrom('KnownBrowser')
    .where('browserHash', '=', browser.browserHash)
    .where('failures', '>=', FAILURES_ALLOWED)
    .execute();
}
