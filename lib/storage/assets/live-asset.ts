import { type Params, prepared } from '#lib/db/prepared.ts';
import type { Transaction } from '#lib/db/types.ts';
import { fileGone } from '../refusals.ts';

const lock = prepared('storage.lock_asset', (db, p: Params<{ assetId: string; accountId: string }>) =>
  db
    .selectFrom('Asset')
    .select(['id', 'productId', 'generationId', 'type', 'state', 'pathname', 'conceptId', 'imported'])
    .select(['reviewedAt', 'reviewedBy'])
    .where('id', '=', p.assetId)
    .where('accountId', '=', p.accountId)
    .where('deletedAt', 'is', null)
    .where('expiringAt', 'is', null)
    .forUpdate(),
);

/** Locks a file of the account that is still there; `not_found` when it was deleted, is being deleted, or is a stranger's. */
export async function lockLiveAsset(tx: Transaction, accountId: string, assetId: string) {
  const asset = await lock.first(tx, { assetId, accountId });
  if (!asset) throw fileGone(assetId);
  return asset;
}
