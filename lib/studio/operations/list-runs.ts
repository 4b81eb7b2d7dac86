import { sql } from 'kysely';
import type { AccountActor, SystemJob } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { isBeyond } from '#lib/db/values.ts';
import { requireOperator } from '#lib/ledger/access.ts';

/** Scheduled jobs of which each run is kept. */
export const JOBS = ['generations-sweep', 'retention'] as const satisfies readonly SystemJob[];
type Job = (typeof JOBS)[number];

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

const findRuns = prepared(
  'operations.runs',
  (db, p: Params<{ job: string; before: string | null; limit: number }>) =>
    db
      .selectFrom('CronRun')
      .select(['id', 'startedAt', 'finishedAt', 'complete', 'report'])
      .where('job', '=', p.job)
      .where(isBeyond('<', 'CronRun', ['startedAt', 'id'], p.before))
      .orderBy('startedAt', 'desc')
      .orderBy('id', 'desc')
      .limit(sql<number>`${p.limit}`),
);

/** The runs of a scheduled job, the latest first, by keyset. The jobs serve every account of the service. The operator's founders. */
export async function listRuns(
  ctx: Context<AccountActor>,
  input: { job: Job; before?: string | undefined; limit?: number },
): Promise<{ runs: JobRun[]; nextBefore: string | null }> {
  requireOperator(ctx);
  const limit = input.limit ?? 20;
  const rows = await findRuns.all(ctx.kysely, {
    job: input.job,
    before: input.before ?? null,
    limit: limit + 1,
  });
  const runs = rows
    .slice(0, limit)
    .map((run) => ({ ...run, job: input.job, report: run.report as JobRun['report'] }));
  return { runs, nextBefore: rows.length > limit ? (runs.at(-1)?.id ?? null) : null };
}
