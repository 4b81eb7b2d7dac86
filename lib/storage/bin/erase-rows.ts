import { sql } from 'kysely';
import type { AuditEvent } from '#lib/core/audit.ts';
import type { Executor, Transaction } from '#lib/db/types.ts';
import { isAnyOf } from '#lib/db/values.ts';
import type { StoredVersion } from '../retention/delete-bytes.ts';

/** Why it is erased: its 30 days are over, or a founder asked. */
type Reason = 'expired' | 'asked';

/** What was erased: its audit entries, and the bytes to delete after the commit. */
type Erased = { events: AuditEvent[]; files: ErasedFile[] };
/** `refusal`: what the audit says when the store does not delete it. */
export type ErasedFile = StoredVersion & { refusal: AuditEvent };

type Erasing = { tx: Transaction; ids: readonly string[]; reason: Reason; now: Date };

/** Erases these assets from the bin, each once even with concurrent calls, with the binned avatars that show one. */
export async function eraseAssets({ tx, ids, reason, now }: Erasing): Promise<Erased> {
  const gone = await tx
    .updateTable('Asset')
    .set({ binnedBy: null, updatedAt: now })
    .where(isAnyOf('id', ids))
    .where('binnedBy', 'is not', null)
    .returning(['id', 'accountId', 'generationId', 'pathname', 'etag', 'thumbnailAt', 'imported'])
    .execute();
  if (gone.length === 0) return { events: [], files: [] };
  const avatars = await tx
    .deleteFrom('Avatar')
    .where(
      isAnyOf(
        'assetId',
        gone.map(({ id }) => id),
      ),
    )
    .where('binnedBy', 'is not', null)
    .returning(['id', 'accountId'])
    .execute();
  const subjectOf = (generationId: string | null) => ({
    type: 'generation' as const,
    id: generationId ?? '',
  });
  return {
    events: [
      ...[...Map.groupBy(gone, ({ generationId }) => generationId)].map(
        ([generationId, files]): AuditEvent => ({
          action: 'generation.files_erased',
          accountId: files[0]?.accountId ?? null,
          subject: subjectOf(generationId),
          data: {
            reason,
            assetIds: files.map(({ id }) => id),
            pathnames: files.map(({ pathname }) => pathname),
          },
        }),
      ),
      ...avatars.map(
        ({ id, accountId }): AuditEvent => ({
          action: 'avatar.erased',
          accountId,
          subject: { type: 'avatar', id },
          data: { reason: 'file' },
        }),
      ),
    ],
    // The bytes of the former application are not in our store.
    files: gone
      .filter(({ imported }) => !imported)
      .map(({ id, accountId, generationId, ...file }) => ({
        ...file,
        refusal: {
          action: 'generation.files_delete_failed',
          accountId,
          subject: subjectOf(generationId),
          data: { by: 'bin', assetIds: [id], pathnames: [file.pathname] },
        },
      })),
  };
}

/** The same for files that members sent. */
export async function eraseUploads({ tx, ids, reason }: Erasing): Promise<Erased> {
  const gone = await tx
    .updateTable('Upload')
    .set({ binnedBy: null })
    .where(isAnyOf('id', ids))
    .where('binnedBy', 'is not', null)
    .returning(['id', 'accountId', 'pathname', 'etag'])
    .execute();
  return {
    events: gone.map(
      ({ id, accountId, pathname }): AuditEvent => ({
        action: 'reference.erased',
        accountId,
        subject: { type: 'upload', id },
        data: { reason, pathname },
      }),
    ),
    files: gone.map(({ id, accountId, ...file }) => ({
      ...file,
      refusal: {
        action: 'generation.files_delete_failed',
        accountId,
        subject: { type: 'upload', id },
        data: { by: 'bin', pathname: file.pathname },
      },
    })),
  };
}

type NamedTable = 'Avatar' | 'Concept';
type AuditEventOf = (row: { id: string; accountId: string }, data: { reason: Reason }) => AuditEvent;

/** Erases binned rows without a file of their own. */
const eraseNamed =
  (table: NamedTable, auditEventOf: AuditEventOf) =>
  async ({ tx, ids, reason }: Erasing): Promise<Erased> => {
    const gone = await tx
      .deleteFrom(table)
      .where(isAnyOf('id', ids))
      .where('binnedBy', 'is not', null)
      .returning(['id', 'accountId'])
      .execute();
    return { events: gone.map((row) => auditEventOf(row, { reason })), files: [] };
  };

/** Erases these binned avatars with their names. */
export const eraseAvatars = eraseNamed('Avatar', ({ id, accountId }, data) => ({
  action: 'avatar.erased',
  accountId,
  data,
  subject: { type: 'avatar', id },
}));

/** Erases these binned concepts with names and notes; their files stay, in no concept. */
export const eraseConcepts = eraseNamed('Concept', ({ id, accountId }, data) => ({
  action: 'concept.erased',
  accountId,
  data,
  subject: { type: 'concept', id },
}));

/** The tables of the bin, each with the function that erases its rows. */
export const BIN_TABLES = [
  ['Asset', eraseAssets],
  ['Upload', eraseUploads],
  ['Avatar', eraseAvatars],
  ['Concept', eraseConcepts],
] as const;
export type BinTable = (typeof BIN_TABLES)[number][0];

/** The accounts that have something in the bin that was deleted before an instant, in the order of their identifiers. */
export async function findAccountsOfExpired(on: Executor, before: Date): Promise<string[]> {
  const expired = BIN_TABLES.map(
    ([table]) =>
      sql`select "accountId" from ${sql.table(table)} where "binnedBy" is not null and "deletedAt" < ${before}`,
  );
  const { rows } = await sql<{ accountId: string }>`${sql.join(expired, sql` union `)}`.execute(on);
  return rows.map(({ accountId }) => accountId).sort();
}

/** Locks the oldest rows put into the bin before an instant, up to a number for each account; rows being restored are skipped. */
export async function lockExpired(
  tx: Transaction,
  table: BinTable,
  { accountIds, before, each }: { accountIds: readonly string[]; before: Date; each: number },
): Promise<{ id: string; accountId: string }[]> {
  const { rows } = await sql<{ id: string; accountId: string }>`
    select due."id", due."accountId" from unnest(${accountIds}::text[]) as a("id")
    cross join lateral (
      select t."id", t."accountId" from ${sql.table(table)} t
      where t."accountId" = a."id" and t."binnedBy" is not null and t."deletedAt" < ${before}
      order by t."deletedAt" limit ${each}::int for update skip locked) due`.execute(tx);
  return rows;
}
