import type { JobAnswer } from './schemas.ts';

const SECONDS_OF_A_BLACKOUT_MS = 15_000;

/**
 * GitHub without minutes left fails every job within seconds, before its first step. A job that ran one step, or that took
 * longer, failed for a reason of its own.
 */
export function isBlackout(jobs: JobAnswer[]): boolean {
  return jobs.length > 0 && jobs.every(failedWithoutAStep);
}

function failedWithoutAStep(job: JobAnswer): boolean {
  if (job.conclusion !== 'failure' || (job.steps?.length ?? 0) > 0) return false;
  const startedMs = Date.parse(job.started_at ?? '');
  const completedMs = Date.parse(job.completed_at ?? '');
  // A job that never started has no times, or one that precedes the other.
  if (Number.isNaN(startedMs) || Number.isNaN(completedMs)) return true;
  return completedMs - startedMs <= SECONDS_OF_A_BLACKOUT_MS;
}
