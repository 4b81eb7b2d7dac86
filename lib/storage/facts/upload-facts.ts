import { type Kysely, sql } from 'kysely';
import { type Params, prepared } from '#lib/db/prepared.ts';
import type { DB, Executor } from '#lib/db/types.ts';
import { type FileFacts, factsSince } from '../keep-reason.ts';
import { hasAvatar, hasConsent, hasRush, inFlightNames, isInFlight } from './file-references.ts';

/** An upload and what keeps or expires it. */
type UploadWithFacts = FileFacts & {
  id: string;
  accountId: string;
  pathname: string;
  etag: string | null;
  bytes: bigint;
  touchedAt: Date;
};

const pathname = sql.ref<string>('u.pathname');

/**
 * The uploads that are still there, each with its facts; what asks adds which ones it wants. `accountId`: what asks wants those of this account
 * alone, and the running generations of others are not read.
 */
export function liveUploads(db: Kysely<DB>, accountId?: string) {
  return db
    .with(
      (cte) => cte('in_flight').materialized(),
      (query) => inFlightNames(query, accountId),
    )
    .selectFrom('Upload as u')
    .where('u.deletedAt', 'is', null)
    .select(['u.id', 'u.accountId', 'u.pathname', 'u.etag', 'u.bytes', 'u.touchedAt'])
    .select([
      hasAvatar(pathname).as('hasAvatar'),
      hasRush(pathname).as('hasRush'),
      hasConsent(pathname).as('hasConsent'),
      isInFlight(pathname, sql.ref('u.id')).as('isInFlight'),
    ]);
}

/** A row of `liveUploads` as the rule reads it. */
export function withUploadFacts<Row extends { touchedAt: Date }>(row: Row): Row & FileFacts {
  return { ...factsSince(row.touchedAt), ...row };
}

const untouched = prepared(
  'retention.uploads',
  (db, p: Params<{ cutoff: Date; afterAt: string; afterId: string; limit: number }>) =>
    liveUploads(db)
      .where('u.expiringAt', 'is', null)
      .where('u.touchedAt', '<', p.cutoff)
      .where(
        sql<boolean>`(${sql.ref('u.touchedAt')}, ${sql.ref('u.id')}) > (${p.afterAt}::timestamptz, ${p.afterId})`,
      )
      .orderBy('u.touchedAt')
      .orderBy('u.id')
      .limit(p.limit),
);

const claimed = prepared('retention.claimed_uploads', (db, p: Params<{ afterId: string; limit: number }>) =>
  liveUploads(db)
    .where('u.expiringAt', 'is not', null)
    .where('u.id', '>', p.afterId)
    .orderBy('u.id')
    .limit(p.limit),
);

/** The uploads that nobody touched since the cutoff, after a place, with their facts. */
export async function readUntouchedUploads(
  on: Executor,
  input: { cutoff: Date; after: { at: string; id: string } | null; limit: number },
): Promise<UploadWithFacts[]> {
  const { cutoff, after, limit } = input;
  const rows = await untouched.all(on, {
    cutoff,
    afterAt: after?.at ?? '-infinity',
    afterId: after?.id ?? '',
    limit,
  });
  return rows.map(withUploadFacts);
}

/** The uploads that an earlier pass claimed, after an identifier, with their facts. */
export async function readClaimedUploads(
  on: Executor,
  input: { afterId: string; limit: number },
): Promise<UploadWithFacts[]> {
  return (await claimed.all(on, input)).map(withUploadFacts);
}
