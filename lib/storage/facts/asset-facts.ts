import { type Expression, expressionBuilder, sql } from 'kysely';
import { inOpenState } from '#lib/db/open-states.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import type { DB, Executor } from '#lib/db/types.ts';
import { isOneOf } from '#lib/db/values.ts';
import { PASSED_STATES } from '../file-states.ts';
import type { FileFacts } from '../keep-reason.ts';
import { exists, isInFlight } from './file-references.ts';
import { hasKeptRelative, withLineages } from './lineages.ts';

/** An asset and what keeps or expires it. */
export type AssetWithFacts = FileFacts & {
  id: string;
  accountId: string;
  generationId: string | null;
  pathname: string;
  etag: string | null;
  thumbnailAt: Date | null;
  bytes: bigint;
  createdAt: Date;
  restoredAt: Date | null;
};

/** Facts that no asset can have, or that only the store knows. */
const NEVER = { hasRush: false, hasConsent: false, isRecorded: false, hasChanged: false };

const one = sql.lit(1).as('one');
/** How long a request that took an asset as a reference counts as running before its row is written. */
const USED_FOR = sql`interval '1 hour'`;

/** `accountId`: null for any. */
type Asked = { ids: readonly string[]; now: Date; accountId: string | null };

const eb = expressionBuilder<DB>();
const file = { id: sql.ref<string>('w.id'), conceptId: sql.ref<string>('w.conceptId') };

/** The avatars that show the file `w`. */
const avatars = () => eb.selectFrom('Avatar as v').select(one).where('v.assetId', '=', file.id);

/** The concept that the file `w` belongs to. */
const concepts = () => eb.selectFrom('Concept as c').select(one).where('c.id', '=', file.conceptId);

/** What members made of the file `w`: each keeps it, or waits in the bin. */
function recordsOfFile() {
  return [
    exists(avatars().where('v.deletedAt', 'is', null)).as('hasAvatar'),
    exists(
      eb
        .selectFrom('Lesson as l')
        .select(one)
        .where('l.assetId', '=', file.id)
        .where('l.deletedAt', 'is', null),
    ).as('hasLesson'),
    exists(concepts().where('c.deletedAt', 'is', null)).as('hasConcept'),
    exists(avatars().where('v.binnedBy', 'is not', null)).as('hasBinnedAvatar'),
    exists(concepts().where('c.binnedBy', 'is not', null)).as('hasBinnedConcept'),
  ] as const;
}

/** Another file of the generation that made `w` is kept. */
function hasKeptSibling() {
  return exists(
    eb
      .selectFrom('Asset as s')
      .select(one)
      .where('s.generationId', '=', sql.ref<string>('w.generationId'))
      .where('s.id', '<>', file.id)
      .where(isOneOf('s.state', PASSED_STATES))
      .where('s.deletedAt', 'is', null),
  );
}

/** A request took the file `w` as a reference within the last hour (or the next: clocks differ). */
function isTaken(now: Expression<Date>) {
  const used = sql.ref('w.usedAt');
  return eb.fn.coalesce(
    sql<boolean>`${used} between ${now}::timestamptz - ${USED_FOR} and ${now}::timestamptz + ${USED_FOR}`,
    sql<boolean>`false`,
  );
}

const assetFacts = prepared('storage.facts', (db, p: Params<Asked>) =>
  withLineages(db, p)
    .selectFrom('wanted as w')
    .leftJoin('Generation as g', 'g.id', 'w.generationId')
    .select([
      'w.id',
      'w.accountId',
      'w.generationId',
      'w.pathname',
      'w.etag',
      'w.thumbnailAt',
      'w.bytes',
      'w.state',
      'w.createdAt',
      'w.restoredAt',
      'w.imported as isImported',
    ])
    .select(recordsOfFile())
    .select((eb) => [
      hasKeptRelative().as('hasKeptRelative'),
      eb
        .or([
          isInFlight(sql.ref('w.pathname'), file.id, sql.ref('w.generationId')),
          eb.fn.coalesce(inOpenState('g.state'), sql.lit(false)),
        ])
        .$castTo<boolean>()
        .as('isInFlight'),
      isTaken(p.now).as('isTaken'),
      eb
        .and([eb.fn.coalesce(eb('g.kind', '=', 'RENDER'), sql.lit(false)), hasKeptSibling()])
        .$castTo<boolean>()
        .as('hasKeptSibling'),
    ])
    .orderBy('w.createdAt')
    .orderBy('w.id'),
);

/** A file that was restored from the bin has thirty days from then on. */
function sinceOf({ createdAt, restoredAt }: { createdAt: Date; restoredAt: Date | null }): Date {
  return restoredAt && restoredAt > createdAt ? restoredAt : createdAt;
}

/**
 * The facts of some assets at an instant, in one round trip, in the order of their creation. `accountId`: of those of this account alone;
 * absent, as for retention, of any.
 */
export async function readAssetFacts(
  on: Executor,
  assetIds: readonly string[],
  now: Date,
  accountId?: string,
): Promise<AssetWithFacts[]> {
  if (assetIds.length === 0) return [];
  const rows = await assetFacts.all(on, { ids: assetIds, now, accountId: accountId ?? null });
  // Every fact is read above or is none of an asset's: the compiler asks for one that is neither.
  return rows.map((row) => ({ ...NEVER, since: sinceOf(row), ...row }));
}
