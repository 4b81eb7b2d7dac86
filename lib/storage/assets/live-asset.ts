import type { SqlTransaction } from '#lib/db/connection.ts';
import type { AssetState, AssetType } from '#lib/db/generated/prisma/client.ts';
import { fileGone } from '../refusals.ts';

export type LiveAsset = {
  id: string;
  productId: string;
  generationId: string | null;
  type: AssetType;
  state: AssetState;
  pathname: string;
  conceptId: string | null;
};

/** Locks a file of the account that is still there; `not_found` when it was deleted, is being deleted, or is a stranger's. */
export async function lockLiveAsset(
  tx: SqlTransaction,
  accountId: string,
  assetId: string,
): Promise<LiveAsset> {
  const [asset] = await tx.rows<LiveAsset>(
    'storage.lock_asset',
    `SELECT "id", "productId", "generationId", "type", "state", "pathname", "conceptId" FROM "Asset"
     WHERE "id" = $1 AND "accountId" = $2 AND "deletedAt" IS NULL AND "expiringAt" IS NULL FOR UPDATE`,
    [assetId, accountId],
  );
  if (!asset) throw fileGone(assetId);
  return asset;
}
