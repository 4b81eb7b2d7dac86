import type { SystemActor } from '#lib/core/actor.ts';
import { faultFields } from '#lib/core/faults.ts';
import { createId } from '#lib/core/ids.ts';
import { json } from '#lib/db/values.ts';
import { sendSpendAlerts } from '#lib/ledger/spend-alert.ts';
import type { StudioContext } from '../context.ts';
import { advanceGeneration } from '../lifecycle/advance-generation.ts';
import { withSpan } from '../telemetry.ts';
import { claimDue, type DueRow, type Lane, releaseDue } from './claim-due.ts';
import { counterOf, emptyReport, type SweepReport } from './sweep-report.ts';

type SweepOptions = {
  /** No row is begun once the pass has taken this long. */
  budgetMs?: number;
  /** What is still under way this long after that is given up on: its row is due again when its lease ends. */
  graceMs?: number;
  /** Rows claimed at once of those that need no provider, and rows worked on at once: the pass's memory is bounded by the second. */
  batch?: number;
  together?: number;
};

/*
 * The function may run 300 s, and a killed pass tells nothing: no row begins after 220 s, none is waited for after 270 s, alerts
 * take 15 s at most, and 15 s stay for the report. One row takes 210 s at worst (status 20, file 60, cost 10, two puts of 60).
 */
export const SCHEDULED_PASS = { budgetMs: 220_000, graceMs: 50_000 } as const;
export const ALERTS_MS = 15_000;

/**
 * One pass over the open rows whose time has come. Several passes at once share the work; one that is cut leaves its rows to the
 * next, and so does one whose instance is asked to stop. A row that fails is counted in `errors` and does not stop the others.
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

class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
}

/** One pass's time: what may still begin, and the instant after which nothing is waited for. */
type Pass = {
  ctx: StudioContext<SystemActor>;
  report: SweepReport;
  together: number;
  isSpent(): boolean;
  /** Waits for the work until the pass's end. */
  inTime<T>(work: Promise<T>): Promise<T>;
};

async function pass(base: StudioContext<SystemActor>, options: SweepOptions): Promise<SweepReport> {
  const { budgetMs = SCHEDULED_PASS.budgetMs, graceMs = SCHEDULED_PASS.graceMs } = options;
  const { batch = 50, together = 4 } = options;
  const startedAt = base.clock.now();
  const report = emptyReport();
  const end = new AbortController();
  const ended = new Promise<never>((_, reject) => {
    end.signal.addEventListener('abort', () => reject(end.signal.reason));
  });
  ended.catch(() => undefined);
  const timer = setTimeout(() => end.abort(new OutOfTime()), budgetMs + graceMs).unref();
  const ctx = endingWith(base, end.signal);
  const one: Pass = {
    ctx,
    report,
    together,
    isSpent: () =>
      end.signal.aborted ||
      base.stopping?.aborted === true ||
      ctx.clock.now().getTime() - startedAt.getTime() >= budgetMs,
    inTime: (work) => Promise.race([work, ended]),
  };
  let complete: boolean;
  try {
    // First the rows that need no provider; then the jobs, claiming only as many as begin at once.
    complete = (await workThrough(one, 'local', batch)) && (await workThrough(one, 'any', together));
  } finally {
    clearTimeout(timer);
  }
  await sendAlerts(base);
  ctx.log.info('cron.sweep.done', { ...report, complete });
  await ctx.kysely
    .insertInto('CronRun')
    .values({
      id: createId('cronRun', startedAt),
      job: 'generations-sweep',
      startedAt,
      finishedAt: ctx.clock.now(),
      complete,
      report: json(report),
    })
    .execute()
    .catch((error: unknown) => ctx.log.error('cron.run_unrecorded', faultFields(error)));
  return report;
}

/** The same context, whose long reads of files are aborted when the pass ends. */
function endingWith(ctx: StudioContext<SystemActor>, signal: AbortSignal): StudioContext<SystemActor> {
  const { fetch } = ctx.studio;
  return {
    ...ctx,
    studio: { ...ctx.studio, fetch: (address, options) => fetch(address, { ...options, signal }) },
  };
}

/** A hanging mail server costs the pass 15 seconds and never its report; what was not sent is sent by a later pass, after the claim ends. */
async function sendAlerts(ctx: StudioContext<SystemActor>): Promise<void> {
  await sendSpendAlerts(ctx, { mail: ctx.studio.mailSpendAlert, waitMs: ALERTS_MS });
}

/** Claims and works through the due rows of a lane. True when none is left, false when the time was. */
async function workThrough(pass: Pass, lane: Lane, claimed: number): Promise<boolean> {
  const { ctx } = pass;
  const queue: DueRow[] = [];
  let isDry = false;
  let claiming: Promise<void> | null = null;
  const claim = async () => {
    const due = await claimDue(ctx, claimed, lane);
    queue.push(...due);
    isDry = due.length < claimed;
  };
  const take = async (): Promise<DueRow | undefined> => {
    while (queue.length === 0 && !isDry && !pass.isSpent()) {
      claiming ??= claim().finally(() => {
        claiming = null;
      });
      await claiming;
    }
    return pass.isSpent() ? undefined : queue.shift();
  };
  const worker = async () => {
    for (let due = await take(); due; due = await take()) await advanceDue(pass, due);
  };
  // A claim that fails ends the pass once the rows under way are done.
  const workers = await Promise.allSettled(Array.from({ length: pass.together }, worker));
  await releaseDue(ctx, queue);
  for (const one of workers) if (one.status === 'rejected') throw one.reason;
  return isDry && queue.length === 0;
}

async function advanceDue({ ctx, report, inTime }: Pass, due: DueRow): Promise<void> {
  try {
    const { row, reserve } = due;
    const counter = counterOf(await inTime(advanceGeneration(ctx, row, { type: 'due', reserve }, 'sweep')));
    if (counter) report[counter] += 1;
  } catch (error) {
    report.errors += 1;
    ctx.log.error('generation.sweep_failed', {
      generationId: due.row.id,
      ...faultFields(error),
    });
  }
}
