import type { Actor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import { erasedBefore } from '#lib/core/bin-time.ts';
import { TimeLimit } from '#lib/core/resource-limits/time-limit.ts';
import { transaction } from '#lib/db/transaction.ts';
import type { FilesContext } from '../context.ts';
import { eraseBytes } from './erase-bytes.ts';
import { BIN_TABLES, lockExpired } from './erase-rows.ts';

/** Rows in one transaction. */
const AT_ONCE = 200;
/** How long a night gives to it; the next one goes on. */
const MAX_MS = 10_000;

/** What a night took out of the bin. */
type BinReport = { erased: number; refused: number; complete: boolean };

/**
 * Erases what was put into the bin more than 30 days ago, of every account: rows first, which say once what went, then bytes. Cut anywhere,
 * the next night goes on, and the orphan pass takes bytes that were left. Does nothing without a file store.
 */
export async function eraseExpiredBinned(
  ctx: FilesContext<Actor>,
  options: { elapsedMs?: () => number; batch?: number; within?: TimeLimit } = {},
): Promise<BinReport> {
  const { elapsedMs = () => performance.now(), batch = AT_ONCE, within } = options;
  const report: BinReport = { erased: 0, refused: 0, complete: true };
  if (!ctx.files.store) return report;
  const now = ctx.clock.now();
  const limit = within?.upTo(MAX_MS) ?? new TimeLimit(MAX_MS, elapsedMs);
  for (const [table, erase] of BIN_TABLES) {
    for (let more = true; more; ) {
      if (limit.isOver()) {
        report.complete = false;
        break;
      }
      const { ids, files } = await transaction(ctx, async (tx) => {
        const expired = await lockExpired(tx, table, { before: erasedBefore(now), limit: batch });
        if (expired.length === 0) return { ids: expired, files: [] };
        const erased = await erase({ tx, ids: expired, reason: 'expired', now });
        await recordAudits(tx, ctx, erased.events);
        return { ids: expired, files: erased.files };
      });
      report.erased += ids.length;
      report.refused += await eraseBytes(ctx, files, { elapsedMs });
      more = ids.length === batch;
    }
  }
  if (report.erased > 0) ctx.log.info('cron.bin.done', report);
  return report;
}
