import { isOpenState } from '#lib/db/open-states.ts';
import { generation as sentences } from '#lib/messages/studio.ts';
import type { JobStatus, ProviderFailure, RenderStatus } from '#lib/providers/ports.ts';
import { deadlineCode } from '../generation/failure-codes.ts';
import type { Generation } from '../generation/generation.ts';
import type { Ending, Failed, Outcome } from '../generation/outcome.ts';
import type { Artifact } from '../generation/params.ts';
import { isProviderJob } from '../generation/states.ts';
import { isOverdue, statusFacts } from '../generation/status.ts';
import { failedJob } from '../jobs/job-outcome.ts';
import type { JobCompleted } from '../jobs/read-status.ts';
import type { RenderReport } from '../jobs/render-outcome.ts';
import { ADOPT_RUN_AFTER_MS, SETTLE_AFTER_MS } from '../limits.ts';

/** How the ledger closed a row's reserve. */
export type ClosedReserve = { kind: 'SETTLE' | 'REFUND'; amountMicros: bigint };

/** What happens to a row: a visit, or the answer to what the last decision asked for. */
export type Event =
  /** A verified webhook, or a reader. */
  | { type: 'visit' }
  /** A caller that found the reserve closed in the ledger. */
  | { type: 'reserve-closed'; reserve: ClosedReserve }
  /** The sweep, with how the ledger closed the reserve, if it did. */
  | { type: 'due'; reserve: ClosedReserve | null }
  /** A signed callback of a render's run. */
  | { type: 'callback'; report: RenderReport }
  /** The request's own work ended. */
  | { type: 'outcome'; outcome: Outcome }
  /** The status of a job, as its provider reports it. */
  | { type: 'job-status'; status: JobStatus<JobCompleted> }
  /** The job's file was fetched and measured, or refused. */
  | { type: 'job-outcome'; outcome: Outcome }
  /** The run's files were read. */
  | { type: 'run-outcome'; outcome: Outcome }
  /** The status of a run, as the CI reports it. */
  | { type: 'run-status'; runId: string; status: RenderStatus | ProviderFailure }
  /** What the store holds of the row. */
  | { type: 'stored-files'; files: Artifact[] }
  /** The effect got no answer this time. */
  | { type: 'no-answer'; reason: string };

/** Why a row stays as it is. */
export type Left =
  | 'closed'
  /** Delivered, with its debit pending: only the sweep writes it. */
  | 'charge-pending'
  | 'not-due'
  | 'running'
  /** Its launch may still be recording the run. */
  | 'starting'
  /** The callback of another run. */
  | 'foreign-run'
  /** The provider, the runner or our store did not answer: ask again later. */
  | 'no-answer';

/** What is done next. */
export type Decision =
  | { next: 'leave'; because: Left }
  | {
      next: 'close';
      ending: Ending;
      reason: ClosingReason;
      /** Why the files published by the row's run are deleted. */
      discard?: string;
    }
  | { next: 'ask-provider' }
  | { next: 'ask-runner'; runId: string }
  | { next: 'fetch-result'; status: JobCompleted }
  | { next: 'read-run'; report: RenderReport }
  | { next: 'search-store' };

/** The most effects between an event and a final decision: the provider is asked, then its file is fetched. */
export const MAX_EFFECTS = 2;

/** Why a row is closed: the ledger had closed its reserve, its debit waited, its time was up, nobody else would, or it ended. */
export type ClosingReason = 'reserve-closed' | 'charge-due' | 'deadline' | 'abandoned' | 'ended';

const leave = (because: Left): Decision => ({ next: 'leave', because });
const close = (reason: ClosingReason, ending: Ending, discard?: string): Decision => ({
  next: 'close',
  reason,
  ending,
  ...(discard === undefined ? {} : { discard }),
});

/** The process that ran the request is gone. */
const INTERRUPTED: Failed = {
  result: 'failed',
  code: 'internal-error',
  message: sentences.interrupted,
  errorMessage: 'the process that ran it is gone',
};

/**
 * The transition table: from a row and an event, its next state or the information needed first. Pure. Webhook, reader, callback, sweep and
 * request all use it, and only `closeGeneration` writes what it decides.
 */
export function decide(row: Generation, event: Event, now: Date): Decision {
  if (event.type === 'callback') {
    const { workflowRunId } = row.params;
    if (workflowRunId !== undefined && workflowRunId !== event.report.runId) return leave('foreign-run');
  }
  if (!isOpenState(row.state)) return leave('closed');
  if (event.type === 'reserve-closed') return followLedger(event.reserve);
  if (event.type === 'due') return event.reserve ? followLedger(event.reserve) : decideDue(row, now);
  if (row.chargePending) return leave('charge-pending');
  switch (event.type) {
    case 'visit':
      return isLate(row, now) ? timeIsUp(row) : { next: 'ask-provider' };
    case 'callback':
      return decideCallback(row, event.report, now);
    case 'outcome':
      return close('ended', event.outcome);
    case 'job-outcome':
      return inTime(row, close('ended', event.outcome), now);
    case 'run-outcome':
      if (!isLate(row, now)) return endedRun(event.outcome);
      return timeIsUp(row, event.outcome.result === 'delivered' ? sentences.noCallbackPublished : undefined);
    case 'job-status':
      return inTime(row, decideJob(event.status), now);
    case 'run-status':
      return inTime(row, decideRun(event.runId, event.status), now);
    case 'stored-files':
      return decideStored(row, event.files);
    case 'no-answer':
      return leave('no-answer');
  }
}

