import type { SystemActor } from '#lib/core/actor.ts';
import { createId } from '#lib/core/ids.ts';
import { sendSpendAlerts } from '#lib/ledger/spend-alert.ts';
import type { StudioContext } from '../context.ts';
import { withSpan } from '../telemetry.ts';
import { claimDue, type DueRow } from './claim-due.ts';
import { type SweptAs, sweepRow } from './sweep-row.ts';

/** The report of one pass (spec/studio, Cron reports). */
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

export type SweepOptions = {
  /** The pass stops claiming after this long; default four of the function's five minutes. */
  budgetMs?: number;
  /** Rows claimed at once, and rows worked on at once: the pass's memory is bounded by the second. */
  batch?: number;
  together?: number;
};

const COUNTED: ReadonlySet<SweptAs> = new Set<SweptAs>([
  'settled',
  'reconciled',
  'videoSettled',
  'videoFailed',
  'videoTimeout',
  'videoPending',
]);

/**
 * One pass over the open rows whose time has come. Several passes at once share the work; one that is cut leaves its rows to the
 * next. A row that fails is counted in `errors` and does not stop the others.
 */
export async function sweepGenerations(
  ctx: StudioContext<SystemActor>,
  options: SweepOptions = {},
): Promise<SweepReport> {
  return withSpan(
    'studio.sweep',
    {},
    () => pass(ctx, options),
    ({ settled, reconciled, errors }) => ({ settled, reconciled, errors }),
  );
}

async function pass(ctx: StudioContext<SystemActor>, options: SweepOptions): Promise<SweepReport> {
  const { budgetMs = 240_000, batch = 50, together = 4 } = options;
  const startedAt = ctx.clock.now();
  const report: SweepReport = {
    settled: 0,
    reconciled: 0,
    errors: 0,
    videoSettled: 0,
    videoFailed: 0,
    videoTimeout: 0,
    videoPending: 0,
  };
  let complete = false;
  while (ctx.clock.now().getTime() - startedAt.getTime() < budgetMs) {
    const due = await claimDue(ctx, batch);
    await workThrough(ctx, due, together, report);
    if (due.length < batch) {
      complete = true;
      break;
    }
  }
  await sendSpendAlerts(ctx, { mail: ctx.studio.mailSpendAlert }).catch(() => undefined);
  ctx.log.info('cron.sweep.done', { ...report, complete });
  await ctx.sql
    .rows(
      'studio.sweep_run',
      `INSERT INTO "CronRun" ("id", "job", "startedAt", "finishedAt", "complete", "report") VALUES ($1, 'generations-sweep', $2, $3, $4, $5)`,
      [createId('cronRun', startedAt), startedAt, ctx.clock.now(), complete, JSON.stringify(report)],
    )
    .catch(() => undefined);
  return report;
}

async function workThrough(
  ctx: StudioContext<SystemActor>,
  due: DueRow[],
  together: number,
  report: SweepReport,
): Promise<void> {
  const queue = [...due];
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      try {
        const as = await sweepRow(ctx, next);
        if (COUNTED.has(as)) report[as as keyof SweepReport] += 1;
      } catch (error) {
        report.errors += 1;
        ctx.log.error('generation.sweep_failed', {
          generationId: next.row.id,
          error: error instanceof Error ? error.name : 'unknown',
        });
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(together, due.length) }, worker));
}
