import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { consumeReadSql, quotaExceeded, READ_LIMIT_SQL, readPeriod } from './read-quota.ts';
import type { MemoryKind, MemorySource, PillarRole, SpaceTemplate } from './templates.ts';

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
  createdAt: Date;
  updatedAt: Date;
};

/** What the caller already holds, in numbers that the database can compare. */
export type KnownState = { version: number; usedCu?: number; capacityCu?: number };

// One statement, one snapshot: the Space, its Memories unless this instance holds them, and the read it costs
// unless the caller holds the answer ($5 version, $6 usedCu, $7 capacityCu; -1: not compared).
const READ_SPACE = `
WITH space AS (
  SELECT s.id, s.name, s.template::text AS template, s."websiteUrl", s.cu, s.version, s."accountId",
    a."usedCu", a."capacityCu", ${READ_LIMIT_SQL} AS "readLimit",
    (s.version = $5 AND ($6 = -1 OR (a."usedCu" = $6 AND a."capacityCu" = $7))) AS "notModified"
  FROM "Space" s JOIN "Account" a ON a.id = s."accountId"
  WHERE s.id = $1 AND s."accountId" = $2 AND s."archivedAt" IS NULL
), modified AS (
  SELECT * FROM space WHERE NOT "notModified"
), ${consumeReadSql('modified', '$3', '$4')}
SELECT space.id AS "spaceId", space.name, space.template, space."websiteUrl", space.cu AS "spaceCu", space.version,
  space."usedCu", space."capacityCu", space."notModified", EXISTS (SELECT 1 FROM consumed) AS granted,
  m.id, m.role::text AS role, m."parentId", m.kind::text AS kind, m.title, m.body, m.source::text AS source, m."sourceRef",
  m.file, m.cu, m."createdAt", m."updatedAt"
FROM space
LEFT JOIN "Memory" m ON m."spaceId" = space.id AND m."deletedAt" IS NULL AND space.version <> $8
  AND EXISTS (SELECT 1 FROM consumed)
ORDER BY m."createdAt", m.id`;

type Row = Omit<SpaceRow, 'id' | 'cu'> &
  Omit<MemoryRow, 'id'> & {
    spaceId: string;
    spaceCu: number;
    notModified: boolean;
    granted: boolean;
    id: string | null;
  };

export type SpaceRead =
  | { notModified: true; space: SpaceRow }
  /** `memories` is null when the version is the one held by this instance (`heldVersion`). */
  | { notModified: false; space: SpaceRow; memories: MemoryRow[] | null };

/**
 * Reads one Space of the actor's account in one round trip; consumes one read unless the caller's state is current.
 * Errors: `not_found` (a stranger's or archived Space answers the same), `quota_exceeded`.
 */
export async function readSpace(
  ctx: Context<AccountActor>,
  input: { spaceId: string; known?: KnownState; heldVersion?: number },
): Promise<SpaceRead> {
  const now = ctx.clock.now();
  const heldVersion = input.heldVersion ?? -1;
  const rows = await ctx.sql.rows<Row>('read-space', READ_SPACE, [
    input.spaceId,
    ctx.actor.accountId,
    ...readPeriod(now),
    input.known?.version ?? -1,
    input.known?.usedCu ?? -1,
    input.known?.capacityCu ?? -1,
    heldVersion,
  ]);
  const [first] = rows;
  if (!first) throw new ServiceError('not_found', { message: 'Cet espace est introuvable dans ce compte.' });
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
  if (!first.granted) throw quotaExceeded(now);
  if (first.version === heldVersion) return { notModified: false, space, memories: null };
  return { notModified: false, space, memories: first.id === null ? [] : (rows as (Row & { id: string })[]) };
}
