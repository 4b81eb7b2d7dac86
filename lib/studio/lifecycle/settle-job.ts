import { recordAudits } from '#lib/core/audit.ts';
import { faultFields } from '#lib/core/faults.ts';
import type { ClosedBy } from '#lib/db/generated/prisma/client.ts';
import { audit, closeRow, NotStored, paidNotDelivered } from '../closing/close-generation.ts';
import type { StudioContext } from '../context.ts';
import type { Generation } from '../generation/generation.ts';
import { isOverdue } from '../generation/status.ts';
import { completedJob, failedJob } from '../jobs/job-outcome.ts';
import { readJobStatus } from '../jobs/read-status.ts';
import { lost } from '../kinds/failures.ts';
import { CLOSING_LEASE_MS } from '../limits.ts';
import { withSpan } from '../telemetry.ts';

export type Trigger = 'webhook' | 'pull' | 'sweep';

/** How a look at a job came out. `elsewhere`: another closer had closed it. */
export type JobLook = {
  result: 'settled' | 'failed' | 'timeout' | 'pending' | 'elsewhere';
  row: Generation;
};

const CLOSER: Record<Trigger, ClosedBy> = { webhook: 'webhook', pull: 'read', sweep: 'sweep' };

/**
 * One look at a video or lipsync, by whoever comes: reads the provider once, and ends the row if the job ended or if its two
 * hours are over. Several at once are safe: one settles. A file that cannot be fetched or stored now leaves the row open.
 */
export async function settleJob(ctx: StudioContext, row: Generation, trigger: Trigger): Promise<JobLook> {
  return withSpan(
    'studio.video.settle',
    { trigger, 'generation.id': row.id, 'generation.kind': row.kind },
    () => look(ctx, row, trigger),
    ({ result, row: seen }) => ({ outcome: result, ...(seen.code ? { code: seen.code } : {}) }),
  );
}

async function look(ctx: StudioContext, row: Generation, trigger: Trigger): Promise<JobLook> {
  const closedBy = CLOSER[trigger];
  if (isOverdue({ ...row, files: row.artifacts.length }, ctx.clock.now())) {
    const closed = await closeRow(ctx, row, { result: 'failed', code: 'video_timeout' }, closedBy);
    if (!closed.won) return { result: 'elsewhere', row: closed.row };
    await lateLook(ctx, closed.row);
    return { result: closed.row.state === 'FAILED' ? 'timeout' : 'settled', row: closed.row };
  }
  const status = await readJobStatus(ctx, row);
  if (status.outcome === 'pending') return { result: 'pending', row };
  if (status.outcome === 'failed') {
    ctx.log.warn('generation.status_unreadable', { generationId: row.id, reason: status.reason });
    return { result: 'pending', row };
  }
  if (trigger === 'pull') await holdOtherReaders(ctx, row);
  const outcome = status.outcome === 'completed' ? await completedJob(ctx, row, status) : failedJob(status);
  if (outcome.result === 'later') {
    ctx.log.warn('generation.file_unreadable', { generationId: row.id, reason: outcome.reason });
    return { result: 'pending', row };
  }
  try {
    const closed = await closeRow(ctx, row, outcome, closedBy);
    if (!closed.won) return { result: 'elsewhere', row: closed.row };
    return { result: closed.row.state === 'FAILED' ? 'failed' : 'settled', row: closed.row };
  } catch (error) {
    if (error instanceof NotStored) return { result: 'pending', row };
    throw error;
  }
}

/** While one reader fetches the file, the others read the row. */
async function holdOtherReaders(ctx: StudioContext, row: Generation): Promise<void> {
  await ctx.sql.rows(
    'studio.hold_readers',
    `UPDATE "Generation" SET "readableAt" = $2 WHERE "id" = $1 AND "state" = 'SUBMITTED'`,
    [row.id, new Date(ctx.clock.now().getTime() + CLOSING_LEASE_MS)],
  );
}

/** After the two hours: what the provider says once more is told in the audit, a paid file too, and nothing is retrieved. */
async function lateLook(ctx: StudioContext, row: Generation): Promise<void> {
  if (!row.providerOperation) return;
  const status = await readJobStatus(ctx, row).catch(() => null);
  const made = status?.outcome === 'completed' || (status?.outcome === 'job-failed' && status.paid);
  const paid = made && row.state === 'FAILED';
  await recordAudits(ctx.sql, ctx, [
    audit(row, 'generation.late_look', {
      status: status?.outcome ?? 'unreadable',
      ...(status && 'gatewayGenerationId' in status && status.gatewayGenerationId
        ? { gatewayGenerationId: status.gatewayGenerationId }
        : {}),
    }),
    ...(paid ? [paidNotDelivered(row, lost('costMicros' in status ? status : {}))] : []),
  ]).catch((error: unknown) =>
    ctx.log.error('generation.late_look_unaudited', { generationId: row.id, ...faultFields(error) }),
  );
}
