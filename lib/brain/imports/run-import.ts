import { type ExpressionBuilder, sql } from 'kysely';
import type { MemberActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { faultFields } from '#lib/core/faults.ts';
import { isWithinReach } from '#lib/db/space-rights.ts';
import type { DB } from '#lib/db/types.ts';
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

/** Another process took the job over, or its member may write there no more: this one stops where it is. */
class LeaseLost extends Error {}

/** This instance is asked to stop: whoever looks at the import next, on another one, goes on with it at once. */
class LeaseReleased extends Error {}

/**
 * Writes the Memories of a recorded import, as the member who acts, and its progress as it goes. Only one process at a time is at it; a
 * process that dies leaves a lease that ends, one that is asked to stop gives it back, and the next call goes on from what was written,
 * without writing anything twice. When its member loses the right to write there it stops likewise, and who has it goes on. When the account is
 * closed meanwhile it ends as failed, with the reason. Returns whether this call did the work.
 */
export async function runImport(ctx: Context<MemberActor>, input: { jobId: string }): Promise<boolean> {
  const { accountId } = ctx.actor;
  const [until, now] = lease(ctx);
  const job = await ctx.kysely
    .updateTable('ImportJob')
    .set({ leaseUntil: until, updatedAt: now })
    .where('id', '=', input.jobId)
    .where('accountId', '=', accountId)
    .where(isWithinReach(ctx.actor, 'spaceId', 'write'))
    .where(mayStillWrite(ctx.actor))
    .where(isOfOpenAccount)
    .where('state', '=', 'RUNNING')
    .where((eb) => eb.or([eb('leaseUntil', 'is', null), eb('leaseUntil', '<', now)]))
    .returningAll()
    .executeTakeFirst();
  if (!job) return false;
  const before = job.refused as Refusal[];
  // Of those that reading the files refused, only the first are in the report.
  const refusedCount = (report: ImportReport) => job.refusedCount + report.refused.length - before.length;
  const report: ImportReport = {
    created: job.created,
    updated: job.updated,
    unchanged: job.unchanged,
    refused: [...before],
    capacityFull: job.capacityFull,
    similar: job.similar as ImportedAlike[],
    similarCount: job.similarCount,
  };
  let doneDrafts = job.done;
  let leaseUntil = job.leaseUntil;
  let reportedAt = 0;

  const write = async (done: number, as: 'under-way' | 'released' | 'done' | 'closed') => {
    const [until, now] = lease(ctx);
    const { numUpdatedRows } = await ctx.kysely
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
        refusedCount: refusedCount(report),
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
    await write(job.total, 'done');
    await deleteBatches(ctx, job.id);
    await indexImported(ctx);
    await recordAudits(ctx.kysely, ctx, [
      {
        action: 'import.finished',
        accountId,
        subject: { type: 'space', id: job.spaceId },
        data: {
          jobId: job.id,
          created: report.created,
          updated: report.updated,
          unchanged: report.unchanged,
          refused: refusedCount(report),
        },
      },
    ]);
    return true;
  } catch (error) {
    if (error instanceof LeaseLost || error instanceof LeaseReleased) return false;
    if (isClosedMeanwhile(error)) {
      report.refused.unshift({ path: job.label, reason: CLOSED_MEANWHILE });
      await endClosed(ctx, job.id, () => write(doneDrafts, 'closed'));
      return false;
    }
    await fail(ctx, job.id, leaseUntil);
    throw error;
  }
}

/** What is left is discarded: the same files, imported once the account is opened again, write what lacks. */
async function endClosed(ctx: Context<MemberActor>, id: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (error instanceof LeaseLost) return;
    throw error;
  }
  await deleteBatches(ctx, id);
}

/** An import outlives its request: as it begins, and as it writes how far it is, it asks for the rights of that moment. */
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

/** What was imported is ready for search before the first one asks; if not, that one makes it so. */
async function indexImported(ctx: Context<MemberActor>): Promise<void> {
  try {
    await indexPending(ctx, { accountId: ctx.actor.accountId });
  } catch (error) {
    ctx.log.warn('search.index_failed', { accountId: ctx.actor.accountId, ...faultFields(error) });
  }
}

/** What was written stays; what was left is discarded, so that nothing waits for ever. A job that another process took over is that one's. */
async function fail(ctx: Context<MemberActor>, id: string, leaseUntil: Date | null): Promise<void> {
  const now = ctx.clock.now();
  const { numUpdatedRows } = await ctx.kysely
    .updateTable('ImportJob')
    .set({ state: 'FAILED', finishedAt: now, updatedAt: now, leaseUntil: null })
    .where('id', '=', id)
    .where('state', '=', 'RUNNING')
    .where('leaseUntil', '=', leaseUntil)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await deleteBatches(ctx, id);
}

async function deleteBatches(ctx: Context, jobId: string): Promise<void> {
  await ctx.kysely.deleteFrom('ImportBatch').where('jobId', '=', jobId).execute();
}

function lease(ctx: Context): [until: Date, now: Date] {
  const now = ctx.clock.now();
  return [new Date(now.getTime() + LEASE_MS), now];
}
