import { recordAudits } from '#lib/core/audit.ts';
import { faultFields } from '#lib/core/faults.ts';
import type { ClosedBy } from '#lib/db/generated/tables.ts';
import { audit, paidNotDelivered } from '../closing/audit-events.ts';
import { closeGeneration, TimeRanOut } from '../closing/close-generation.ts';
import { discardFiles } from '../closing/discard-files.ts';
import { NotStored } from '../closing/store-files.ts';
import type { StudioContext } from '../context.ts';
import type { Generation } from '../generation/generation.ts';
import { isProviderJob } from '../generation/states.ts';
import { withProvidersOf } from '../jobs/providers-of.ts';
import { readJobStatus } from '../jobs/read-status.ts';
import { paidLoss } from '../kinds/failures.ts';
import { withSpan } from '../telemetry.ts';
import { type ClosingReason, decide, type Event, type Left, MAX_EFFECTS } from './decide.ts';
import { runEffect } from './run-effect.ts';

/** The result for a row: left as it is, closed by this call, or closed by another in between. `row` is what is recorded. */
export type Advanced = { row: Generation } & (
  | { result: 'left'; because: Left }
  | { result: 'closed'; reason: ClosingReason }
  | { result: 'closed-by-another' }
);

/** The caller, by the name that the spans of jobs give it. */
const TRIGGERS: Partial<Record<ClosedBy, string>> = { webhook: 'webhook', read: 'pull', sweep: 'sweep' };

/**
 * The entry point of every event of a generation: asks `decide` what comes next, runs the effect that the decision needs, and closes the row
 * when it has ended. Concurrent calls are safe: one closes. When a file cannot be fetched or stored now, a job stays open.
 */
export async function advanceGeneration(
  ctx: StudioContext,
  row: Generation,
  event: Event,
  by: ClosedBy,
): Promise<Advanced> {
  const trigger = TRIGGERS[by];
  if (!trigger || !isProviderJob(row.kind)) return advance(ctx, row, event, by);
  return withSpan(
    'studio.video.settle',
    { trigger, 'generation.id': row.id, 'generation.kind': row.kind },
    () => advance(ctx, row, event, by),
    (advanced) => ({
      outcome: spanOutcome(advanced),
      ...(advanced.row.code ? { code: advanced.row.code } : {}),
    }),
  );
}

async function advance(base: StudioContext, row: Generation, first: Event, by: ClosedBy): Promise<Advanced> {
  const ctx = withProvidersOf(base, row);
  let event = first;
  for (let effects = 0; ; ) {
    const decision = decide(row, event, ctx.clock.now());
    if (decision.next === 'leave') return { result: 'left', row, because: decision.because };
    if (decision.next !== 'close') {
      // A guard for what tests/unit/studio/lifecycle/transitions.test.ts proves of `decide`: a cycle would call the outside services for ever.
      if (effects === MAX_EFFECTS) throw new Error(`a row asks for ${decision.next} once more`);
      effects += 1;
      event = await runEffect(ctx, row, decision, by);
      continue;
    }
    const { ending, reason, discard } = decision;
    try {
      const closed = await closeGeneration(ctx, { row, ending, closedBy: by });
      if (!closed.won) return { result: 'closed-by-another', row: closed.row };
      if (reason === 'deadline') await recordLateStatus(ctx, closed.row);
      if (discard !== undefined && closed.row.state === 'FAILED')
        await discardFiles(ctx, closed.row, {
          by: by === 'callback' ? 'render-callback' : by,
          reason: discard,
        });
      return { result: 'closed', row: closed.row, reason };
    } catch (error) {
      if (error instanceof NotStored) return { result: 'left', row, because: 'no-answer' };
      // Decided again with the same answer, which came too late.
      if (error instanceof TimeRanOut) continue;
      throw error;
    }
  }
}

function spanOutcome(advanced: Advanced): string {
  if (advanced.result === 'left') return 'pending';
  if (advanced.result === 'closed-by-another') return advanced.result;
  if (advanced.row.state !== 'FAILED') return 'settled';
  return advanced.reason === 'deadline' ? 'timeout' : 'failed';
}

/** After a job's two hours: asks the provider once more and audits the answer, including a paid file; nothing is downloaded. */
async function recordLateStatus(ctx: StudioContext, row: Generation): Promise<void> {
  if (!isProviderJob(row.kind) || !row.providerOperation) return;
  const status = await readJobStatus(ctx, row).catch(() => null);
  const made = status?.outcome === 'completed' || (status?.outcome === 'job-failed' && status.paid);
  const paid = made && row.state === 'FAILED';
  await recordAudits(ctx.kysely, ctx, [
    audit(row, 'generation.late_look', {
      status: status?.outcome ?? 'unreadable',
      ...(status && 'gatewayGenerationId' in status && status.gatewayGenerationId
        ? { gatewayGenerationId: status.gatewayGenerationId }
        : {}),
    }),
    ...(paid ? [paidNotDelivered(row, paidLoss('costMicros' in status ? status : {}))] : []),
  ]).catch((error: unknown) =>
    ctx.log.error('generation.late_status_unaudited', { generationId: row.id, ...faultFields(error) }),
  );
}
