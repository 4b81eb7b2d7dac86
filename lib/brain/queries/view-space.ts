import { sql } from 'kysely';
import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { cacheBytes } from '#lib/core/resource-limits/cache-bytes.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { givenSpaces, isReached } from '#lib/db/space-rights.ts';
import { spaceNotFound } from '../not-found.ts';
import { FULL_WEIGHT_LENGTH, pillarCoverage, spaceQuality } from '../quality.ts';
import { canWriteIn } from '../require-brain-write.ts';
import {
  type MemorySource,
  PILLAR_ROLES,
  type PillarRole,
  type SpaceTemplate,
  TEMPLATES,
} from '../templates.ts';
import { excerptOf } from '../text/excerpt.ts';
import { orderTree } from '../tree.ts';
import { VersionedCache } from '../versioned-cache.ts';

/** Characters of a body that a row shows. */
const MAX_EXCERPT_CHARS = 90;

/** What a row holds beside its words, about. */
const ROW_BYTES = 300;

const cache = new VersionedCache<PillarView[]>(cacheBytes('spaceViews'));

// The first 800 characters are all that coverage and a row need: bodies stay in the database, and all of it when this instance holds
// the rows of that version. `offset` keeps the Memories a query of their own: merged into the join, the version would be looked at after each.
const readSpace = prepared(
  'view-space',
  (db, p: Params<{ spaceId: string; accountId: string; given: string | null; cachedVersion: number }>) =>
    db
      .selectFrom('Space as s')
      .innerJoin('Account as a', 'a.id', 's.accountId')
      .leftJoinLateral(
        (eb) =>
          eb
            .selectFrom('Memory')
            .selectAll('Memory')
            .where('s.version', '<>', p.cachedVersion)
            .offset(0)
            .whereRef('Memory.spaceId', '=', 's.id')
            .where('Memory.deletedAt', 'is', null)
            .as('m'),
        (join) => join.onTrue(),
      )
      .select((eb) => [
        's.id as spaceId',
        's.name',
        's.template',
        's.websiteUrl',
        's.cu as spaceCu',
        's.version as spaceVersion',
        's.memories',
        's.archivedAt',
        'a.usedCu',
        'a.capacityCu',
        'm.id',
        'm.role',
        'm.parentId',
        'm.title',
        sql<string | null>`left(${eb.ref('m.body')}, ${sql.lit(FULL_WEIGHT_LENGTH)})`.as('head'),
        'm.source',
        'm.cu',
        'm.createdAt',
        'm.updatedAt',
      ])
      .where('s.id', '=', p.spaceId)
      .where('s.accountId', '=', p.accountId)
      .where((eb) => isReached(p.given, eb.ref('s.id')))
      .orderBy('m.createdAt')
      .orderBy('m.id'),
);

/** The Memory of a row that has one: an empty Space has a row without. */
type ViewedMemory = {
  id: string;
  role: PillarRole;
  parentId: string | null;
  title: string;
  head: string;
  source: MemorySource;
  cu: number;
  createdAt: Date;
  updatedAt: Date;
};

export type SpaceRowView = {
  id: string;
  parentId: string | null;
  depth: number;
  title: string;
  excerpt: string;
  cu: number;
  source: MemorySource;
  contribution: number;
  updatedAt: Date;
};

export type PillarView = {
  role: PillarRole;
  label: string;
  icon: string;
  note: string;
  cu: number;
  quality: number;
  memories: SpaceRowView[];
};

type SpaceView = {
  id: string;
  name: string;
  template: SpaceTemplate;
  templateLabel: string;
  websiteUrl: string | null;
  archivedAt: Date | null;
  canEdit: boolean;
  cu: number;
  memories: number;
  quality: number;
  capacity: { usedCu: number; capacityCu: number };
  pillars: PillarView[];
};

/**
 * A Space for the cockpit, archived ones included: every Memory as a row (no body), with the coverage of the API. One round
 * trip, no read consumed: members read what they write. What it gives is kept for other requests: none may change it.
 * Errors: `not_found`.
 */
export async function viewSpace(ctx: Context<AccountActor>, input: { spaceId: string }): Promise<SpaceView> {
  const cached = cache.get(input.spaceId);
  const rows = await readSpace.all(ctx.kysely, {
    spaceId: input.spaceId,
    accountId: ctx.actor.accountId,
    given: givenSpaces(ctx.actor),
    cachedVersion: cached?.version ?? -1,
  });
  const [first] = rows;
  if (!first) throw spaceNotFound();
  const pillars =
    first.spaceVersion === cached?.version
      ? cached.value
      : viewPillars(input.spaceId, first, first.id === null ? [] : (rows as ViewedMemory[]));
  const qualities = Object.fromEntries(pillars.map(({ role, quality }) => [role, quality]));
  return {
    id: first.spaceId,
    name: first.name,
    template: first.template,
    templateLabel: TEMPLATES[first.template].label,
    websiteUrl: first.websiteUrl,
    archivedAt: first.archivedAt,
    canEdit: canWriteIn(ctx.actor, first.spaceId) && first.archivedAt === null,
    cu: first.spaceCu,
    memories: first.memories,
    quality: spaceQuality(qualities as Record<PillarRole, number>),
    capacity: { usedCu: first.usedCu, capacityCu: first.capacityCu },
    pillars,
  };
}

function viewPillars(
  spaceId: string,
  { template, spaceVersion }: { template: SpaceTemplate; spaceVersion: number },
  memories: ViewedMemory[],
): PillarView[] {
  const byRole = Map.groupBy(memories, ({ role }) => role);
  const pillars = PILLAR_ROLES.map((role) => viewPillar(template, role, byRole.get(role) ?? []));
  const chars = memories.reduce((sum, { title }) => sum + title.length + MAX_EXCERPT_CHARS, 0);
  cache.set(spaceId, spaceVersion, pillars, 2 * chars + ROW_BYTES * memories.length);
  return pillars;
}

function viewPillar(template: SpaceTemplate, role: PillarRole, rows: ViewedMemory[]): PillarView {
  const { quality, contributions } = pillarCoverage(
    rows.map(({ id, head }) => ({ id, bodyLength: head.length })),
  );
  return {
    role,
    ...TEMPLATES[template].pillars[role],
    cu: rows.reduce((sum, { cu }) => sum + cu, 0),
    quality,
    memories: orderTree(rows).map(({ row, depth, parentId }) => ({
      id: row.id,
      parentId,
      depth,
      title: row.title,
      excerpt: excerptOf(row.head, MAX_EXCERPT_CHARS),
      cu: row.cu,
      source: row.source,
      contribution: contributions.get(row.id) ?? 0,
      updatedAt: row.updatedAt,
    })),
  };
}
