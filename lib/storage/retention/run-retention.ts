import { SpanStatusCode, trace } from '@opentelemetry/api';
import { faultLabel } from '#lib/core/faults.ts';
import { createId } from '#lib/core/ids.ts';
import type { FilesContext } from '../context.ts';
import { type FileFacts, type KeepReason, keepReason, retentionCutoff } from '../keep-reason.ts';
import { BATCH, countKeptByIndex, expireAssets } from './assets.ts';
import { createBudget, PASS_MS, STORE_CALL_MS } from './budget.ts';
import { releaseLease, saveCursor, takeLease } from './cursor.ts';
import { expireOrphans } from './orphans.ts';
import type { Pass } from './pass.ts';
import { emptyReport, type RetentionOutcome, type RetentionReport } from './report.ts';
import { settleOwner } from './store-owner.ts';
import { expireUploads } from './uploads.ts';

export type RetentionOptions = {
  /** Time of the pass; 4 minutes. */
  budgetMs?: number;
  /** A clock that only goes forward, in milliseconds; the process's own. */
  elapsedMs?: () => number;
  /** How long one call to the store may take; 15 seconds. */
  storeCallMs?: number;
  /** Rows decided about in one transaction (500), objects listed at once (1000). */
  batch?: number;
  page?: number;
  /** Marks the store anew as this service's: whoever asks for it knows that no other uses it. */
  ownStore?: boolean;
  /** The rule that decides; tests give broken ones to see them caught. */
  rule?: (facts: FileFacts, now: Date) => KeepReason | null;
};

/**
 * The nightly pass over files (S-71 to S-78): old files and uploads that nobody keeps, then the store's objects
 * that no row names. Never touches a cost, parameters or a ledger line. Cut anywhere, or out of time, it resumes where it was.
 * Without a file store nothing is touched; a second pass at once does nothing.
 */
export async function runRetention(
  ctx: FilesContext,
  options: RetentionOptions = {},
): Promise<RetentionOutcome> {
  return trace.getTracer('atelier.studio').startActiveSpan('studio.retention', async (span) => {
    try {
      const outcome = await run(ctx, options);
      if ('skipped' in outcome) span.setAttribute('studio.outcome', outcome.skipped);
      else {
        span.setAttribute('studio.outcome', outcome.complete ? 'complete' : 'interrupted');
        span.setAttribute('studio.errors', outcome.files.failed + outcome.orphans.failed);
      }
      return outcome;
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: faultLabel(error) });
      throw error;
    } finally {
      span.end();
    }
  });
}

async function run(ctx: FilesContext, options: RetentionOptions): Promise<RetentionOutcome> {
  const { store } = ctx.files;
  if (!store) {
    ctx.log.info('cron.retention.done', { skipped: 'no-blob-store' });
    return { skipped: 'no-blob-store' };
  }
  const lease = await takeLease(ctx);
  if (!lease) {
    ctx.log.info('cron.retention.done', { skipped: 'already-running' });
    return { skipped: 'already-running' };
  }
  const now = ctx.clock.now();
  const pass: Pass = {
    ctx,
    store,
    cursor: lease.cursor,
    now,
    cutoff: retentionCutoff(now),
    report: emptyReport(),
    changed: new Set(),
    budget: createBudget({
      budgetMs: options.budgetMs ?? PASS_MS,
      elapsedMs: options.elapsedMs ?? (() => performance.now()),
      storeCallMs: options.storeCallMs ?? STORE_CALL_MS,
      stopping: ctx.stopping,
      isLeaseOver: () => ctx.clock.now() >= lease.until,
    }),
    batch: options.batch ?? BATCH,
    page: options.page ?? 1000,
    ownStore: options.ownStore ?? false,
    standing: 'unknown',
    rule: options.rule ?? keepReason,
  };
  const runId = createId('cronRun', now);
  const byHand = ctx.actor.type === 'system' ? {} : { byHand: true as const };
  Object.assign(pass.report, byHand);
  try {
    await ctx.kysely
      .insertInto('CronRun')
      .values({ id: runId, job: 'retention', startedAt: now, report: JSON.stringify(byHand) })
      .execute();
    pass.standing = await settleOwner(pass);
    if (pass.standing === 'own' || pass.standing === 'other') await expireAll(pass);
  } finally {
    await releaseLease(ctx, lease).catch(() => undefined);
  }
  const { report } = pass;
  await ctx.kysely
    .updateTable('CronRun')
    .set({ finishedAt: ctx.clock.now(), complete: report.complete, report: JSON.stringify(report) })
    .where('id', '=', runId)
    .execute();
  logDone(ctx, report);
  return report;
}

/** Files of rows, uploads, then what no row names: from where the pass before this one was. */
async function expireAll(pass: Pass): Promise<void> {
  const { ctx, report } = pass;
  const settled = await countKeptByIndex(ctx.kysely, pass.cutoff);
  report.assets.kept.recent += settled.recent;
  report.assets.kept.status += settled.status;
  if (pass.cursor.phase === 'assets') await expireAssets(pass);
  if (pass.cursor.phase === 'uploads') await expireUploads(pass);
  if (pass.cursor.phase === 'orphans') await expireOrphans(pass);
  if (report.complete) await saveCursor(ctx.kysely, ctx, null);
}

function logDone(ctx: FilesContext, report: RetentionReport): void {
  ctx.log.info('cron.retention.done', {
    assetsExpired: report.assets.expired,
    ...Object.fromEntries(
      Object.entries(report.assets.kept)
        .filter(([, count]) => count > 0)
        .map(([reason, count]) => [`kept.${reason}`, count]),
    ),
    uploads: report.uploads,
    filesRemoved: report.files.removed,
    filesFailed: report.files.failed,
    orphansScanned: report.orphans.scanned,
    orphansExpired: report.orphans.expired,
    orphansFailed: report.orphans.failed,
    ...(report.orphansRefused ? { orphansRefused: true } : {}),
    ...(report.withheld ? { withheld: report.withheld } : {}),
    complete: report.complete,
  });
}
