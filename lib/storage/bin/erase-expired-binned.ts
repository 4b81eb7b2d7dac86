import type { Actor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import { erasedBefore } from '#lib/core/bin-time.ts';
import { mayHaveMore, rowsOfEach, takeTurns } from '#lib/core/resource-limits/account-turns.ts';
import { TimeLimit } from '#lib/core/resource-limits/time-limit.ts';
import { transaction } from '#lib/db/transaction.ts';
import type { FilesContext } from '../context.ts';
import { eraseBytes } from './erase-bytes.ts';
import { BIN_TABLES, findAccountsOfExpired, lockExpired } from './erase-rows.ts';

/** Rows of one table erased in one transaction, shared evenly among the accounts of the turn. */
const AT_ONCE = 200;
/** How long a night gives to it; the next one goes on. */
const MAX_MS = 10_000;
/** Its row of `CronCursor`. */
const JOB = 'erase-binned-files';

/** The report of a nightly run over the bin. */
type BinReport = { erased: number; refused: number; complete: boolean };

/**
 * Erases what was put into the bin more than 30 days ago, in every account: rows first, which record once what was erased, then bytes.
 * Accounts take turns, continued from night to night, so that one with endless deletions does not delay another's. After an interruption the
 * next night continues, and the orphan pass deletes bytes that were left. The error of one turn is thrown once the others were tried. Does
 * nothing without a file store.
 */
export async function eraseExpiredBinned(
  ctx: FilesContext<Actor>,
  options: { elapsedMs?: () => number; batch?: number; within?: TimeLimit } = {},
): Promise<BinReport> {
  const { elapsedMs = () => performance.now(), batch = AT_ONCE, within } = options;
  const report: BinReport = { erased: 0, refused: 0, complete: true };
  if (!ctx.files.store) return report;
  const before = erasedBefore(ctx.clock.now());
  const limit = within?.upTo(MAX_MS) ?? new TimeLimit(MAX_MS, elapsedMs);
  const { complete, failures } = await takeTurns(ctx, {
    job: JOB,
    due: await findAccountsOfExpired(ctx.kysely, before),
    batch,
    limit,
    turn: (accountIds) => eraseInTurn(ctx, report, { accountIds, before, batch, elapsedMs }),
  });
  report.complete = complete;
  if (report.erased > 0) ctx.log.info('cron.bin.done', report);
  if (failures.length > 0) throw failures[0];
  return report;
}

type Turn = { accountIds: readonly string[]; before: Date; batch: number; elapsedMs: () => number };

/** One turn of these accounts, the same number of rows of each; returns those that may have more. */
async function eraseInTurn(
  ctx: FilesContext<Actor>,
  report: BinReport,
  { accountIds, before, batch, elapsedMs }: Turn,
): Promise<string[]> {
  const now = ctx.clock.now();
  const each = rowsOfEach(batch, accountIds.length);
  const more = new Set<string>();
  for (const [table, erase] of BIN_TABLES) {
    const { rows, files } = await transaction(ctx, async (tx) => {
      const expired = await lockExpired(tx, table, { accountIds, before, each });
      if (expired.length === 0) return { rows: expired, files: [] };
      const erased = await erase({ tx, ids: expired.map(({ id }) => id), reason: 'expired', now });
      await recordAudits(tx, ctx, erased.events);
      return { rows: expired, files: erased.files };
    });
    report.erased += rows.length;
    report.refused += (await eraseBytes(ctx, files, { elapsedMs })).refused;
    for (const accountId of mayHaveMore(accountIds, rows, each)) more.add(accountId);
  }
  return accountIds.filter((accountId) => more.has(accountId));
}
