import { closeRow, NotStored } from '../closing/close-generation.ts';
import { readRow } from '../closing/commit-closing.ts';
import { discardFolder } from '../closing/store-files.ts';
import type { StudioContext } from '../context.ts';
import type { Generation } from '../generation/generation.ts';
import { isOpen } from '../generation/states.ts';
import { displayedStatus, isOverdue } from '../generation/status.ts';
import type { DisplayedStatus } from '../generation/status-labels.ts';
import { type RenderReport, renderOutcome } from '../jobs/render-outcome.ts';
import { ADOPT_RUN_AFTER_MS } from '../limits.ts';
import { withRenderSpan } from '../telemetry.ts';

/**
 * `done` and `failed`: this callback closed the row. `told`: the row was closed before, with this status. `retry`: the launch
 * has not recorded its run yet, or the store does not answer. `rejected`: not this row's run.
 */
export type CallbackVerdict =
  | { result: 'done' | 'failed' | 'told'; status: DisplayedStatus; agrees: boolean }
  | { result: 'retry' }
  | { result: 'rejected'; reason: 'unknown-generation' | 'foreign-run' };

/**
 * Ends a render by the callback of its run, whose signature the door has verified. The first valid verdict wins; another one is
 * told what was recorded. A failed render's files are deleted at once.
 */
export async function handleRenderCallback(
  ctx: StudioContext,
  report: RenderReport,
): Promise<CallbackVerdict> {
  return withRenderSpan('studio.render.callback', () => handle(ctx, report));
}

async function handle(ctx: StudioContext, report: RenderReport): Promise<CallbackVerdict> {
  const row = await readRow(ctx, report.generationId);
  if (row?.kind !== 'RENDER') return reject(ctx, report, 'unknown-generation');
  const known = row.params.workflowRunId;
  if (known !== undefined && known !== report.runId) return reject(ctx, report, 'foreign-run');
  const now = ctx.clock.now();
  if (!isOpen(row.state) || row.chargePending) return told(ctx, row, report);
  const ageMs = now.getTime() - (row.startedAt ?? row.createdAt).getTime();
  // The launch may still be writing the run's number; a launch that died leaves its run to be adopted.
  if (row.state === 'STARTING' && ageMs < ADOPT_RUN_AFTER_MS) return { result: 'retry' };
  const { store } = ctx.studio;
  if (!store) return { result: 'retry' };
  if (isOverdue({ ...row, files: row.artifacts.length }, now)) return overdue(ctx, row, report);
  try {
    const outcome = await renderOutcome(store, row, report, now);
    const closed = await closeRow(ctx, row, outcome, 'callback');
    if (!closed.won) return told(ctx, closed.row, report);
    if (closed.row.state === 'FAILED')
      await discardFolder(ctx, closed.row, {
        by: 'render-callback',
        reason: closed.row.errorMessage ?? closed.row.code ?? 'failed',
      });
    const status = displayedStatus({ ...closed.row, files: closed.row.artifacts.length }, now);
    return { result: closed.row.state === 'FAILED' ? 'failed' : 'done', status, agrees: true };
  } catch (error) {
    if (error instanceof NotStored) return { result: 'retry' };
    throw error;
  }
}

/** After 100 minutes the clock has decided: the callback closes as the sweep would have. */
async function overdue(ctx: StudioContext, row: Generation, report: RenderReport): Promise<CallbackVerdict> {
  const closed = await closeRow(ctx, row, { result: 'failed', code: 'no-callback' }, 'callback');
  return told(ctx, closed.row, report);
}

function told(ctx: StudioContext, row: Generation, report: RenderReport): CallbackVerdict {
  const status = displayedStatus({ ...row, files: row.artifacts.length }, ctx.clock.now());
  const agrees = (status === 'done') === (report.status === 'success');
  return { result: 'told', status, agrees };
}

function reject(
  ctx: StudioContext,
  report: RenderReport,
  reason: 'unknown-generation' | 'foreign-run',
): CallbackVerdict {
  ctx.log.warn('render.callback.rejected', { generationId: report.generationId.slice(0, 40), reason });
  return { result: 'rejected', reason };
}
