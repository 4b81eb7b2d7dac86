import { recordAudits } from '#lib/core/audit.ts';
import { faultFields } from '#lib/core/faults.ts';
import type { StudioContext } from '../context.ts';
import { type Generation, generationColumns, readGeneration } from '../generation/generation.ts';
import type { Params } from '../generation/params.ts';
import { JOB_SWEEP_AFTER_MS, READ_AFTER_MS } from '../limits.ts';

/** What the provider or the runner answered to the start. */
export type Submission = {
  providerJobId?: string;
  /** Opaque, as given back to the provider. */
  providerOperation?: string;
  webhookSecret?: string;
  gatewayGenerationId?: string;
  modelId?: string;
  facts: Partial<Params>;
  /** Renders: counted from the dispatch. */
  deadlineAt?: Date;
};

const ATTEMPTS = 2;

/**
 * Records that the job runs outside: STARTING → SUBMITTED. When that cannot be written, audits `generation.submit_pending`
 * (as far as anything can be written) and answers null: the row stays STARTING and the sweep decides.
 */
export async function markSubmitted(
  ctx: StudioContext,
  row: Generation,
  submission: Submission,
): Promise<Generation | null> {
  const now = ctx.clock.now();
  const startedMs = (row.startedAt ?? now).getTime();
  let failure: unknown;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    try {
      const [updated] = await ctx.sql.rows<Record<string, unknown>>(
        'studio.submitted',
        `UPDATE "Generation" g SET "state" = 'SUBMITTED', "submittedAt" = $2, "updatedAt" = $2,
           "providerJobId" = $3, "providerOperation" = $4, "providerWebhookSecret" = $5, "gatewayGenerationId" = $6,
           "modelId" = COALESCE($7, g."modelId"), "params" = g."params" || $8::jsonb,
           "dueAt" = $9, "readableAt" = $10, "deadlineAt" = COALESCE($11, g."deadlineAt")
         WHERE g."id" = $1 AND g."state" = 'STARTING' RETURNING ${generationColumns('g')}`,
        [
          row.id,
          now,
          submission.providerJobId ?? null,
          submission.providerOperation ?? null,
          submission.webhookSecret ?? null,
          submission.gatewayGenerationId ?? null,
          submission.modelId ?? null,
          JSON.stringify(submission.facts),
          new Date(startedMs + JOB_SWEEP_AFTER_MS),
          new Date(startedMs + READ_AFTER_MS),
          submission.deadlineAt ?? null,
        ],
      );
      if (updated) return readGeneration(updated);
      const [current] = await ctx.sql.rows<Record<string, unknown>>(
        'studio.row',
        `SELECT ${generationColumns('g')} FROM "Generation" g WHERE g."id" = $1`,
        [row.id],
      );
      return current ? readGeneration(current) : null;
    } catch (error) {
      failure = error;
    }
  }
  const data = {
    ...(submission.providerJobId ? { providerJobId: submission.providerJobId } : {}),
    ...(submission.facts.workflowRunId ? { workflowRunId: submission.facts.workflowRunId } : {}),
  };
  ctx.log.error('generation.submit_pending', {
    generationId: row.id,
    ...faultFields(failure),
  });
  await recordAudits(ctx.sql, ctx, [
    {
      action: 'generation.submit_pending',
      accountId: row.accountId,
      subject: { type: 'generation', id: row.id },
      data,
    },
  ]).catch(() => undefined);
  return null;
}
