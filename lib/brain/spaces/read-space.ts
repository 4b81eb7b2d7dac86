import { type Expression, sql } from 'kysely';
import { type AccountRead, accountStatement } from '#lib/db/account-read.ts';
import type { Params } from '#lib/db/prepared.ts';
import { isReached } from '#lib/db/space-rights.ts';
import { isAnyOf } from '#lib/db/values.ts';
import { type KnownState, writeState } from '../etag.ts';
import { spaceNotFound } from '../not-found.ts';
import { consumeRead, type ReadPeriod, readLimit } from '../quota/consume-read.ts';
import { quotaExceeded, readPeriodOf } from '../quota/read-quota.ts';
import {
  type MemoryKind,
  type MemorySource,
  PILLAR_ROLES,
  type PillarRole,
  type SpaceTemplate,
} from '../templates.ts';

export type SpaceRow = {
  id: string;
  name: string;
  template: SpaceTemplate;
  websiteUrl: string | null;
  cu: number;
  version: number;
  usedCu: number;
  capacityCu: number;
};

export type MemoryRow = {
  id: string;
  role: PillarRole;
  parentId: string | null;
  kind: MemoryKind;
  title: string;
  body: string;
  source: MemorySource;
  sourceRef: string | null;
  file: { name: string; contentType: string; bytes: number } | null;
  cu: number;
  hasInvisible: boolean;
  createdAt: Date;
  updatedAt: Date;
};

type SpaceParams = ReadPeriod & {
  spaceId: string;
  /** The states that the caller holds answers for. */
  known: string[];
  cachedVersion: number;
  roles: readonly PillarRole[];
  /** -1: whole bodies. */
  bodyChars: number;
};

// One statement, one snapshot: the Space, its Memories unless this instance holds them, and the read it costs
// unless the caller holds the answer.
const readSpace = accountStatement({
  name: 'read-space',
  with(db, p: Params<SpaceParams>) {
    const asked = db
      .with('space', (one) =>
        one
          .selectFrom('Space as s')
          .innerJoin('Account as a', 'a.id', 's.accountId')
          .innerJoin('caller', 'caller.accountId', 's.accountId')
          .select((eb) => [
            's.id',
            's.name',
            's.template',
            's.websiteUrl',
            's.cu',
            's.version',
            's.accountId',
            'a.usedCu',
            'a.capacityCu',
            readLimit(eb).as('readLimit'),
            isKnown(p.known, eb.ref('s.version'), eb.ref('a.usedCu'), eb.ref('a.capacityCu')).as(
              'notModified',
            ),
          ])
          .where('s.id', '=', p.spaceId)
          .where('s.archivedAt', 'is', null)
          .where((eb) => isReached(eb.ref('caller.spaces'), eb.ref('s.id'))),
      )
      .with('reader', (one) =>
        one.selectFrom('space').select(['accountId', 'readLimit']).where('notModified', 'is', false),
      );
    return consumeRead(asked, p).with(
      (name) => name('wanted').materialized(),
      (one) =>
        one
          .selectFrom('space')
          .innerJoin('consumed', 'consumed.accountId', 'space.accountId')
          .select('space.id')
          .where('space.version', '<>', p.cachedVersion),
    );
  },
  rows: (db, p) =>
    db
      .selectFrom('space')
      .leftJoin(
        db
          .selectFrom('Memory')
          .selectAll('Memory')
          // Evaluated once, before any row: without a wanted Space no plan reads a Memory. `offset` keeps this a query of its own: merged into the
          // join, it would be evaluated for every row.
          .where((eb) => eb.exists(eb.selectFrom('wanted').select('wanted.id')))
          .offset(0)
          .where('Memory.spaceId', '=', (eb) => eb.selectFrom('wanted').select('wanted.id'))
          .where('Memory.deletedAt', 'is', null)
          .where(isAnyOf('Memory.role', p.roles, '"PillarRole"'))
          .as('m'),
        'm.spaceId',
        'space.id',
      )
      .select((eb) => [
        'space.id as spaceId',
        'space.name',
        'space.template',
        'space.websiteUrl',
        'space.cu as spaceCu',
        'space.version',
        'space.usedCu',
        'space.capacityCu',
        'space.notModified',
        'space.readLimit',
        eb.exists(eb.selectFrom('consumed').select('consumed.accountId')).as('granted'),
        'm.id',
        'm.role',
        'm.parentId',
        'm.kind',
        'm.title',
        cutBody(eb.ref('m.body'), eb.ref('m.hasInvisible'), p.bodyChars).as('body'),
        'm.hasInvisible',
        'm.source',
        'm.sourceRef',
        'm.file',
        'm.cu',
        'm.createdAt',
        'm.updatedAt',
      ]),
  orderBy: ['createdAt', 'id'],
});

