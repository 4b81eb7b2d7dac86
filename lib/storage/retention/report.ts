import { ASSET_KEEP_REASONS, type AssetKeepReason } from '../keep-reason.ts';

/** What one pass saw and did (S-67 to S-70). */
export type RetentionReport = {
  assets: { expired: number; kept: Record<AssetKeepReason, number> };
  /** Uploads whose row and bytes went. */
  uploads: number;
  /** Bytes of assets and uploads: deleted, or refused by the store and left for the next pass. */
  files: { removed: number; failed: number };
  /** Objects of the store that no row names. */
  orphans: { scanned: number; expired: number; failed: number };
  /** The store is marked as another database's: none of them was deleted, and somebody has to look. */
  orphansRefused?: true;
  /** False: the pass used its time, or the store stopped answering; the next night resumes. */
  complete: boolean;
};

export type RetentionOutcome = RetentionReport | { skipped: 'no-blob-store' | 'already-running' };

/** What a pass tells before it looked at anything. */
export function emptyReport(): RetentionReport {
  return {
    assets: {
      expired: 0,
      kept: Object.fromEntries(ASSET_KEEP_REASONS.map((reason) => [reason, 0])) as Record<
        AssetKeepReason,
        number
      >,
    },
    uploads: 0,
    files: { removed: 0, failed: 0 },
    orphans: { scanned: 0, expired: 0, failed: 0 },
    complete: false,
  };
}
