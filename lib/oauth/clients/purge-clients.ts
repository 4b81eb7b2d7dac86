import { type ExpressionBuilder, sql } from 'kysely';
import type { Context } from '#lib/core/context.ts';
import type { TimeLimit } from '#lib/core/resource-limits/time-limit.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import type { DB } from '#lib/db/types.ts';
import {
  ENDED_KEPT_MS,
  IDLE_CLIENT_LIFETIME_MS,
  MAX_UNUSED_CLIENTS,
  REFRESH_LIFETIME_MS,
} from '../protocol/config.ts';

/** Rows of each kind removed by one statement; of grants, as many of each of their three ends. */
const BATCH = 500;
/** Time limit in a nightly run; the next one continues. */
const MAX_MS = 20_000;

/**
 * Deletes clients that were never used (after 90 days, or at once beyond 2,000 of them, the oldest first), tokens a day after their end,
 * grants 30 days after theirs, or a day after they were given where no token came of them, and other clients without any grant 90 days after
 * their last use. A purged client is answered `invalid_client`. A registration runs one batch of each; with `within` (the nightly run), batch
 * after batch of each in turn until the time is over.
 */
export async function purgeClients(ctx: Context, within?: TimeLimit): Promise<void> {
  const now = ctx.clock.now().getTime();
  const before = (ms: number) => new Date(now - ms);
  const endedBefore = before(ENDED_KEPT_MS);
  const idleSince = before(IDLE_CLIENT_LIFETIME_MS);
  const limit = within?.upTo(MAX_MS);
  let full = [
    () => deleteUnused.run(ctx.kysely, { before: idleSince }),
    () => deleteTokens.run(ctx.kysely, { before: endedBefore }),
    () => deleteGrants.run(ctx.kysely, { ended: before(REFRESH_LIFETIME_MS), neverUsed: endedBefore }),
    () => deleteIdle.run(ctx.kysely, { before: idleSince }),
  ];
  do {
    const again: typeof full = [];
    for (const remove of full) {
      if (limit?.isOver()) return;
      const { numAffectedRows } = await remove();
      if ((numAffectedRows ?? 0n) >= BigInt(BATCH)) again.push(remove);
    }
    full = again;
  } while (limit && full.length > 0);
}

type Before = { before: Date };

// Concurrent purges take different rows (skip locked): ten of them would otherwise delete the same five hundred.
const deleteUnused = prepared('oauth-purge-unused', (db, p: Params<Before>) => {
  const unused = db.selectFrom('OAuthClient as c').where('c.usedAt', 'is', null);
  const tooMany = unused
    .select(['c.createdAt', 'c.id'])
    .orderBy('c.createdAt', 'desc')
    .orderBy('c.id', 'desc')
    .offset(MAX_UNUSED_CLIENTS)
    .limit(1);
  const ended = unused
    .select('c.id')
    .where((eb) => eb.not(eb.exists(grantsOf(eb))))
    .where((eb) =>
      eb.or([eb('c.createdAt', '<', p.before), sql<boolean>`(c."createdAt", c.id) <= (${tooMany})`]),
    )
    .orderBy('c.createdAt')
    .limit(BATCH)
    .forUpdate()
    .skipLocked();
  return db.deleteFrom('OAuthClient').where(sql<boolean>`id = any(array(${ended}))`);
});

// Locked rows are skipped: a purge that waited could itself hold, by its grants or tokens, what the other transaction waits for.
const deleteTokens = prepared('oauth-purge-tokens', (db, p: Params<Before>) => {
  const ended = db
    .selectFrom('OAuthToken as t')
    .select('t.id')
    .where('t.expiresAt', '<', p.before)
    .orderBy('t.expiresAt')
    .limit(BATCH)
    .forUpdate()
    .skipLocked();
  return db.deleteFrom('OAuthToken').where(sql<boolean>`id = any(array(${ended}))`);
});

// One query for each way of ending, by its own index: a single query for the three would read every live grant.
const deleteGrants = prepared('oauth-purge-grants', (db, p: Params<{ ended: Date; neverUsed: Date }>) => {
  const grants = db.selectFrom('OAuthGrant as g').select('g.id').limit(BATCH).forUpdate().skipLocked();
  const expired = grants.where('g.expiresAt', '<', p.ended).orderBy('g.expiresAt');
  const revoked = grants.where('g.revokedAt', '<', p.ended).orderBy('g.revokedAt');
  const unused = grants
    .where('g.activatedAt', 'is', null)
    .where('g.createdAt', '<', p.neverUsed)
    .orderBy('g.createdAt');
  const ended = sql<string[]>`array(${expired}) || array(${revoked}) || array(${unused})`;
  return db.deleteFrom('OAuthGrant').where(sql<boolean>`id = any(${ended})`);
});

// Locked before the deletion: a client that somebody consents to at this moment is seen as used, or is skipped.
const deleteIdle = prepared('oauth-purge-idle', (db, p: Params<Before>) => {
  const ended = db
    .selectFrom('OAuthClient as c')
    .select('c.id')
    .where('c.usedAt', '<', p.before)
    .where((eb) => eb.not(eb.exists(grantsOf(eb))))
    .orderBy('c.usedAt')
    .limit(BATCH)
    .forUpdate()
    .skipLocked();
  return db.deleteFrom('OAuthClient').where(sql<boolean>`id = any(array(${ended}))`);
});

function grantsOf(eb: ExpressionBuilder<DB & { c: DB['OAuthClient'] }, 'c'>) {
  return eb.selectFrom('OAuthGrant as g').select('g.id').whereRef('g.clientId', '=', 'c.id');
}
