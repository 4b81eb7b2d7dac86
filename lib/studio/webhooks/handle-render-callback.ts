import type { StudioContext } from '../context.ts';
import { readRow } from '../generation/find-generation.ts';
import type { Generation } from '../generation/generation.ts';
import { displayedStatus, statusFacts } from '../generation/status.ts';
import type { DisplayedStatus } from '../generation/status-labels.ts';
import type { RenderReport } from '../jobs/render-outcome.ts';
import { advanceGeneration } from '../lifecycle/advance-generation.ts';
import { withRenderSpan } from '../telemetry.ts';

/**
 * `done` and `failed`: this callback closed the row. `decided`: the row was closed before, or by the clock, with this status.
 * `retry`: the launch has not recorded its run yet, or the store does not answer. `rejected`: not this row's run.
 */
type CallbackVerdict =
  | { result: 'done' | 'failed' | 'decided'; status: DisplayedStatus; agrees: boolean }
  | { result: 'retry' }
  | { result: 'rejected'; reason: 'unknown-generation' | 'foreign-run' };

/**
 * Ends a render by its run's verified callback. The first valid verdict is recorded; a later one is answered with it. A failed render's files
 * are deleted immediately.
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
  const advanced = await advanceGeneration(ctx, row, { type: 'callback', report }, 'callback');
  if (advanced.result === 'left') {
    if (advanced.because === 'foreign-run') return reject(ctx, report, 'foreign-run');
    if (advanced.because === 'starting' || advanced.because === 'no-answer') return { result: 'retry' };
    return decided(ctx, advanced.row, report);
  }
  if (advanced.result === 'closed-by-another' || advanced.reason === 'deadline')
    return decided(ctx, advanced.row, report);
  const status = statusOf(ctx, advanced.row);
  return { result: advanced.row.state === 'FAILED' ? 'failed' : 'done', status, agrees: true };
}

const statusOf = (ctx: StudioContext, row: Generation) => displayedStatus(statusFacts(row), ctx.clock.now());

function decided(ctx: StudioContext, row: Generation, report: RenderReport): CallbackVerdict {
  const status = statusOf(ctx, row);
  return { result: 'decided', status, agrees: (status === 'done') === (report.status === 'success') };
}

function reject(
  ctx: StudioContext,
  report: RenderReport,
  reason: 'unknown-generation' | 'foreign-run',
): CallbackVerdict {
  ctx.log.warn('render.callback.rejected', { generationId: report.generationId.slice(0, 40), reason });
  return { result: 'rejected', reason };
}
