import { isProviderJob } from '../generation/states.ts';
import type { Advanced } from '../lifecycle/advance-generation.ts';

/** The report of one pass (S-126). */
export type SweepReport = {
  /** Debits that waited and were written. */
  settled: number;
  /** Rows closed from the ledger, or refunded because nobody would finish them. */
  reconciled: number;
  /** Rows that could not be closed: retaken at the next pass. */
  errors: number;
  videoSettled: number;
  videoFailed: number;
  videoTimeout: number;
  videoPending: number;
};

/** A pass that has done nothing yet. */
export function emptyReport(): SweepReport {
  return {
    settled: 0,
    reconciled: 0,
    errors: 0,
    videoSettled: 0,
    videoFailed: 0,
    videoTimeout: 0,
    videoPending: 0,
  };
}

/** The report's counter for a due row; null when it was not due yet, or was closed by another. */
export function counterOf(advanced: Advanced): keyof SweepReport | null {
  const isJob = isProviderJob(advanced.row.kind);
  if (advanced.result === 'closed-by-another') return null;
  if (advanced.result === 'left') return isJob && advanced.because !== 'not-due' ? 'videoPending' : null;
  // Its file is delivered and its debit could not be written: nothing is settled yet.
  if (advanced.row.chargePending) return 'errors';
  switch (advanced.reason) {
    case 'charge-due':
      return 'settled';
    case 'reserve-closed':
    case 'abandoned':
      return 'reconciled';
    case 'deadline':
    case 'ended':
      if (!isJob) return 'reconciled';
      if (advanced.row.state !== 'FAILED') return 'videoSettled';
      return advanced.reason === 'deadline' ? 'videoTimeout' : 'videoFailed';
  }
}
