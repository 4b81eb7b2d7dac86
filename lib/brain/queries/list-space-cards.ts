import { sql } from 'kysely';
import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { cacheBytes } from '#lib/core/resource-limits/cache-bytes.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { givenSpaces, isReached } from '#lib/db/space-rights.ts';
import { isAnyOf } from '#lib/db/values.ts';
import { FULL_WEIGHT_LENGTH, pillarCoverage, spaceQuality } from '../quality.ts';
import { PILLAR_ROLES, type PillarRole, type SpaceTemplate, TEMPLATES } from '../templates.ts';
import { VersionedCache } from '../versioned-cache.ts';

const readSpaces = prepared(
  'list-space-cards',
  (db, p: Params<{ accountId: string; given: string | null }>) =>
    db
      .selectFrom('Account as a')
      .leftJoin('Space as s', (join) =>
        join.onRef('s.accountId', '=', 'a.id').on((eb) => isReached(p.given, eb.ref('s.id'))),
      )
      .select([
        'a.usedCu',
        'a.capacityCu',
        's.id',
        's.name',
        's.template',
        's.websiteUrl',
        's.memories',
        's.cu',
        's.version',
        's.updatedAt',
        's.archivedAt',
      ])
      .where('a.id', '=', p.accountId)
      .orderBy('s.createdAt')
      .orderBy('s.id'),
);

const FULL = sql.lit(FULL_WEIGHT_LENGTH);

// What each pillar weighs, in UTF-16 units as everywhere: a character beyond the basic plane counts two.
const readWeights = prepared('space-weights', (db, p: Params<{ spaceIds: string[] }>) =>
  db
    .with('heads', (one) =>
      one
        .selectFrom('Memory')
        .select(['spaceId', 'role', sql<string>`left(body, ${FULL})`.as('head')])
        .where(isAnyOf('spaceId', p.spaceIds))
        .where('deletedAt', 'is', null),
    )
    .with('measured', (one) =>
      one
        .selectFrom('heads')
        .select(['spaceId', 'role', 'head', sql<number>`char_length(head)`.as('points')]),
    )
    .selectFrom('measured')
    .select((eb) => [
      'spaceId',
      'role',
      eb
        .cast<number>(
          eb.fn.sum(
            eb
              .case()
              .when('points', '>=', FULL)
              .then(FULL)
              .when(sql<boolean>`octet_length(head) < points + 3`)
              .then(eb.ref('points'))
              .else(
                sql<number>`least(${FULL}, 2 * points - char_length(regexp_replace(head, '[\\U00010000-\\U0010FFFF]', '', 'g')))`,
              )
              .end(),
          ),
          'integer',
        )
        .as('weight'),
    ])
    .groupBy(['spaceId', 'role']),
);

export type SpaceCard = {
  id: string;
  name: string;
  template: SpaceTemplate;
  templateLabel: string;
  websiteUrl: string | null;
  memories: number;
  cu: number;
  quality: number;
  updatedAt: Date;
  archivedAt: Date | null;
};

/** A row that has a Space: the account's row alone has none. */
type SpaceRow = Omit<SpaceCard, 'quality' | 'templateLabel'> & { version: number };

const qualityCache = new VersionedCache<number>(cacheBytes('coverage'));

/**
 * Every Space of the account within reach with its coverage, oldest first, archived ones apart, and the account's capacity. At most two round
 * trips, no read consumed.
 */
export async function listSpaceCards(ctx: Context<AccountActor>): Promise<{
  spaces: SpaceCard[];
  archived: SpaceCard[];
  capacity: { usedCu: number; capacityCu: number };
}> {
  const rows = await readSpaces.all(ctx.kysely, {
    accountId: ctx.actor.accountId,
    given: givenSpaces(ctx.actor),
  });
  const [first] = rows;
  const spaces = rows.flatMap((row) => (row.id === null ? [] : [row as SpaceRow]));
  const quality = await qualitiesOf(ctx, spaces);
  const cards = spaces.map(
    (row): SpaceCard => ({
      id: row.id,
      name: row.name,
      template: row.template,
      templateLabel: TEMPLATES[row.template].label,
      websiteUrl: row.websiteUrl,
      memories: row.memories,
      cu: row.cu,
      quality: quality.get(row.id) ?? 0,
      updatedAt: row.updatedAt,
      archivedAt: row.archivedAt,
    }),
  );
  return {
    spaces: cards.filter(({ archivedAt }) => archivedAt === null),
    archived: cards.filter(({ archivedAt }) => archivedAt !== null),
    capacity: { usedCu: first?.usedCu ?? 0, capacityCu: first?.capacityCu ?? 0 },
  };
}

async function qualitiesOf(
  ctx: Context<AccountActor>,
  spaces: readonly { id: string; version: number }[],
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const missing: (typeof spaces)[number][] = [];
  for (const space of spaces) {
    const known = qualityCache.get(space.id);
    if (known?.version === space.version) found.set(space.id, known.value);
    else missing.push(space);
  }
  if (missing.length === 0) return found;
  const rows = await readWeights.all(ctx.kysely, { spaceIds: missing.map(({ id }) => id) });
  const weights = new Map(rows.map(({ spaceId, role, weight }) => [`${spaceId}:${role}`, weight]));
  for (const { id, version } of missing) {
    const qualities = Object.fromEntries(
      PILLAR_ROLES.map((role) => {
        const weight = weights.get(`${id}:${role}`) ?? 0;
        const full = Math.floor(weight / FULL_WEIGHT_LENGTH);
        const parts = [
          ...Array.from({ length: Math.min(full, 10) }, () => FULL_WEIGHT_LENGTH),
          weight % FULL_WEIGHT_LENGTH,
        ];
        return [
          role,
          pillarCoverage(parts.map((bodyLength, at) => ({ id: String(at), bodyLength }))).quality,
        ];
      }),
    ) as Record<PillarRole, number>;
    const value = spaceQuality(qualities);
    found.set(id, value);
    qualityCache.set(id, version, value, 64);
  }
  return found;
}
