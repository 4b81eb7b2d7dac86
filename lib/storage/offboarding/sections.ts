import { sql } from 'kysely';
import type { Queries } from '#lib/db/types.ts';

/** Rows written as one entry, files looked up at once. */
const PAGE_ROWS = 200;
const PAGE_FILES = 50;

/** Columns that are never exported: secrets, and values that have a meaning in this database alone. */
const LEFT_OUT = new Set([
  'tokenHash',
  'idempotencyFingerprint',
  'fingerprint',
  'providerWebhookSecret',
  'searchText',
  'hasInvisible',
  'directory',
  'cursor',
  'leaseUntil',
  'secret',
  'previousSecret',
]);

type Table =
  | 'Member'
  | 'Project'
  | 'Space'
  | 'Memory'
  | 'MemoryRevision'
  | 'ImportJob'
  | 'MemoryProposal'
  | 'DeveloperKey'
  | 'OAuthGrant'
  | 'CredentialAllowance'
  | 'WebhookEndpoint'
  | 'WebhookDelivery'
  | 'Wallet'
  | 'LedgerLine'
  | 'BudgetLine'
  | 'Generation'
  | 'GenerationComment'
  | 'GenerationMention'
  | 'SavedFilter'
  | 'Asset'
  | 'Upload'
  | 'Avatar'
  | 'Concept'
  | 'Lesson'
  | 'CaptureRush'
  | 'Consent'
  | 'ShareLink'
  | 'AuditEntry';

type FileTable = 'Asset' | 'Upload' | 'CaptureRush' | 'Consent';

export type Section = { kind: 'rows'; table: Table; folder: string } | { kind: 'files'; table: FileTable };

const rows = (table: Table, folder: string): Section => ({ kind: 'rows', table, folder });

/** What an export holds, in its order: rows as lines of JSON, then the files that they name. */
export const SECTIONS: readonly Section[] = [
  rows('Member', 'membres'),
  rows('Project', 'projets'),
  rows('Space', 'espaces'),
  rows('Memory', 'memoires'),
  rows('MemoryRevision', 'historique'),
  rows('ImportJob', 'imports'),
  rows('MemoryProposal', 'propositions'),
  rows('DeveloperKey', 'cles'),
  rows('OAuthGrant', 'applications'),
  rows('CredentialAllowance', 'plafonds'),
  rows('WebhookEndpoint', 'abonnements'),
  rows('WebhookDelivery', 'evenements'),
  rows('Wallet', 'portefeuilles'),
  rows('LedgerLine', 'ecritures'),
  rows('BudgetLine', 'budget'),
  rows('Generation', 'journal'),
  rows('GenerationComment', 'commentaires'),
  rows('GenerationMention', 'mentions'),
  rows('SavedFilter', 'filtres'),
  rows('Asset', 'medias'),
  rows('Upload', 'envois'),
  rows('Avatar', 'avatars'),
  rows('Concept', 'idees'),
  rows('Lesson', 'lecons'),
  rows('CaptureRush', 'rushes'),
  rows('Consent', 'consentements'),
  rows('ShareLink', 'partages'),
  rows('AuditEntry', 'audit'),
  { kind: 'files', table: 'Asset' },
  { kind: 'files', table: 'Upload' },
  { kind: 'files', table: 'CaptureRush' },
  { kind: 'files', table: 'Consent' },
];

export type Page = { after: string | null; count: number; text: string };

/** The next rows of a table of this account after `after`, as lines of JSON; null when none is left. */
export async function readRows(
  db: Queries,
  section: Section & { kind: 'rows' },
  at: { accountId: string; after: string },
): Promise<Page | null> {
  const { rows: found } = await sql<Record<string, unknown>>`select * from ${sql.table(section.table)}
    where "accountId" = ${at.accountId} and "id" > ${at.after} order by "id" limit ${PAGE_ROWS}`.execute(db);
  const last = found.at(-1);
  if (!last) return null;
  const lines = found.map((row) =>
    JSON.stringify(
      Object.fromEntries(Object.entries(row).filter(([name]) => !LEFT_OUT.has(name))),
      (_, value) => (typeof value === 'bigint' ? String(value) : value),
    ),
  );
  return {
    after: found.length < PAGE_ROWS ? null : String(last.id),
    count: found.length,
    text: `${lines.join('\n')}\n`,
  };
}

type ListedFile = { id: string; pathname: string; at: Date };

/** The next files that rows of this table name and that are still there, in the bin or not. A file that two tables name is listed once. */
export async function readFiles(
  db: Queries,
  table: FileTable,
  at: { accountId: string; after: string },
): Promise<ListedFile[]> {
  const kept = {
    Asset: sql`("deletedAt" is null or "binnedBy" is not null) and not "imported"`,
    Upload: sql`("deletedAt" is null or "binnedBy" is not null)`,
    CaptureRush: sql`"clearedAt" is null and "deletedAt" is null and not exists (select from "Upload" u where u."pathname" = t."pathname")`,
    Consent: sql`"pathname" is not null and not exists (select from "Upload" u where u."pathname" = t."pathname")
      and not exists (select from "Consent" c where c."pathname" = t."pathname" and c."id" < t."id")`,
  }[table];
  const { rows: found } =
    await sql<ListedFile>`select "id", "pathname", "createdAt" as at from ${sql.table(table)} t
    where "accountId" = ${at.accountId} and "id" > ${at.after} and ${kept} order by "id" limit ${PAGE_FILES}`.execute(
      db,
    );
  return found;
}

/** How many rows and files an export of this account has: what its progress is counted against. */
export async function countAll(db: Queries, accountId: string): Promise<number> {
  let total = 0;
  for (const section of SECTIONS) {
    const { rows: found } = await sql<{
      n: number;
    }>`select count(*)::int as n from ${sql.table(section.table)}
      where "accountId" = ${accountId}`.execute(db);
    total += found[0]?.n ?? 0;
  }
  return total;
}
