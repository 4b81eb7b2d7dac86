import { generation as sentences } from '#lib/messages/studio.ts';
import { audit, type Closed, closeRow, completeFromLedger, finish } from '../closing/close-generation.ts';
import { recoveredFacts, storedArtifacts } from '../closing/recover-files.ts';
import { discardFolder, listFolder } from '../closing/store-files.ts';
import type { StudioContext } from '../context.ts';
import type { Generation } from '../generation/generation.ts';
import type { Failed } from '../generation/outcome.ts';
import { isProviderJob } from '../generation/states.ts';
import { isOverdue } from '../generation/status.ts';
import { settleJob } from '../lifecycle/settle-job.ts';
import { SETTLE_AFTER_MS } from '../limits.ts';
import type { DueRow } from './claim-due.ts';

/**
 * What became of a due row. `settled`: a debit that waited was written; `reconciled`: closed otherwise (from the ledger, or
 * refunded); the four `video…`: a job; `waiting`: nothing to do yet; `elsewhere`: another closer was faster.
 */
export type SweptAs =
  | 'settled'
  | 'reconciled'
  | 'videoSettled'
  | 'videoFailed'
  | 'videoTimeout'
  | 'videoPending'
  | 'waiting'
  | 'elsewhere';

const counted = (closed: Closed, as: SweptAs): SweptAs => (closed.won ? as : 'elsewhere');

/** Finishes one due row, by what the ledger, the row, the store and the provider say, in that order. */
export async function sweepRow(ctx: StudioContext, { row, ledger }: DueRow): Promise<SweptAs> {
  if (ledger?.kind === 'SETTLE') {
    const { amountMicros } = ledger;
    return counted(await completeFromLedger(ctx, row, { amountMicros, closedBy: 'sweep' }), 'reconciled');
  }
  if (ledger?.kind === 'REFUND') return counted(await abandon(ctx, row), 'reconciled');
  if (row.chargePending) return settlePending(ctx, row);
  if (isProviderJob(row.kind)) return sweepJob(ctx, row);
  if (row.kind === 'RENDER') return sweepRender(ctx, row);
  return sweepLeftover(ctx, row);
}

function ageMs(ctx: StudioContext, row: Generation): number {
  return ctx.clock.now().getTime() - (row.startedAt ?? row.createdAt).getTime();
}

/** The member has the file; the debit that could not be written is written now. */
async function settlePending(ctx: StudioContext, row: Generation): Promise<SweptAs> {
  if (ageMs(ctx, row) < SETTLE_AFTER_MS) return 'waiting';
  const pending = row.params.pendingCostMicros;
  const costMicros = pending === undefined ? row.heldMicros : BigInt(pending);
  return counted(
    await settleFound(ctx, row, costMicros, pending === undefined ? 'estimate' : 'pending-cost'),
    'settled',
  );
}

async function settleFound(
  ctx: StudioContext,
  row: Generation,
  costMicros: bigint,
  from: 'pending-cost' | 'estimate',
  artifacts = row.artifacts,
): Promise<Closed> {
  return finish(ctx, row, {
    state: 'COMPLETED',
    chargePending: row.chargePending,
    closedBy: 'sweep',
    costMicros,
    artifacts,
    facts: recoveredFacts(row, artifacts),
    audits: [audit(row, 'generation.reconciled', { from, costMicros: costMicros.toString() })],
  });
}

async function sweepJob(ctx: StudioContext, row: Generation): Promise<SweptAs> {
  if (!row.providerOperation) {
    if (ageMs(ctx, row) < SETTLE_AFTER_MS) return 'videoPending';
    return counted(await closeRow(ctx, row, { result: 'failed', code: 'orphaned' }, 'sweep'), 'videoFailed');
  }
  const look = await settleJob(ctx, row, 'sweep');
  const as = {
    settled: 'videoSettled',
    failed: 'videoFailed',
    timeout: 'videoTimeout',
    pending: 'videoPending',
    elsewhere: 'elsewhere',
  } as const;
  return as[look.result];
}

async function sweepRender(ctx: StudioContext, row: Generation): Promise<SweptAs> {
  if (isOverdue({ ...row, files: row.artifacts.length }, ctx.clock.now())) {
    const published = ctx.studio.store ? await listFolder(ctx.studio.store, row.id) : [];
    const outcome: Failed = {
      result: 'failed',
      code: 'no-callback',
      ...(published.length > 0 ? { message: sentences.noCallbackPublished } : {}),
    };
    return counted(await closeRow(ctx, row, outcome, 'sweep'), 'reconciled');
  }
  const runId = row.params.workflowRunId;
  if (!runId) return 'waiting';
  const status = await ctx.studio.providers.render.status(runId);
  if (status.outcome !== 'run-failed') return 'waiting';
  const outcome: Failed = status.blackout
    ? { result: 'failed', code: 'quota', errorMessage: `run ${runId}: ${status.conclusion}, no step` }
    : {
        result: 'failed',
        code: 'provider-failure',
        message: sentences.renderFailed,
        errorMessage: `run ${runId}: ${status.conclusion}`,
      };
  const closed = await closeRow(ctx, row, outcome, 'sweep');
  if (closed.won && closed.row.state === 'FAILED')
    await discardFolder(ctx, row, { by: 'sweep', reason: `run ${status.conclusion}` });
  return counted(closed, 'reconciled');
}

/** A synchronous row whose request died: settled at its estimate when its file was stored, else refunded. */
async function sweepLeftover(ctx: StudioContext, row: Generation): Promise<SweptAs> {
  if (ageMs(ctx, row) < SETTLE_AFTER_MS) return 'waiting';
  const artifacts = row.artifacts.length > 0 ? row.artifacts : await storedArtifacts(ctx, row);
  if (artifacts.length > 0)
    return counted(await settleFound(ctx, row, row.heldMicros, 'estimate', artifacts), 'settled');
  return counted(await abandon(ctx, row), 'reconciled');
}

function abandon(ctx: StudioContext, row: Generation): Promise<Closed> {
  const outcome: Failed = {
    result: 'failed',
    code: 'internal-error',
    message: sentences.interrupted,
    errorMessage: 'the process that ran it is gone',
  };
  return closeRow(ctx, row, outcome, 'sweep');
}
