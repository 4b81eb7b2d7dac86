import type { AccountActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import { requireOperator } from '#lib/ledger/access.ts';
import type { StudioContext } from '../context.ts';
import { sweepGenerations } from '../sweep/sweep-generations.ts';
import type { SweepReport } from '../sweep/sweep-report.ts';

/**
 * A person waits for it, on a page whose actions may take 60 s, alerts included: what is left is for the scheduled pass. A row begun last has
 * the time for one question to its provider.
 */
export const REQUESTED_PASS = { budgetMs: 12_000, graceMs: 25_000 } as const;

/**
 * One pass of the sweep, at the request of one of the operator's founders: the very pass that the scheduler runs, safe beside it (rows are claimed). Audited
 * `operations.sweep_requested` with what it counted.
 */
export async function requestSweep(ctx: StudioContext<AccountActor>): Promise<SweepReport> {
  requireOperator(ctx);
  const report = await sweepGenerations(
    { ...ctx, actor: { type: 'system', job: 'generations-sweep' } },
    REQUESTED_PASS,
  );
  await recordAudits(ctx.kysely, ctx, [
    { action: 'operations.sweep_requested', accountId: ctx.actor.accountId, data: { ...report } },
  ]);
  return report;
}
