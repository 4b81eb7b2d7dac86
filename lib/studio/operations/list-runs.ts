import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { requireOperations } from './require-operations.ts';

export const JOBS = ['generations-sweep', 'retention'] as const;
export type Job = (typeof JOBS)[number];

export type JobRun = {
  id: string;
  job: Job;
  startedAt: Date;
  /** null: it still runs, or it was cut; the next one takes its work up. */
  finishedAt: Date | null;
  complete: boolean;
  /** What it counted, as the job reports it. */
  report: Record<string, unknown>;
};

/** The runs of a scheduled job, the latest first, by keyset. The jobs serve every account of the service. Founders. */
export async function listRuns(
  ctx: Context<AccountActor>,
  input: { job: Job; before?: string | undefined; limit?: number },
): Promise<{ runs: JobRun[]; nextBefore: string | null }> {
  requireOperations(ctx);
  const limit = input.limit ?? 20;
  const rows = await ctx.sql.rows<JobRun>(
    'operations.runs',
    `SELECT "id", "job", "startedAt", "finishedAt", "complete", "report" FROM "CronRun"
     WHERE "job" = $1 AND ($2::text IS NULL OR ("startedAt", "id") < (SELECT p."startedAt", p."id" FROM "CronRun" p WHERE p."id" = $2))
     ORDER BY "startedAt" DESC, "id" DESC LIMIT $3`,
    [input.job, input.before ?? null, limit + 1],
  );
  const runs = rows.slice(0, limit);
  return { runs, nextBefore: rows.length > limit ? (runs.at(-1)?.id ?? null) : null };
}
