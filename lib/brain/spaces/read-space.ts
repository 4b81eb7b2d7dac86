import { ServiceError } from '#lib/core/errors.ts';
import type { AccountRead, AccountReadSql } from '#lib/db/account-read.ts';
import { consumeReadSql, quotaExceeded, READ_LIMIT_SQL, readPeriod } from '../quota/read-quota.ts';
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
  createdAt: Date;
  updatedAt: Date;
};

/** What the caller already holds, in numbers that the database can compare; a number that is absent is not compared. */
export type KnownState = { version?: number; usedCu?: number; capacityCu?: number };

// One statement, one snapshot: the Space, its Memories unless this instance holds them, and the read it costs
// unless the caller holds the answer. Numbers are -1 where nothing is compared, or cut.
function readSpaceSql(account: string, first: number): AccountReadSql {
  const [spaceId, month, day, versions, uses, capacities, heldVersion, roles, bodyChars] = Array.from(
    { length: 9 },
    (_, i) => `$${first + i}`,
  ) as [string, string, string, string, string, string, string, string, string];
  return {
    ctes: `space AS (
  SELECT s.id, s.name, s.template::text AS template, s."websiteUrl", s.cu, s.version, s."accountId",
    a."usedCu", a."capacityCu", ${READ_LIMIT_SQL} AS "readLimit",
    EXISTS (
      SELECT 1 FROM unnest(${versions}::int[], ${uses}::int[], ${capacities}::int[]) AS known(at, cu, of)
      WHERE known.at IN (-1, s.version) AND known.cu IN (-1, a."usedCu") AND known.of IN (-1, a."capacityCu")
    ) AS "notModified"
  FROM "Space" s JOIN "Account" a ON a.id = s."accountId"
  WHERE s.id = ${spaceId} AND s."accountId" = ${account} AND s."archivedAt" IS NULL
), modified AS (
  SELECT * FROM space WHERE NOT "notModified"
), ${consumeReadSql('modified', month, day)}, wanted AS MATERIALIZED (
  SELECT space.id FROM space, consumed WHERE space.version <> ${heldVersion}
)`,
    columns: `space.id AS "spaceId", space.name, space.template, space."websiteUrl", space.cu AS "spaceCu", space.version,
  space."usedCu", space."capacityCu", space."notModified", EXISTS (SELECT 1 FROM consumed) AS granted,
  m.id, m.role::text AS role, m."parentId", m.kind::text AS kind, m.title,
  CASE WHEN ${bodyChars}::int = -1 OR octet_length(m.body) <= ${bodyChars}::int THEN m.body ELSE left(m.body, ${bodyChars}::int) END AS body, m.source::text AS source, m."sourceRef",
  m.file, m.cu, m."createdAt", m."updatedAt"`,
    from: `space LEFT JOIN (wanted JOIN "Memory" m ON m."spaceId" = wanted.id AND m."deletedAt" IS NULL AND m.role = ANY(${roles}::"PillarRole"[])) ON wanted.id = space.id`,
    present: 'space.id IS NOT NULL',
    orderBy: 'm."createdAt", m.id',
  };
}

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

export type SpaceReadInput = {
  spaceId: string;
  /** The states that the caller holds answers for. */
  known?: readonly KnownState[];
  heldVersion?: number | undefined;
  /** All five when absent. */
  pillars?: readonly PillarRole[];
  /** Of a longer body only so many characters are read. */
  bodyChars?: number;
};

/**
 * The read of one Space of an account: one round trip; consumes one read unless a state of the caller's is current.
 * Errors: `not_found` (a stranger's or archived Space answers the same), `quota_exceeded`.
 */
export function spaceRead(now: Date, input: SpaceReadInput): AccountRead<SpaceRead> {
  const heldVersion = input.heldVersion ?? -1;
  const known = input.known ?? [];
  return {
    name: 'read-space',
    sql: readSpaceSql,
    params: [
      input.spaceId,
      ...readPeriod(now),
      known.map(({ version }) => version ?? -1),
      known.map(({ usedCu }) => usedCu ?? -1),
      known.map(({ capacityCu }) => capacityCu ?? -1),
      heldVersion,
      input.pillars ?? PILLAR_ROLES,
      input.bodyChars ?? -1,
    ],
    finish: (rows) => viewRows(rows as Row[], heldVersion, now),
  };
}

function viewRows(rows: Row[], heldVersion: number, now: Date): SpaceRead {
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
