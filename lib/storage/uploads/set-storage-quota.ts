import { type Actor, hasPermission } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { changedMeanwhile, requireAsShown } from '#lib/core/input/as-shown.ts';
import type { Shown } from '#lib/core/input/shown-as.ts';
import { type Transaction, transaction } from '#lib/db/transaction.ts';
import { requireAccountLocked } from '#lib/ledger/budget/require-account.ts';

/** A pebibyte: past it somebody typed bytes where gigabytes were asked. */
const MAX_QUOTA_BYTES = 1024n ** 5n;

type QuotaInput = {
  accountId: string;
  bytes: bigint | null;
  /** By the form's name of it. */
  shown?: Shown | undefined;
};

/**
 * Sets what an account may store, in bytes; null: what everybody may. Lowering it below what is stored deletes nothing; files are
 * refused until there is room. The operator's founders and the shell; else `forbidden`. Other errors: `invalid_request`, `not_found`, `conflict`
 * once the account is being erased or when it is no longer as `shown`.
 */
export async function setStorageQuota(ctx: Context<Actor>, input: QuotaInput): Promise<void> {
  requireQuota(ctx, input);
  await transaction(ctx, (tx) => putStorageQuota(tx, ctx, input));
}

/** Throws `forbidden` for who may not set a quota, `invalid_request` for a negative one or one above a pebibyte. */
export function requireQuota(ctx: Context<Actor>, { bytes }: Pick<QuotaInput, 'bytes'>): void {
  if (!hasPermission(ctx.actor, 'service.operate')) throw new ServiceError('forbidden');
  if (bytes !== null && (bytes < 0n || bytes > MAX_QUOTA_BYTES))
    throw new ServiceError('invalid_request', {
      message: 'Le quota de fichiers est compris entre 0 et 1\u00a0048\u00a0576 Go.',
      problems: [{ field: 'gigabytes', message: 'Entre 0 et 1\u00a0048\u00a0576 Go.' }],
    });
}

/** Writes a quota that `requireQuota` let pass, within a transaction. Errors: `not_found`, `conflict`. */
export async function putStorageQuota(
  tx: Transaction,
  ctx: Context<Actor>,
  input: QuotaInput,
): Promise<void> {
  const { accountId, bytes } = input;
  await requireAccountLocked(tx, accountId);
  if (input.shown) await requireRoomAsShown(tx, ctx, input);
  if (bytes === null) await tx.deleteFrom('StorageQuota').where('accountId', '=', accountId).execute();
  else {
    const set = { bytes, updatedAt: ctx.clock.now() };
    await tx
      .insertInto('StorageQuota')
      .values({ accountId, ...set })
      .onConflict((conflict) => conflict.column('accountId').doUpdateSet(set))
      .execute();
  }
  await recordAudits(tx, ctx, [
    {
      action: 'account.storage_set',
      accountId,
      subject: { type: 'account', id: accountId },
      data: { bytes: bytes === null ? null : String(bytes) },
    },
  ]);
}

async function requireRoomAsShown(
  tx: Transaction,
  { clock }: Context<Actor>,
  { accountId, bytes, shown }: QuotaInput,
): Promise<void> {
  const before = await tx
    .selectFrom('StorageQuota')
    .select('bytes')
    .where('accountId', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  const what = 'Cette place a été changée';
  requireAsShown(shown, { gigabytes: { what, now: before?.bytes ?? null, next: bytes } });
  if (before || bytes === null) return;
  // There was no row to wait for: of two that come in the very moment, the second finds the first one's.
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('StorageQuota')
    .values({ accountId, bytes, updatedAt: clock.now() })
    .onConflict((conflict) => conflict.column('accountId').doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n) throw changedMeanwhile(what);
}
