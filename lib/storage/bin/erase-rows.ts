import { sql } from 'kysely';
import type { AuditEvent } from '#lib/core/audit.ts';
import type { Executor, Transaction } from '#lib/db/types.ts';
import { isAnyOf } from '#lib/db/values.ts';
import type { StoredVersion } from '../retention/delete-bytes.ts';

/** Why it leaves the bin for good: its 30 days are over, or a founder asked. */
type Reason = 'expired' | 'asked';

/** What left the bin for good: its audit entries, and the bytes that go once that is written. */
type Erased = { events: AuditEvent[]; files: ErasedFile[] };
/** `refusal`: what the audit says when the store does not delete it. */
export type ErasedFile = StoredVersion & { refusal: AuditEvent };

type Erasing = { tx: Transaction; ids: readonly string[]; reason: Reason; now: Date };

/** Takes these assets out of the bin for good, each once whoever else tries; avatars of the bin that show one go with it. */
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

/** Deletes rows of the bin that are a name and its notes: no file goes with them. */
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

/** Deletes these avatars of the bin, their names with them. */
export const eraseAvatars = eraseNamed('Avatar', ({ id, accountId }, data) => ({
  ...{ action: 'avatar.erased', accountId, data },
  subject: { type: 'avatar', id },
}));

/** Deletes these concepts of the bin, names and notes with them: their files stay, and are in none any more. */
export const eraseConcepts = eraseNamed('Concept', ({ id, accountId }, data) => ({
  ...{ action: 'concept.erased', accountId, data },
  subject: { type: 'concept', id },
}));

/** The tables of the bin, each with what takes its rows out of it. */
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

/**
 * The oldest rows of the bin that were deleted before an instant, so many of each of these accounts at most, locked; what somebody is
 * bringing back is left to them.
 */
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
