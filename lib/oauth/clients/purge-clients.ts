import { type ExpressionBuilder, sql } from 'kysely';
import type { Context } from '#lib/core/context.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import type { DB } from '#lib/db/types.ts';
import {
  IDLE_CLIENT_LIFETIME_MS,
  MAX_UNUSED_CLIENTS,
  REFRESH_LIFETIME_MS,
  UNUSED_CLIENT_LIFETIME_MS,
} from '../protocol/config.ts';

/** Rows of each kind removed by one run. */
const BATCH = 500;

/**
 * Deletes clients that nobody used (after a day, or at once beyond 2,000 of them, the oldest first), then what ended long
 * ago: tokens a day after their end, grants after 30 days, clients without any grant after 90. A purged client is told `invalid_client`.
 */
export async function purgeClients(ctx: Context): Promise<void> {
  const now = ctx.clock.now().getTime();
  const before = (ms: number) => new Date(now - ms);
  const dayAgo = before(UNUSED_CLIENT_LIFETIME_MS);
  await deleteUnused.run(ctx.kysely, { before: dayAgo });
  await deleteTokens.run(ctx.kysely, { before: dayAgo });
  await deleteGrants.run(ctx.kysely, { ended: before(REFRESH_LIFETIME_MS), neverUsed: dayAgo });
  await deleteIdle.run(ctx.kysely, { before: before(IDLE_CLIENT_LIFETIME_MS) });
}

type Before = { before: Date };

const deleteUnused = prepared('oauth-purge-unused', (db, p: Params<Before>) => {
  const unused = db.selectFrom('OAuthClient').select('id').where('usedAt', 'is', null);
  const old = unused.where('createdAt', '<', p.before).orderBy('createdAt').limit(BATCH);
  const tooMany = unused.orderBy('createdAt', 'desc').offset(MAX_UNUSED_CLIENTS).limit(BATCH);
  return db
    .deleteFrom('OAuthClient as c')
    .where(sql<boolean>`c.id = any(array(${old}) || array(${tooMany}))`)
    .where('c.usedAt', 'is', null)
    .where((eb) => eb.not(eb.exists(grantsOf(eb))));
});

const deleteTokens = prepared('oauth-purge-tokens', (db, p: Params<Before>) =>
  db
    .deleteFrom('OAuthToken')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('OAuthToken as t')
        .select('t.id')
        .where('t.expiresAt', '<', p.before)
        .orderBy('t.expiresAt')
        .limit(BATCH),
    ),
);

const deleteGrants = prepared('oauth-purge-grants', (db, p: Params<{ ended: Date; neverUsed: Date }>) =>
  db.deleteFrom('OAuthGrant').where('id', 'in', (eb) =>
    eb
      .selectFrom('OAuthGrant as g')
      .select('g.id')
      .where((on) =>
        on.or([
          on('g.expiresAt', '<', p.ended),
          on('g.revokedAt', '<', p.ended),
          on.and([on('g.activatedAt', 'is', null), on('g.createdAt', '<', p.neverUsed)]),
        ]),
      )
      .orderBy('g.expiresAt')
      .limit(BATCH),
  ),
);

const deleteIdle = prepared('oauth-purge-idle', (db, p: Params<Before>) =>
  db.deleteFrom('OAuthClient').where('id', 'in', (eb) =>
    eb
      .selectFrom('OAuthClient as c')
      .select('c.id')
      .where('c.usedAt', '<', p.before)
      .where((on) => on.not(on.exists(grantsOf(on))))
      .orderBy('c.usedAt')
      .limit(BATCH),
  ),
);

function grantsOf(eb: ExpressionBuilder<DB & { c: DB['OAuthClient'] }, 'c'>) {
  return eb.selectFrom('OAuthGrant as g').select('g.id').whereRef('g.clientId', '=', 'c.id');
}
