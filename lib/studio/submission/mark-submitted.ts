import { sql } from 'kysely';
import { recordAudits } from '#lib/core/audit.ts';
import { faultFields } from '#lib/core/faults.ts';
import { type Params as Parameters, prepared } from '#lib/db/prepared.ts';
import { audit } from '../closing/audit-events.ts';
import type { StudioContext } from '../context.ts';
import { readRow } from '../generation/find-generation.ts';
import { GENERATION_COLUMNS, type Generation, readGeneration } from '../generation/generation.ts';
import type { Submission } from '../generation/outcome.ts';
import { isProviderJob } from '../generation/states.ts';
import { JOB_SWEEP_AFTER_MS, READ_AFTER_MS } from '../limits.ts';

const ATTEMPTS = 2;

type SubmittedValues = {
  id: string;
  now: Date;
  providerJobId: string | null;
  providerOperation: string | null;
  webhookSecret: string | null;
  gatewayGenerationId: string | null;
  modelId: string | null;
  facts: string;
  dueAt: Date;
  readableAt: Date;
  deadlineAt: Date | null;
};

const markRow = prepared('studio.submitted', (db, p: Parameters<SubmittedValues>) =>
  db
    .updateTable('Generation')
    .set((eb) => ({
      state: 'SUBMITTED',
      submittedAt: p.now,
      updatedAt: p.now,
      providerJobId: p.providerJobId,
      providerOperation: p.providerOperation,
      providerWebhookSecret: p.webhookSecret,
      gatewayGenerationId: p.gatewayGenerationId,
      modelId: eb.fn.coalesce(p.modelId, 'modelId'),
      params: sql`${eb.ref('params')} || ${p.facts}::jsonb`,
      dueAt: p.dueAt,
      readableAt: p.readableAt,
      deadlineAt: sql<Date>`coalesce(${p.deadlineAt}, ${eb.ref('deadlineAt')})`,
    }))
    .where('id', '=', p.id)
    .where('state', '=', 'STARTING')
    .returning(GENERATION_COLUMNS),
);

/**
 * Records that the job was submitted: STARTING → SUBMITTED. If that cannot be written, audits `generation.submit_pending` (as far as possible)
 * and returns null: the row stays STARTING and the sweep decides. A row that was closed in between is returned as it is; if it does not know
 * its provider's job, that is audited too.
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
      const updated = await markRow.first(ctx.kysely, {
        id: row.id,
        now,
        providerJobId: submission.providerJobId ?? null,
        providerOperation: submission.providerOperation ?? null,
        webhookSecret: submission.webhookSecret ?? null,
        gatewayGenerationId: submission.gatewayGenerationId ?? null,
        modelId: submission.modelId ?? null,
        facts: JSON.stringify(submission.facts),
        dueAt: new Date(startedMs + JOB_SWEEP_AFTER_MS),
        readableAt: new Date(startedMs + READ_AFTER_MS),
        deadlineAt: submission.deadlineAt ?? null,
      });
      if (updated) return readGeneration(updated);
      const current = await readRow(ctx, row.id);
      if (current && !isRecorded(current, submission)) await auditPending(ctx, row, submission);
      return current;
    } catch (error) {
      failure = error;
    }
  }
  ctx.log.error('generation.submit_pending', {
    generationId: row.id,
    ...faultFields(failure),
  });
  await auditPending(ctx, row, submission);
  return null;
}

/** Whether a row that is STARTING no more has this very job: the attempt before wrote it. A render is adopted by its callback instead. */
function isRecorded(current: Generation, { providerOperation }: Submission): boolean {
  return !isProviderJob(current.kind) || current.providerOperation === (providerOperation ?? null);
}

async function auditPending(ctx: StudioContext, row: Generation, submission: Submission): Promise<void> {
  const { providerJobId, facts } = submission;
  await recordAudits(ctx.kysely, ctx, [
    audit(row, 'generation.submit_pending', {
      ...(providerJobId ? { providerJobId } : {}),
      ...(facts.workflowRunId ? { workflowRunId: facts.workflowRunId } : {}),
    }),
  ]).catch((error: unknown) =>
    ctx.log.error('generation.submit_unaudited', { generationId: row.id, ...faultFields(error) }),
  );
}
