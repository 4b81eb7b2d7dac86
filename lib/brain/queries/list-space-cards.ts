import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { FULL_WEIGHT_LENGTH, pillarCoverage, spaceQuality } from '../quality.ts';
import { PILLAR_ROLES, type PillarRole, type SpaceTemplate, TEMPLATES } from '../templates.ts';
import { VersionedCache } from '../versioned-cache.ts';

const SPACES = `
SELECT a."usedCu", a."capacityCu", s.id, s.name, s.template::text AS template, s."websiteUrl", s.memories, s.cu, s.version,
  s."updatedAt", s."archivedAt"
FROM "Account" a LEFT JOIN "Space" s ON s."accountId" = a.id
WHERE a.id = $1 ORDER BY s."createdAt", s.id`;

// What each pillar weighs, in UTF-16 units as everywhere: a character beyond the basic plane counts two.
const WEIGHTS = `
SELECT "spaceId", role::text AS role, sum(CASE WHEN points >= ${FULL_WEIGHT_LENGTH} THEN ${FULL_WEIGHT_LENGTH}
    WHEN octet_length(head) < points + 3 THEN points
    ELSE least(${FULL_WEIGHT_LENGTH}, 2 * points - char_length(regexp_replace(head, '[\\U00010000-\\U0010FFFF]', '', 'g'))) END)::int AS weight
FROM (
  SELECT "spaceId", role, head, char_length(head) AS points FROM (
    SELECT "spaceId", role, left(body, ${FULL_WEIGHT_LENGTH}) AS head FROM "Memory" WHERE "spaceId" = ANY($1::text[]) AND "deletedAt" IS NULL
  ) AS heads
) AS measured GROUP BY "spaceId", role`;

type Row = {
  usedCu: number;
  capacityCu: number;
  id: string | null;
  name: string;
  template: SpaceTemplate;
  websiteUrl: string | null;
  memories: number;
  cu: number;
  version: number;
  updatedAt: Date;
  archivedAt: Date | null;
};

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

const held = new VersionedCache<number>(1024 * 1024);

/**
 * Every Space of the account with its coverage, oldest first, archived ones apart, and the account's capacity. At most two round
 * trips, no read consumed.
 */
export async function listSpaceCards(ctx: Context<AccountActor>): Promise<{
  spaces: SpaceCard[];
  archived: SpaceCard[];
  capacity: { usedCu: number; capacityCu: number };
}> {
  const rows = await ctx.sql.rows<Row>('list-space-cards', SPACES, [ctx.actor.accountId]);
  const [first] = rows;
  const spaces = rows.filter((row): row is Row & { id: string } => row.id !== null);
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
    const known = held.get(space.id);
    if (known?.version === space.version) found.set(space.id, known.value);
    else missing.push(space);
  }
  if (missing.length === 0) return found;
  const weights = await ctx.sql.rows<{ spaceId: string; role: PillarRole; weight: number }>(
    'space-weights',
    WEIGHTS,
    [missing.map(({ id }) => id)],
  );
  for (const { id, version } of missing) {
    const qualities = Object.fromEntries(
      PILLAR_ROLES.map((role) => {
        const weight = weights.find((one) => one.spaceId === id && one.role === role)?.weight ?? 0;
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
    held.set(id, version, value, 64);
  }
  return found;
}
