import { eraseExpired } from '#lib/brain/bin/erase.ts';
import { sketchMissing } from '#lib/brain/likeness/sketch-missing.ts';
import { purgeProposals } from '#lib/brain/proposals/purge-proposals.ts';
import { tidyIndex } from '#lib/brain/search/index/tidy-index.ts';
import type { SystemActor } from '#lib/core/actor.ts';
import { faultFields } from '#lib/core/faults.ts';
import { TimeLimit } from '#lib/core/resource-limits/time-limit.ts';
import type { Post } from '#lib/identity/notices/mail-notices.ts';
import { eraseOrphanPersons } from '#lib/identity/people/erase-person.ts';
import { purgeExpired } from '#lib/identity/purge-expired.ts';
import { mailLowBalances, type Send } from '#lib/ledger/notices/mail-low-balances.ts';
import { purgeClients } from '#lib/oauth/clients/purge-clients.ts';
import { eraseExpiredBinned } from '#lib/storage/bin/erase-expired-binned.ts';
import type { FilesContext } from '#lib/storage/context.ts';
import { eraseClosed } from '#lib/storage/offboarding/erase-closed.ts';
import { tidyExports } from '#lib/storage/offboarding/run-export.ts';
import { PASS_MS } from '#lib/storage/retention/budget.ts';
import { recordSkipped } from '#lib/storage/retention/record-skipped.ts';
import type { RetentionOutcome } from '#lib/storage/retention/report.ts';
import { runRetention } from '#lib/storage/retention/run-retention.ts';
import { settleHeldRoom } from '#lib/storage/uploads/settle-held-room.ts';
import { mailMentions } from '#lib/studio/comments/mail-mentions.ts';
import { purgeRuns } from '#lib/studio/operations/purge-runs.ts';

/** No step begins after this: the function ends at 300 s, and a call to the store that is under way may take 15 s. */
const NIGHT_MS = 270_000;
/** Time that the retention of files leaves to the tasks after it, however many files there are. */
const REST_MS = 30_000;

type Night = FilesContext<SystemActor>;
type Task = readonly [name: string, run: (ctx: Night, within: TimeLimit) => Promise<unknown>];

/** How a nightly run sends mail: `post` later, `send` now, with the outcome reported. Absent: no mail. */
type NightMail = { post?: Post; send?: Send };

/** `left`: work of the night that its one deadline left no time for, or not enough; absent when all of it was done. */
type NightOutcome = RetentionOutcome & { left?: string[] };

/**
 * The nightly run: the bin, the retention of files, then what expires in the database, all under one deadline; what is left is for the next
 * night. Returns the retention's report. `elapsedMs`: a monotonic clock.
 */
export async function runNightly(
  ctx: Night,
  mail: NightMail = {},
  { elapsedMs = () => performance.now() }: { elapsedMs?: () => number } = {},
): Promise<NightOutcome> {
  const night = new TimeLimit(NIGHT_MS, elapsedMs);
  const left: string[] = [];
  await inTurn(ctx, BEFORE_FILES, night, left);
  let outcome: RetentionOutcome;
  try {
    outcome = await runRetention(ctx, {
      budgetMs: Math.min(PASS_MS, Math.max(0, night.leftMs - REST_MS)),
      elapsedMs,
    });
    if ('skipped' in outcome && outcome.skipped === 'no-blob-store')
      await recordSkipped(ctx, outcome.skipped);
  } finally {
    await inTurn(ctx, afterFiles(mail), night, left);
    if (left.length > 0) ctx.log.warn('cron.night.left', { tasks: left });
  }
  return left.length > 0 ? { ...outcome, left } : outcome;
}

// Before the files: files released by an erased avatar or concept are judged in the same night.
const BEFORE_FILES: readonly Task[] = [
  ['erase-binned-files', (ctx, within) => eraseExpiredBinned(ctx, { within })],
];

const afterFiles = ({ post, send }: NightMail): readonly Task[] => [
  ['purge-expired', (ctx, within) => purgeExpired(ctx, { within })],
  ['purge-clients', purgeClients],
  ['purge-runs', purgeRuns],
  ['erase-strays', eraseOrphanPersons],
  ['erase-deleted-memories', eraseExpired],
  ['purge-proposals', purgeProposals],
  ['settle-held-room', (ctx, within) => settleHeldRoom(ctx, {}, within)],
  ['tidy-exports', tidyExports],
  ['erase-closed-accounts', (ctx, within) => eraseClosed(ctx, post, within)],
  ['mail-mentions', (ctx) => mailMentions(ctx, post)],
  ['mail-low-balances', (ctx, within) => mailLowBalances(ctx, send, within)],
  ['sketch-memories', sketchMissing],
  ['tidy-search-index', tidyIndex],
];

/**
 * Runs the tasks in order, each with an even part of the time that is left, so that earlier tasks never starve a later one. A failure is
 * logged and does not stop the others; what was not begun, or was stopped, is added to `left`.
 */
async function inTurn(ctx: Night, tasks: readonly Task[], night: TimeLimit, left: string[]): Promise<void> {
  for (const [index, [task, run]] of tasks.entries()) {
    if (ctx.stopping?.aborted || night.isOver()) {
      left.push(task);
      continue;
    }
    const within = night.upTo(night.leftMs / (tasks.length - index));
    try {
      await run(ctx, within);
    } catch (error) {
      ctx.log.error('cron.task_failed', { task, ...faultFields(error) });
    }
    if (within.stopped) left.push(task);
  }
}
