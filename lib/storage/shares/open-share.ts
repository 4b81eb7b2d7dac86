import { sql } from 'kysely';
import { MAX_CONTEXT_CHARS } from '#lib/brain/limits.ts';
import { cachedContext } from '#lib/brain/queries/cached-context.ts';
import type { MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { commonSpaces } from '#lib/db/space-rights.ts';
import { countOne, minuteOf } from '#lib/identity/rate/rate-limit.ts';
import { authorOf, mayShow, shareNotFound, shareTokenHash } from './share-rules.ts';

/** What one network may ask of links in a minute, whatever it asks for. */
const PER_MINUTE = 240;

// Every condition that ends a link is checked in the one statement that finds it.
const findShare = prepared('shares.find', (db, p: Params<{ tokenHash: Uint8Array; now: Date }>) =>
  db
    .selectFrom('ShareLink as l')
    .innerJoin('Account as a', 'a.id', 'l.accountId')
    .innerJoin('Member as m', (join) =>
      join.onRef('m.id', '=', 'l.createdById').onRef('m.accountId', '=', 'l.accountId'),
    )
    .leftJoin('Asset as f', (join) =>
      join
        .onRef('f.id', '=', 'l.assetId')
        .onRef('f.accountId', '=', 'l.accountId')
        .on('f.deletedAt', 'is', null)
        .on('f.expiringAt', 'is', null)
        .on('f.imported', '=', sql.lit(false)),
    )
    .select([
      'l.id',
      'l.accountId',
      'l.createdById',
      'l.spaceId',
      'l.expiresAt',
      'm.role',
      'm.permissions',
      commonSpaces('m.role', 'm.spaceRights').as('spaces'),
      'f.id as assetId',
      'f.pathname',
      'f.contentType',
      'f.bytes',
      'f.width',
      'f.height',
    ])
    .where('l.tokenHash', '=', p.tokenHash)
    .where('l.withdrawnAt', 'is', null)
    .where('l.expiresAt', '>', p.now)
    .where('m.status', '=', 'ACTIVE')
    .where('a.closedAt', 'is', null)
    .where('a.erasingAt', 'is', null),
);

export type SharedFile = {
  kind: 'file';
  pathname: string;
  contentType: string;
  bytes: number;
  width: number | null;
  height: number | null;
};
export type OpenShare = {
  id: string;
  expiresAt: Date;
  /** The member who made it, with their current rights: the link is read as them. */
  actor: MemberActor;
  shown: SharedFile | { kind: 'space'; title: string; context: string };
};

/**
 * What a link shows, now. Counts the attempt of the network first, whatever it is. Errors: `not_found` alike for a link that is withdrawn, expired or
 * unknown, whose file or Space is gone, and whose author may not open it any more; `rate_limited`.
 */
export async function openShare(
  ctx: Context,
  input: { token: string; network: string; wants: 'page' | 'file' },
): Promise<OpenShare> {
  const now = ctx.clock.now();
  await countAttempt(ctx, input.network);
  const tokenHash = shareTokenHash(input.token);
  const row = tokenHash === null ? undefined : await findShare.first(ctx.kysely, { tokenHash, now });
  if (!row) throw shareNotFound();
  const actor = authorOf(row);
  const found = { id: row.id, expiresAt: row.expiresAt, actor };
  if (!mayShow(actor, row.spaceId)) throw shareNotFound();
  if (row.spaceId !== null) {
    if (input.wants === 'file') throw shareNotFound();
    return { ...found, shown: await contextOf({ ...ctx, actor }, row.spaceId) };
  }
  const { pathname, contentType, bytes, width, height } = row;
  if (pathname === null || contentType === null) throw shareNotFound();
  return { ...found, shown: { kind: 'file', pathname, contentType, bytes: Number(bytes), width, height } };
}

async function contextOf(ctx: Context<MemberActor>, spaceId: string) {
  try {
    const { name, context } = await cachedContext(ctx, { spaceId, maxChars: MAX_CONTEXT_CHARS });
    return { kind: 'space', title: name, context } as const;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') throw shareNotFound();
    throw error;
  }
}

/** Counts one opening of a link's page, or one saving of its file. */
export async function countOpening(
  ctx: Pick<Context, 'kysely' | 'clock'>,
  input: { shareId: string; what: 'views' | 'downloads' },
): Promise<void> {
  await ctx.kysely
    .updateTable('ShareLink')
    .set((eb) => ({ [input.what]: eb(input.what, '+', 1), lastViewedAt: ctx.clock.now() }))
    .where('id', '=', input.shareId)
    .execute();
}

async function countAttempt(ctx: Context, network: string): Promise<void> {
  const { windowStart, resetSeconds } = minuteOf(ctx.clock.now());
  const counted = await countOne.first(ctx.kysely, { key: `share:${network}`, windowStart });
  if ((counted?.requests ?? 0) <= PER_MINUTE) return;
  throw new ServiceError('rate_limited', {
    params: { seconds: resetSeconds },
    retryAfterSeconds: resetSeconds,
  });
}
