import type { GenerationKind, GenerationState } from '#lib/db/generated/prisma/client.ts';
import { isOpenState } from '#lib/db/open-states.ts';
import { deadlineCode } from './failure-codes.ts';
import type { Generation } from './generation.ts';
import type { DisplayedStatus } from './status-labels.ts';

/** What the status is made of. */
export type StatusFacts = {
  kind: GenerationKind;
  state: GenerationState;
  code: string | null;
  /** Number of files stored. */
  files: number;
  deadlineAt: Date;
  filesDeletedAt: Date | null;
};

/** What the status of a row is made of. */
export function statusFacts(row: Generation): StatusFacts {
  return { ...row, files: row.artifacts.length };
}

/** The failure code to show: the row's own, or the one that the clock has already decided. Null when there is none. */
export function shownCode(row: StatusFacts, now: Date): string | null {
  if (row.state === 'FAILED') return row.code;
  return isOverdue(row, now) ? deadlineCode(row.kind) : null;
}

/** Open, without a file, past its deadline: whoever closes it next can only close it one way. */
export function isOverdue(row: StatusFacts, now: Date): boolean {
  return (
    isOpenState(row.state) && row.files === 0 && deadlineCode(row.kind) !== null && now >= row.deadlineAt
  );
}

/** The displayed status, from the row and the clock alone. */
export function displayedStatus(row: StatusFacts, now: Date): DisplayedStatus {
  if (row.filesDeletedAt !== null) return 'deleted';
  switch (row.state) {
    case 'COMPLETED':
      return 'done';
    case 'CANCELLED':
      return 'cancelled';
    case 'FAILED':
      return failedStatus(row.code);
    default:
      if (row.files > 0) return 'done';
      return isOverdue(row, now) ? failedStatus(deadlineCode(row.kind)) : 'running';
  }
}

function failedStatus(code: string | null): DisplayedStatus {
  return code === 'quota' || code === 'no-callback' ? code : 'failed';
}
