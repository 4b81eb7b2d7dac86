import { sql } from 'kysely';
import type { AccountActor, MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { createId } from '#lib/core/ids.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { transaction } from '#lib/db/transaction.ts';
import type { Executor, Transaction } from '#lib/db/types.ts';
import { judgeHold, STORAGE_LIMITS, type StorageUse, storageFull } from './judge-hold.ts';

type UseParams = { accountId: string; memberId: string; now: Date };

const readUse = prepared('storage.use', (db, p: Params<UseParams>) => {
  const total = sql<bigint>`coalesce(sum("bytes"), 0)::bigint`.as('bytes');
  const holds = db
    .selectFrom('StorageHold')
    .where('accountId', '=', p.accountId)
    .where('expiresAt', '>', p.now);
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
  const mine = holds.where('memberId', '=', p.memberId);
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
 * Holds room for one file before its bytes come: exactly counted, however many ask at once. The hold ends when the file is recorded
 * (`releaseStorage`) or at `expiresAt`. `stem`: how the file's pathname begins. Errors: `conflict` (`storage-full`) when the account's quota
 * would be passed, `rate_limited` when the member is sending too many files already.
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
    await tx
      .deleteFrom('StorageHold')
      .where('accountId', '=', accountId)
      .where('expiresAt', '<=', now)
      .execute();
  });
  return { holdId: id };
}

const findHold = prepared(
  'storage.living_hold',
  (db, p: Params<{ accountId: string; memberId: string; pathname: string; now: Date }>) =>
    db
      .selectFrom('StorageHold')
      .select('id')
      .where('accountId', '=', p.accountId)
      .where('memberId', '=', p.memberId)
      .where('expiresAt', '>', p.now)
      .where(sql<boolean>`starts_with(${p.pathname}::text, ${sql.ref('stem')})`)
      .limit(sql.lit(1)),
);

/**
 * Of a file whose row this transaction has written: nothing while its hold lives. Once its time is over, its room was others' to take, and
 * it is counted anew: files told of late, together, would else pass the quota. Errors: `conflict` (`storage-full`).
 */
export async function requireHoldOrQuota(
  tx: Transaction,
  input: { accountId: string; memberId: string; pathname: string; now: Date },
): Promise<void> {
  const { accountId, memberId, pathname, now } = input;
  if (await findHold.first(tx, { accountId, memberId, pathname, now })) return;
  await lockAccount.run(tx, { accountId });
  const use = await storageUse(tx, { accountId, memberId, now });
  if (use.storedBytes + use.heldBytes > use.quotaBytes) throw storageFull(use);
}

/** Ends the hold of a file that is recorded now: its own bytes count from here on. One hold: the longest name that its own begins with, then the oldest. */
export async function releaseStorage(
  on: Transaction | Executor,
  input: { accountId: string; memberId: string; pathname: string },
): Promise<void> {
  await on
    .deleteFrom('StorageHold')
    .where('id', '=', (eb) =>
      eb
        .selectFrom('StorageHold as h')
        .select('h.id')
        .where('h.accountId', '=', input.accountId)
        .where('h.memberId', '=', input.memberId)
        .where(sql<boolean>`starts_with(${input.pathname}, ${sql.ref('h.stem')})`)
        .orderBy(sql`length(${sql.ref('h.stem')})`, 'desc')
        .orderBy('h.createdAt')
        .limit(1),
    )
    .execute();
}

/**
 * Takes the living hold of this very name, so that one caller alone goes on with its file; null when there is none (any more).
 * `giveBack` puts it there again, for who could not.
 */
export async function claimHold(
  on: Executor,
  input: { accountId: string; memberId: string; stem: string },
): Promise<{ giveBack(): Promise<void> } | null> {
  const row = await on
    .deleteFrom('StorageHold')
    .where('accountId', '=', input.accountId)
    .where('memberId', '=', input.memberId)
    .where('stem', '=', input.stem)
    .returningAll()
    .executeTakeFirst();
  if (!row) return null;
  return {
    async giveBack() {
      await on
        .insertInto('StorageHold')
        .values({ ...row, bytes: BigInt(row.bytes) })
        .execute();
    },
  };
}