/** Whether the caller holds the answer for this state, for its version alone, or whatever it is; no sub-query, which would be set up for every request. */
const isKnown = (
  known: Expression<string[]>,
  version: Expression<number>,
  used: Expression<number>,
  capacity: Expression<number>,
) =>
  sql<boolean>`cardinality(${known}::text[]) > 0 AND ${known}::text[] && ARRAY[
  ${version} || '.' || ${used} || '.' || ${capacity}, ${version} || '..', '..']`;

/**
 * The first `chars` characters of a body, or all of it where that is -1. Of one that loses characters on its way to a prompt, how many are shown is not
 * known here: it is read whole.
 */
export const cutBody = (
  body: Expression<string | null>,
  hasInvisible: Expression<boolean | null>,
  chars: Expression<number>,
) =>
  sql<string>`CASE WHEN ${chars}::int = -1 OR ${hasInvisible} OR octet_length(${body}) <= ${chars}::int THEN ${body} ELSE left(${body}, ${chars}::int) END`;

type Row = Omit<SpaceRow, 'id' | 'cu'> &
  Omit<MemoryRow, 'id'> & {
    spaceId: string;
    spaceCu: number;
    notModified: boolean;
    readLimit: number;
    granted: boolean;
    id: string | null;
  };

export type SpaceRead =
  | { notModified: true; space: SpaceRow }
  /** `memories` is null when the version is the one cached by this instance (`cachedVersion`). */
  | { notModified: false; space: SpaceRow; memories: MemoryRow[] | null };

type SpaceReadInput = {
  spaceId: string;
  /** The states that the caller holds answers for. */
  known?: readonly KnownState[];
  cachedVersion?: number | undefined;
  /** All five when absent. */
  pillars?: readonly PillarRole[];
  /** Of a longer body only so many characters are read, unless it has invisible ones. */
  bodyChars?: number;
};

/**
 * The read of one Space of an account: one round trip; consumes one read unless a state of the caller's is current.
 * Errors: `not_found` (a stranger's, an archived one and one out of reach answer the same), `quota_exceeded`.
 */
export function spaceRead(now: Date, input: SpaceReadInput): AccountRead<SpaceRead> {
  const cachedVersion = input.cachedVersion ?? -1;
  const params = {
    spaceId: input.spaceId,
    ...readPeriodOf(now),
    known: (input.known ?? []).map(writeState),
    cachedVersion,
    roles: input.pillars ?? PILLAR_ROLES,
    bodyChars: input.bodyChars ?? -1,
  };
  return readSpace(params, (rows) => viewRows(rows as readonly Row[], cachedVersion, now));
}

function viewRows(rows: readonly Row[], cachedVersion: number, now: Date): SpaceRead {
  const [first] = rows;
  if (!first) throw spaceNotFound();
  const space: SpaceRow = {
    id: first.spaceId,
    name: first.name,
    template: first.template,
    websiteUrl: first.websiteUrl,
    cu: first.spaceCu,
    version: first.version,
    usedCu: first.usedCu,
    capacityCu: first.capacityCu,
  };
  if (first.notModified) return { notModified: true, space };
  if (!first.granted) throw quotaExceeded(now, first.readLimit);
  if (first.version === cachedVersion) return { notModified: false, space, memories: null };
  return { notModified: false, space, memories: first.id === null ? [] : (rows as (Row & { id: string })[]) };
}
