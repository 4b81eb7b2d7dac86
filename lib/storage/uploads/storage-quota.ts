import { sql } from 'kysely';
import type { AccountActor, MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { createId } from '#lib/core/ids.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { transaction } from '#lib/db/transaction.ts';
import type { Executor, Transaction } from '#lib/db/types.ts';
import { json } from '#lib/db/values.ts';
import { judgeHold, STORAGE_LIMITS, type StorageUse, storageFull } from './judge-hold.ts';

type UseParams = { accountId: string; memberId: string; now: Date };

const readUse = prepared('storage.use', (db, p: Params<UseParams>) => {
  const total = sql<bigint>`coalesce(sum("bytes"), 0)::bigint`.as('bytes');
  const holds = db.selectFrom('StorageHold').where('accountId', '=', p.accountId);
  const stored = db
    .selectFrom('Asset')
    .select(total)
    .where('accountId', '=', p.accountId)
    .where('deletedAt', 'is', null)
    .where('imported', '=', sql.lit(false));
  const sent = db
    .selectFrom('Upload')
    .select(total)
    .where('accountId', '=', p.accountId)
    .where('deletedAt', 'is', null);
  const binned = (table: 'Asset' | 'Upload') =>
    db.selectFrom(table).select(total).where('accountId', '=', p.accountId).where('binnedBy', 'is not', null);
  const inBin = sql<bigint>`${binned('Asset')} + ${binned('Upload')}`;
  const mine = holds.where('memberId', '=', p.memberId).where('expiresAt', '>', p.now);
  return db.selectNoFrom([
    sql<bigint>`${stored} + ${sent} + ${inBin}`.as('storedBytes'),
    inBin.as('binnedBytes'),
    sql<bigint>`${holds.select(total)}`.as('heldBytes'),
    sql<bigint>`coalesce(${db
      .selectFrom('StorageQuota')
      .select('bytes')
      .where('accountId', '=', p.accountId)}, ${sql.lit(STORAGE_LIMITS.quotaBytes)})`.as('quotaBytes'),
    sql<number>`${mine.select(sql`count(*)::int`.as('holds'))}`.as('sending'),
    sql<Date | null>`${mine.select(({ fn }) => fn.min('expiresAt').as('at'))}`.as('nextFreeAt'),
  ]);
});

/** What the account stores, what is held for files on their way, and its quota. */
export async function readStorageUse(ctx: Context<AccountActor>): Promise<StorageUse> {
  const { storedBytes, binnedBytes, heldBytes, quotaBytes } = await storageUse(ctx.kysely, {
    accountId: ctx.actor.accountId,
    memberId: '',
    now: ctx.clock.now(),
  });
  return { storedBytes, binnedBytes, heldBytes, quotaBytes };
}

async function storageUse(on: Executor, params: UseParams) {
  const use = await readUse.first(on, params);
  if (!use) throw new Error('a statement without a row');
  return use;
}

const lockAccount = prepared('storage.lock_account', (db, p: Params<{ accountId: string }>) =>
  db.selectNoFrom(
    sql`pg_advisory_xact_lock(hashtextextended('storage:' || ${p.accountId}::text, 0))`.as('locked'),
  ),
);

/**
 * Holds room for one file before its upload, counted exactly even with concurrent requests. The hold is removed when the file is recorded
 * (`takeHoldOrQuota`). After `expiresAt` the room stays taken until the store was asked (`settleHeldRoom`), because an unrecorded upload has
 * bytes too. `stem`: the file's pathname, or its beginning where the store adds a suffix. Errors: `conflict` (`storage-full`) when the
 * account's quota would be passed, `rate_limited` when the member is already sending too many files.
 */
export async function holdStorage(
  ctx: Context<MemberActor> | Context<AccountActor>,
  input: { stem: string; bytes: number; expiresAt: Date },
): Promise<{ holdId: string }> {
  const { accountId, memberId } = ctx.actor;
  const now = ctx.clock.now();
  const id = createId('storageHold', now);
  await transaction(ctx, async (tx) => {
    await lockAccount.run(tx, { accountId });
    const use = await storageUse(tx, { accountId, memberId, now });
    const bytes = BigInt(input.bytes);
    const refusal = judgeHold(use, bytes, now);
    if (refusal) throw refusal;
    await tx
      .insertInto('StorageHold')
      .values({
        id,
        accountId,
        memberId,
        stem: input.stem,
        bytes,
        createdAt: now,
        expiresAt: input.expiresAt,
      })
      .execute();
  });
  return { holdId: id };
}

export type SentFile = { accountId: string; pathname: string; bytes: number };

/** What the store or the service adds to a name that was granted: a suffix that nobody guesses, and the extension. */
export const ADDED_TO_STEM = '^(-[0-9A-Za-z]+)?(\\.[0-9A-Za-z]{2,5})?$';

/** The hold that best fits a file of the account: of the same name, and of at least as many bytes, with the least waste. */
const holdOf = (on: Transaction | Executor, { accountId, pathname, bytes }: SentFile) =>
  on
    .selectFrom('StorageHold as h')
    .select('h.id')
    .where('h.accountId', '=', accountId)
    .where('h.bytes', '>=', BigInt(bytes))
    .where(sql<boolean>`starts_with(${pathname}::text, ${sql.ref('h.stem')})`)
    .where(
      sql<boolean>`substr(${pathname}::text, length(${sql.ref('h.stem')}) + 1) ~ ${sql.lit(ADDED_TO_STEM)}`,
    )
    .orderBy('h.bytes')
    .orderBy('h.createdAt')
    .limit(1);

/**
 * For a file whose row this transaction has written: removes its hold, as its own bytes count from now on. Without a hold (a reused token, an
 * upload after the store was asked) it is counted against the quota, which it would otherwise escape. Errors: `conflict` (`storage-full`).
 */
export async function takeHoldOrQuota(
  tx: Transaction,
  input: SentFile & { memberId: string; now: Date },
): Promise<void> {
  const { accountId, memberId, now } = input;
  // Locked first: of two concurrent files of one token, only one takes the hold.
  const taken = await tx
    .deleteFrom('StorageHold')
    .where('id', '=', holdOf(tx, input).forUpdate())
    .returning('id')
    .executeTakeFirst();
  if (taken) return;
  await lockAccount.run(tx, { accountId });
  const use = await storageUse(tx, { accountId, memberId, now });
  if (use.storedBytes + use.heldBytes > use.quotaBytes) throw storageFull(use);
}

/** Removes the hold of a file that is not in the store. */
export async function releaseStorage(on: Transaction | Executor, file: SentFile): Promise<void> {
  await on.deleteFrom('StorageHold').where('id', '=', holdOf(on, file)).execute();
}

/** Why a measured file was deleted. */
type Refusal = { detail: string; message: string };

/**
 * For a refused and deleted file: ends its hold, so that its member may send another. Its room stays taken until the store was asked, as its
 * address may still be used; until then `findRefusal` returns the reason.
 */
export async function endHold(
  on: Transaction | Executor,
  file: SentFile & { now: Date; refusal?: Refusal },
): Promise<void> {
  const { pathname, refusal } = file;
  await on
    .updateTable('StorageHold')
    .set({ expiresAt: file.now, ...(refusal ? { refused: json({ pathname, ...refusal }) } : {}) })
    .where('id', '=', holdOf(on, file))
    .where('expiresAt', '>', file.now)
    .execute();
}

/** Why the file of this path was refused, of an account that had held room for it; null when it was not, or long ago. */
export async function findRefusal(
  on: Executor,
  { accountId, pathname }: { accountId: string; pathname: string },
): Promise<Refusal | null> {
  const row = await on
    .selectFrom('StorageHold')
    .select([
      sql<string>`"refused" ->> 'detail'`.as('detail'),
      sql<string>`"refused" ->> 'message'`.as('message'),
    ])
    .where('accountId', '=', accountId)
    .where(sql<boolean>`"refused" ->> 'pathname' = ${pathname}`)
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Claims the live hold of a name, so that one caller alone processes its file; null when there is none. Its room stays taken until the store
 * was asked. `giveBack` makes it claimable again, for a caller who could not go on.
 */
export async function claimHold(
  on: Executor,
  input: { accountId: string; memberId: string; stem: string; now: Date },
): Promise<{ giveBack(): Promise<void> } | null> {
  const { accountId, memberId, stem, now } = input;
  const row = await on
    .selectFrom('StorageHold')
    .select(['id', 'createdAt', 'expiresAt'])
    .where('accountId', '=', accountId)
    .where('memberId', '=', memberId)
    .where('stem', '=', stem)
    .where('expiresAt', '>', now)
    .executeTakeFirst();
  if (!row) return null;
  const { id, createdAt, expiresAt } = row;
  // Ended at its own beginning: another caller's clock may be slightly behind, and must not see `now` as future.
  const { numUpdatedRows } = await on
    .updateTable('StorageHold')
    .set({ expiresAt: createdAt })
    .where('id', '=', id)
    .where('expiresAt', '=', expiresAt)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return null;
  return {
    async giveBack() {
      await on.updateTable('StorageHold').set({ expiresAt }).where('id', '=', id).execute();
    },
  };
}
