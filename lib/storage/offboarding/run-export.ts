import type { Actor, SystemActor } from '#lib/core/actor.ts';
import { faultFields } from '#lib/core/faults.ts';
import { type TimeLimit, timeLimit } from '#lib/core/resource-limits/time-limit.ts';
import { type FilesContext, requireStore } from '../context.ts';
import type { FileStore } from '../file-store.ts';
import { inStoreTime } from '../retention/budget.ts';
import { type Cursor, type ExportJob, LEASE_MS, LeaseLost, Slice } from './export-slice.ts';
import { exportFolder } from './exports.ts';
import { readFiles, readRows, SECTIONS } from './sections.ts';

/** A part of the zip is put into the store when it is this long: what a slice holds in memory. */
const PART_BYTES = 8 * 1_048_576;
/** No new page begins once a slice took this long. */
const SLICE_MS = 150_000;
/** How long a night gives to exports whose time is over; the next one goes on. */
const TIDY_MS = 20_000;

/**
 * Writes one slice of an export: continues from the last whole part until its time is over, this instance is shutting down or the zip is
 * complete. One process at a time. Returns whether there is more to do; false also when another process is writing it.
 */
export async function runExport(
  ctx: FilesContext<Actor>,
  input: { exportId: string; sliceMs?: number; partBytes?: number },
): Promise<boolean> {
  const store = requireStore(ctx);
  const now = ctx.clock.now();
  const row = await ctx.kysely
    .updateTable('AccountExport')
    .set({ leaseUntil: new Date(now.getTime() + LEASE_MS), updatedAt: now })
    .where('id', '=', input.exportId)
    .where('state', '=', 'RUNNING')
    .where((eb) => eb.or([eb('leaseUntil', 'is', null), eb('leaseUntil', '<', now)]))
    .returningAll()
    .executeTakeFirst();
  if (!row) return false;
  const job: ExportJob = { ...row, cursor: row.cursor as Cursor, bytes: Number(row.bytes) };
  const slice = new Slice(ctx, store, job, row.leaseUntil as Date, input.partBytes ?? PART_BYTES);
  try {
    await slice.begin();
    const endMs = now.getTime() + (input.sliceMs ?? SLICE_MS);
    do {
      if (job.cursor.step >= SECTIONS.length) {
        await slice.finish();
        return false;
      }
      await writePage(ctx, slice, job);
      await slice.settle();
    } while (!ctx.stopping?.aborted && ctx.clock.now().getTime() < endMs);
    await slice.flush({ whole: true });
    await slice.release();
    return true;
  } catch (error) {
    if (error instanceof LeaseLost) return false;
    // What was written stays: the lease expires, and the next pass continues, until the export's own time is over.
    ctx.log.error('account.export_failed', { exportId: job.id, ...faultFields(error) });
    return true;
  }
}

async function writePage(ctx: FilesContext<Actor>, slice: Slice, job: ExportJob): Promise<void> {
  const { step, after, page } = job.cursor;
  const section = SECTIONS[step];
  const next = () => {
    job.cursor = { step: step + 1, after: '', page: 1 };
  };
  if (!section) return next();
  if (step === 0 && after === '') await slice.text('LISEZMOI.txt', README);
  if (section.kind === 'rows') {
    const found = await readRows(ctx.kysely, section, { accountId: job.accountId, after });
    if (!found) return next();
    await slice.text(`donnees/${section.folder}/${String(page).padStart(5, '0')}.jsonl`, found.text);
    job.done += found.count;
    if (found.after === null) next();
    else job.cursor = { step, after: found.after, page: page + 1 };
    return;
  }
  const files = await readFiles(ctx.kysely, section.table, { accountId: job.accountId, after });
  // One at a time: a slice may end between two of them.
  const [file] = files;
  if (!file) return next();
  for (const one of files) {
    await slice.file(one.pathname, one.at);
    job.done += 1;
    job.cursor = { step, after: one.id, page: 1 };
    await slice.settle();
  }
}

/** Continues the exports that no process is writing: interrupted ones, and the next slices of long ones. Returns how many it worked on. */
export async function runExports(
  ctx: FilesContext<SystemActor>,
  options: { sliceMs?: number } = {},
): Promise<number> {
  if (!ctx.files.store) return 0;
  const rows = await ctx.kysely
    .selectFrom('AccountExport')
    .select('id')
    .where('state', '=', 'RUNNING')
    .where('expiresAt', '>', ctx.clock.now())
    .where((eb) => eb.or([eb('leaseUntil', 'is', null), eb('leaseUntil', '<', ctx.clock.now())]))
    .orderBy('updatedAt')
    .limit(3)
    .execute();
  for (const { id } of rows) await runExport(ctx, { exportId: id, sliceMs: options.sliceMs ?? 20_000 });
  return rows.length;
}

/** Deletes expired exports: parts first, then rows. Can be cut anywhere. Returns how many. The error of one is thrown once the others were tried. */
export async function tidyExports(ctx: FilesContext<SystemActor>, within?: TimeLimit): Promise<number> {
  const { store } = ctx.files;
  if (!store) return 0;
  const limit = timeLimit(ctx, TIDY_MS, within);
  const over = await ctx.db.accountExport.findMany({
    where: { expiresAt: { lt: ctx.clock.now() } },
    orderBy: { expiresAt: 'asc' },
    select: { id: true, accountId: true },
    take: 100,
  });
  let removed = 0;
  const failures: unknown[] = [];
  for (const [index, { id, accountId }] of over.entries()) {
    if (limit.isOver()) break;
    // An even part of the remaining time: a folder that the store goes on listing does not use up the others' time.
    const own = limit.upTo(limit.leftMs / (over.length - index));
    try {
      if (!(await deleteUnder(store, `${exportFolder(accountId)}${id}/`, own)).isEmpty) continue;
      // Another night may have been at it meanwhile.
      removed += (await ctx.db.accountExport.deleteMany({ where: { id } })).count;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return removed;
}

/**
 * Deletes the files under a folder for as long as it may take: a folder may hold any number, and a store may go on listing what it
 * deleted. `isEmpty`: none is left there; `deleted`: how many went now.
 */
export async function deleteUnder(
  store: FileStore,
  prefix: string,
  limit: TimeLimit,
): Promise<{ deleted: number; isEmpty: boolean }> {
  let deleted = 0;
  while (!limit.isOver()) {
    const { files } = await inStoreTime(store.list({ prefix, limit: 500 }));
    if (files.length === 0) return { deleted, isEmpty: true };
    await inStoreTime(store.delete(files.map(({ pathname }) => pathname)));
    deleted += files.length;
  }
  return { deleted, isEmpty: false };
}

const README = [
  'Export d’un compte d’Atelier',
  '============================',
  '',
  'donnees/    une ligne de JSON par enregistrement. Les montants («\u00a0Micros\u00a0») sont en millionièmes de dollar, les dates en temps universel.',
  ...SECTIONS.flatMap((section) =>
    section.kind === 'rows' ? [`  ${`${section.folder}/`.padEnd(22)}${section.about}`] : [],
  ),
  'fichiers/   les fichiers, sous le chemin que les enregistrements nomment (pathname)',
  '',
].join('\n');
