import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import type { MemberActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { faultFields } from '#lib/core/faults.ts';
import { isWithinReach } from '#lib/db/space-rights.ts';
import { transaction } from '#lib/db/transaction.ts';
import type { DB, Executor } from '#lib/db/types.ts';
import { json } from '#lib/db/values.ts';
import { isClosedMeanwhile } from '../account-closed.ts';
import { indexPending } from '../search/index/maintain.ts';
import { readBatches } from './batches.ts';
import { type ImportedAlike, type ImportReport, importDrafts } from './import-drafts.ts';
import { KEPT_REFUSALS } from './jobs.ts';
import type { Refusal } from './parse/types.ts';

const LEASE_MS = 30_000;
/** Progress is written at most this often, so that a thousand small Memories do not write a thousand times. */
const REPORT_EVERY_MS = 400;

const CLOSED_MEANWHILE =
  'Le compte a été fermé pendant cet import\u00a0: ce qui n’était pas encore écrit ne l’a pas été.';

type Job = Selectable<DB['ImportJob']>;

/** Another process took over the job, or its member may no longer write there: this process stops. */
class LeaseLost extends Error {}

/** This instance is shutting down: the next look at the import, on another one, resumes it at once. */
class LeaseReleased extends Error {}

/**
 * Writes the Memories of a recorded import, as the member who acts, and reports its progress. One process at a time holds its lease: a crash
 * lets the lease expire, a shutdown gives it back, and the next call resumes without writing anything twice. Its end, its audit entry and the
 * deletion of what was left of its files are one: a crash between them would leave the files there for ever. It stops in the same way when its
 * member loses the right to write there, and another member who has it may resume. When the account is closed meanwhile it ends as failed,
 * with the reason. Returns whether this call did the work.
 */
export async function runImport(ctx: Context<MemberActor>, input: { jobId: string }): Promise<boolean> {
  const job = await takeJob(ctx, input.jobId);
  if (!job) return false;
  const report = reportSoFar(job);
  const before = report.refused.length;
  // Of those that reading the files refused, only the first are in the report.
  const refusedCount = () => job.refusedCount + report.refused.length - before;
  let doneDrafts = job.done;
  let leaseUntil = job.leaseUntil;
  let reportedAt = 0;

  const write = async (
    done: number,
    as: 'under-way' | 'released' | 'done' | 'closed',
    on: Executor = ctx.kysely,
  ) => {
    const [until, now] = lease(ctx);
    const { numUpdatedRows } = await on
      .updateTable('ImportJob')
      .set({
        done,
        created: report.created,
        updated: report.updated,
        unchanged: report.unchanged,
        capacityFull: report.capacityFull,
        similar: json(report.similar),
        similarCount: report.similarCount,
        refused: json(report.refused.slice(0, KEPT_REFUSALS)),
        refusedCount: refusedCount(),
        updatedAt: now,
        leaseUntil: as === 'under-way' ? until : null,
        ...(as === 'done' ? { state: 'DONE', finishedAt: now } : {}),
        ...(as === 'closed' ? { state: 'FAILED', finishedAt: now } : {}),
      })
      .where('id', '=', job.id)
      .where('state', '=', 'RUNNING')
      .where('leaseUntil', '=', leaseUntil)
      .$if(as === 'under-way', (still) => still.where(mayStillWrite(ctx.actor)))
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new LeaseLost();
    leaseUntil = until;
  };

  try {
    await importDrafts(ctx, {
      spaceId: job.spaceId,
      source: job.source,
      drafts: readBatches(ctx, job.id),
      resume: { done: job.done, report },
      async onProgress(done) {
        doneDrafts = done;
        const at = ctx.clock.now().getTime();
        if (ctx.stopping?.aborted && done < job.total) {
          await write(done, 'released');
          throw new LeaseReleased();
        }
        if (done === job.total || at - reportedAt < REPORT_EVERY_MS) return;
        reportedAt = at;
        await write(done, 'under-way');
      },
    });
    await transaction(ctx, async (tx) => {
      await write(job.total, 'done', tx);
      await deleteBatches(tx, job.id);
      await recordFinished(tx, ctx, job, report, refusedCount());
    });
    await indexImported(ctx);
    return true;
  } catch (error) {
    if (error instanceof LeaseLost || error instanceof LeaseReleased) return false;
    if (isClosedMeanwhile(error)) {
      report.refused.unshift({ path: job.label, reason: CLOSED_MEANWHILE });
      await endClosed(ctx, job.id, (tx) => write(doneDrafts, 'closed', tx));
      return false;
    }
    await fail(ctx, job.id, leaseUntil);
    throw error;
  }
}

/** Takes the lease of a running job; undefined when another process has it, or this member may not write there. */
function takeJob(ctx: Context<MemberActor>, jobId: string): Promise<Job | undefined> {
  const [until, now] = lease(ctx);
  return ctx.kysely
    .updateTable('ImportJob')
    .set({ leaseUntil: until, updatedAt: now })
    .where('id', '=', jobId)
    .where('accountId', '=', ctx.actor.accountId)
    .where(isWithinReach(ctx.actor, 'spaceId', 'write'))
    .where(mayStillWrite(ctx.actor))
    .where(isOfOpenAccount)
    .where('state', '=', 'RUNNING')
    .where((eb) => eb.or([eb('leaseUntil', 'is', null), eb('leaseUntil', '<', now)]))
    .returningAll()
    .executeTakeFirst();
}

/** The report as the job has it: of its reading alone, or up to where it was interrupted. */
function reportSoFar(job: Job): ImportReport {
  return {
    created: job.created,
    updated: job.updated,
    unchanged: job.unchanged,
    refused: [...(job.refused as Refusal[])],
    capacityFull: job.capacityFull,
    similar: job.similar as ImportedAlike[],
    similarCount: job.similarCount,
  };
}

async function recordFinished(
  on: Executor,
  ctx: Context<MemberActor>,
  job: Job,
  { created, updated, unchanged }: ImportReport,
  refused: number,
): Promise<void> {
  await recordAudits(on, ctx, [
    {
      action: 'import.finished',
      accountId: ctx.actor.accountId,
      subject: { type: 'space', id: job.spaceId },
      data: { jobId: job.id, created, updated, unchanged, refused },
    },
  ]);
}

/** Discards what is left: importing the same files, once the account is reopened, writes what is missing. */
async function endClosed(
  ctx: Context<MemberActor>,
  id: string,
  write: (tx: Executor) => Promise<void>,
): Promise<void> {
  try {
    await transaction(ctx, async (tx) => {
      await write(tx);
      await deleteBatches(tx, id);
    });
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
  }
}

/** An import outlives its request: current rights are checked as it begins and at each progress report. */
function mayStillWrite({ accountId, memberId }: MemberActor) {
  return (eb: ExpressionBuilder<DB, 'ImportJob'>) =>
    eb.exists(
      eb
        .selectFrom('Member as m')
        .select('m.id')
        .where('m.id', '=', memberId)
        .where('m.accountId', '=', accountId)
        .where('m.status', '=', 'ACTIVE')
        .where(
          sql<boolean>`(m."role" = 'FOUNDER' or ('brain.write' = any(m."permissions")
            and (m."spaceRights" is null or m."spaceRights" ->> "ImportJob"."spaceId" = 'write')))`,
        ),
    );
}

/** In a closed account nothing is written: what is left of an import waits until the account is opened again. */
const isOfOpenAccount = (eb: ExpressionBuilder<DB, 'ImportJob'>) =>
  eb.exists(
    eb
      .selectFrom('Account as a')
      .select('a.id')
      .whereRef('a.id', '=', 'ImportJob.accountId')
      .where('a.closedAt', 'is', null),
  );

/** Indexes what was imported before the first search; if it fails, that search does it. */
async function indexImported(ctx: Context<MemberActor>): Promise<void> {
  try {
    await indexPending(ctx, { accountId: ctx.actor.accountId });
  } catch (error) {
    ctx.log.warn('search.index_failed', { accountId: ctx.actor.accountId, ...faultFields(error) });
  }
}

/** Ends a job as failed: what was written stays, the rest is discarded. A job that another process took over is left to it. */
async function fail(ctx: Context<MemberActor>, id: string, leaseUntil: Date | null): Promise<void> {
  const now = ctx.clock.now();
  await transaction(ctx, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('ImportJob')
      .set({ state: 'FAILED', finishedAt: now, updatedAt: now, leaseUntil: null })
      .where('id', '=', id)
      .where('state', '=', 'RUNNING')
      .where('leaseUntil', '=', leaseUntil)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await deleteBatches(tx, id);
  });
}

async function deleteBatches(on: Executor, jobId: string): Promise<void> {
  await on.deleteFrom('ImportBatch').where('jobId', '=', jobId).execute();
}

function lease(ctx: Context): [until: Date, now: Date] {
  const now = ctx.clock.now();
  return [new Date(now.getTime() + LEASE_MS), now];
}
