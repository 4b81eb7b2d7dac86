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
  /**
   * Why nothing at all was looked at. `copy`: the store is that of a service at another address, whose database this one is a copy of, and
   * somebody has to look. `marked`: it was just marked as this service's, and the next pass begins.
   */
  withheld?: 'copy' | 'marked';
  /** Somebody asked for this pass alone: it is not the night, whose other work it does not do. */
  byHand?: true;
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
