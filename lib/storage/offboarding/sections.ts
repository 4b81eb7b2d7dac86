import { sql } from 'kysely';
import type { Queries } from '#lib/db/types.ts';

/** Rows written as one entry, files looked up at once. */
const PAGE_ROWS = 200;
const PAGE_FILES = 50;

/** Columns that are never exported: secrets, and values that have a meaning in this database alone. */
const LEFT_OUT = new Set([
  'tokenHash',
  'idempotencyFingerprint',
  'importedHash',
  'fingerprint',
  'providerWebhookSecret',
  'searchText',
  'hasInvisible',
  'directory',
  'cursor',
  'leaseUntil',
  'secret',
  'previousSecret',
  // Where the next page begins.
  'placeInTable',
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
  | 'AuditEntry'
  | 'Account'
  | 'Budget'
  | 'StorageQuota'
  | 'ReadMonth'
  | 'ReadDay'
  | 'SpendMonth'
  | 'SpendAlert';

type FileTable = 'Asset' | 'Upload' | 'CaptureRush' | 'Consent' | 'Avatar';

type Section =
  | { kind: 'rows'; table: Table; folder: string; about: string }
  | { kind: 'files'; table: FileTable };

/** `about`: what the folder holds, for whoever opens the zip. */
const rows = (table: Table, folder: string, about: string): Section => ({
  kind: 'rows',
  table,
  folder,
  about,
});

/** Rows without an identifier of their own: a text that no other row of the account has, and that orders them. */
const PLACES: Partial<Record<Table, string>> = {
  Budget: '"accountId"',
  StorageQuota: '"accountId"',
  ReadMonth: '"month"',
  ReadDay: 'to_char("day", \'YYYY-MM-DD\')',
  SpendMonth: '"month"',
  SpendAlert: '"month" || \' \' || lpad("multiple"::text, 10, \'0\')',
};
const placeOf = (table: Table) => sql.raw(PLACES[table] ?? '"id"');
const accountOf = (table: Table) => sql.ref(table === 'Account' ? 'id' : 'accountId');

/**
 * Of tables that grow without end, the column that the account's own index goes on with: by identifiers alone, each page would read other
 * accounts' rows, or sort all of this one's.
 */
const ORDERED: Partial<Record<Table, 'at' | 'createdAt' | 'month'>> = {
  LedgerLine: 'month',
  Generation: 'createdAt',
  AuditEntry: 'at',
};

/** How the rows after a place are read, and how each says its own. An export that was begun by identifiers goes on by them. */
function readingAfter(table: Table, after: string) {
  const column = after === '' || after.includes(' ') ? ORDERED[table] : undefined;
  if (!column) {
    const place = placeOf(table);
    return { place, isAfter: sql<boolean>`${place} > ${after}`, order: place };
  }
  const [from = '', id = ''] = after.split(' ');
  const by = sql.ref(column);
  if (column === 'month')
    return {
      place: sql`${by} || ' ' || "id"`,
      isAfter: sql<boolean>`(${by}, "id") > (${from}::text, ${id}::text)`,
      order: sql`${by}, "id"`,
    };
  return {
    place: sql`to_char(${by} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || ' ' || "id"`,
    isAfter: sql<boolean>`(${by}, "id") > (${from || '-infinity'}::timestamptz, ${id}::text)`,
    order: sql`${by}, "id"`,
  };
}

/** A day is no instant: read as one, it would be another day's in other zones. */
const daysOf = (table: Table) => sql.raw(table === 'ReadDay' ? `, ${PLACES.ReadDay} as "day"` : '');

/** What an export holds, in its order: rows as lines of JSON, then the files that they name. */
export const SECTIONS: readonly Section[] = [
  rows('Member', 'membres', 'les membres, sans leurs moyens de connexion'),
  rows('Project', 'projets', 'les projets'),
  rows('Space', 'espaces', 'les espaces'),
  rows('Memory', 'memoires', 'les textes du Brain, ceux de la corbeille compris'),
  rows('MemoryRevision', 'historique', 'leurs versions successives'),
  rows('ImportJob', 'imports', 'les imports et ce qu’ils ont refusé'),
  rows('MemoryProposal', 'propositions', 'les propositions en attente ou refusées'),
  rows('DeveloperKey', 'cles', 'les clés de développeur, sans leur secret'),
  rows('OAuthGrant', 'applications', 'les applications autorisées, sans leurs jetons'),
  rows('CredentialAllowance', 'plafonds', 'ce que chaque clé ou application peut dépenser'),
  rows('WebhookEndpoint', 'abonnements', 'les adresses abonnées aux événements, sans leur secret'),
  rows('WebhookDelivery', 'evenements', 'les événements des quatorze derniers jours'),
  rows('Wallet', 'portefeuilles', 'les portefeuilles des membres'),
  rows('LedgerLine', 'ecritures', 'chaque ligne de ces portefeuilles'),
  rows('BudgetLine', 'budget', 'chaque ligne du crédit du compte'),
  rows('Generation', 'journal', 'les générations du journal'),
  rows('GenerationComment', 'commentaires', 'les commentaires du journal'),
  rows('GenerationMention', 'mentions', 'qui ils nomment'),
  rows('SavedFilter', 'filtres', 'les filtres enregistrés'),
  rows('Asset', 'medias', 'les fichiers produits'),
  rows('Upload', 'envois', 'les fichiers envoyés'),
  rows('Avatar', 'avatars', 'les avatars'),
  rows('Concept', 'idees', 'les concepts'),
  rows('Lesson', 'lecons', 'les leçons'),
  rows('CaptureRush', 'rushes', 'les rushs'),
  rows('Consent', 'consentements', 'les consentements signés'),
  rows('ShareLink', 'partages', 'les liens de partage, sans leur adresse'),
  rows('AuditEntry', 'audit', 'la piste d’audit'),
  { kind: 'files', table: 'Asset' },
  { kind: 'files', table: 'Upload' },
  { kind: 'files', table: 'CaptureRush' },
  { kind: 'files', table: 'Consent' },
  // After the files: an export that was begun before they were told of goes on by its place in this list.
  rows('Account', 'compte', 'le compte\u00a0: son nom, sa capacité et ce qui en est occupé'),
  rows('Budget', 'credit', 'le crédit du compte, son plafond et ce qui est retenu'),
  rows('StorageQuota', 'stockage', 'la place accordée aux fichiers, quand ce n’est pas celle de tous'),
  rows('ReadMonth', 'lectures-par-mois', 'les lectures comptées chaque mois'),
  rows('ReadDay', 'lectures-par-jour', 'les lectures comptées chaque jour'),
  rows('SpendMonth', 'depenses-par-mois', 'ce que les membres ont dépensé chaque mois'),
  rows('SpendAlert', 'alertes-de-depense', 'les seuils de dépense franchis'),
  { kind: 'files', table: 'Avatar' },
];

type Page = { after: string | null; count: number; text: string };

/** The next rows of a table of this account after `after`, as lines of JSON; null when none is left. */
export async function readRows(
  db: Queries,
  section: Section & { kind: 'rows' },
  at: { accountId: string; after: string },
): Promise<Page | null> {
  const { place, isAfter, order } = readingAfter(section.table, at.after);
  const { rows: found } = await sql<Record<string, unknown>>`
    select *, ${place} as "placeInTable"${daysOf(section.table)} from ${sql.table(section.table)}
    where ${accountOf(section.table)} = ${at.accountId} and ${isAfter}
    order by ${order} limit ${PAGE_ROWS}`.execute(db);
  const last = found.at(-1);
  if (!last) return null;
  const lines = found.map((row) =>
    JSON.stringify(
      Object.fromEntries(Object.entries(row).filter(([name]) => !LEFT_OUT.has(name))),
      (_, value) => (typeof value === 'bigint' ? String(value) : value),
    ),
  );
  return {
    after: found.length < PAGE_ROWS ? null : String(last.placeInTable),
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
    // Those of the former application that have bytes of their own; the others show the file of an asset.
    Avatar: sql`starts_with("pathname", 'avatars/') and ("deletedAt" is null or "binnedBy" is not null)
      and not exists (select from "Avatar" a where a."pathname" = t."pathname" and a."id" < t."id"
        and (a."deletedAt" is null or a."binnedBy" is not null))`,
  }[table];
  const { rows: found } =
    await sql<ListedFile>`select "id", "pathname", "createdAt" as at from ${sql.table(table)} t
    where "accountId" = ${at.accountId} and "id" > ${at.after} and ${kept} order by "id" limit ${PAGE_FILES}`.execute(
      db,
    );
  return found;
}

/** How many rows and files an export of this account has, in one round trip: what its progress is counted against. */
export async function countAll(db: Queries, accountId: string): Promise<number> {
  const counts = SECTIONS.map(({ table }) => {
    const ofAccount = sql`${accountOf(table)} = ${accountId}`;
    return sql`(select count(*) from ${sql.table(table)} where ${ofAccount})`;
  });
  const all = sql.join(counts, sql` + `);
  const { rows: found } = await sql<{ n: number }>`select (${all})::int as n`.execute(db);
  return found[0]?.n ?? 0;
}