const isLate = (row: Generation, now: Date) => isOverdue(statusFacts(row), now);
const ageMs = (row: Generation, now: Date) => now.getTime() - (row.startedAt ?? row.createdAt).getTime();
const isYoung = (row: Generation, now: Date) => ageMs(row, now) < SETTLE_AFTER_MS;

function timeIsUp(row: Generation, message?: string): Decision {
  const code = deadlineCode(row.kind) ?? 'internal-error';
  return close('deadline', { result: 'failed', code, ...(message ? { message } : {}) });
}

/**
 * The decision from an answer about a job or run, unless its deadline passed while it was awaited: readers were then told that it is refunded,
 * and may have sent the request again.
 */
function inTime(row: Generation, decision: Decision, now: Date): Decision {
  return decision.next !== 'leave' && isLate(row, now) ? timeIsUp(row) : decision;
}

/** The ledger is authoritative: a debit completes the row at its amount, a refund fails it. */
function followLedger(reserve: ClosedReserve): Decision {
  return close(
    'reserve-closed',
    reserve.kind === 'SETTLE' ? { result: 'charged', amountMicros: reserve.amountMicros } : INTERRUPTED,
  );
}

/** The decision for a due row with an open reserve, from the row, then the store, then the provider. */
function decideDue(row: Generation, now: Date): Decision {
  if (row.chargePending) {
    if (isYoung(row, now)) return leave('not-due');
    const pending = row.params.pendingCostMicros;
    return pending === undefined
      ? estimated(row, row.artifacts)
      : close('charge-due', {
          result: 'charge-due',
          costMicros: BigInt(pending),
          from: 'pending-cost',
          artifacts: row.artifacts,
        });
  }
  if (isProviderJob(row.kind)) {
    if (row.providerOperation) return isLate(row, now) ? timeIsUp(row) : { next: 'ask-provider' };
    return isYoung(row, now) ? leave('running') : close('ended', { result: 'failed', code: 'orphaned' });
  }
  if (row.kind === 'RENDER') {
    if (isLate(row, now)) return { next: 'search-store' };
    const { workflowRunId } = row.params;
    return workflowRunId ? { next: 'ask-runner', runId: workflowRunId } : leave('running');
  }
  if (isYoung(row, now)) return leave('not-due');
  return row.artifacts.length > 0 ? estimated(row, row.artifacts) : { next: 'search-store' };
}

/** Completes a stored file whose cost is unknown: debits the held amount, or the asked model's own price where the reserve covered a dearer one. */
function estimated(row: Generation, artifacts: Artifact[]): Decision {
  const { expectedMicros } = row.params;
  const ran = expectedMicros === undefined ? row.heldMicros : BigInt(expectedMicros);
  return close('charge-due', {
    result: 'charge-due',
    costMicros: ran < row.heldMicros ? ran : row.heldMicros,
    from: 'estimate',
    artifacts,
  });
}

/** A render past its deadline, or a request that died: decided by its files in the store. */
function decideStored(row: Generation, files: Artifact[]): Decision {
  if (row.kind === 'RENDER')
    return timeIsUp(row, files.length > 0 ? sentences.noCallbackPublished : undefined);
  return files.length > 0 ? estimated(row, files) : close('abandoned', INTERRUPTED);
}

function decideJob(status: JobStatus<JobCompleted>): Decision {
  switch (status.outcome) {
    case 'pending':
      return leave('running');
    case 'failed':
      return leave('no-answer');
    case 'job-failed':
      return close('ended', failedJob(status));
    case 'completed':
      return { next: 'fetch-result', status };
  }
}

function decideCallback(row: Generation, report: RenderReport, now: Date): Decision {
  // The launch may still be writing the run's number; a launch that died leaves its run to be adopted.
  if (row.state === 'STARTING' && ageMs(row, now) < ADOPT_RUN_AFTER_MS) return leave('starting');
  return isLate(row, now) ? timeIsUp(row) : { next: 'read-run', report };
}

/** Deletes immediately the files published by a failed run. */
function endedRun(outcome: Outcome): Decision {
  if (outcome.result === 'delivered') return close('ended', outcome);
  return close('ended', outcome, outcome.errorMessage ?? outcome.code);
}

function decideRun(runId: string, status: RenderStatus | ProviderFailure): Decision {
  if (status.outcome === 'failed') return leave('no-answer');
  if (status.outcome !== 'run-failed') return leave('running');
  const failure: Failed = status.blackout
    ? { result: 'failed', code: 'quota', errorMessage: `run ${runId}: ${status.conclusion}, no step` }
    : {
        result: 'failed',
        code: 'provider-failure',
        message: sentences.renderFailed,
        errorMessage: `run ${runId}: ${status.conclusion}`,
      };
  return close('ended', failure, `run ${status.conclusion}`);
}
