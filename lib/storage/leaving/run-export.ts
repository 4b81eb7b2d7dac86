import { sql } from 'kysely';
import type { Actor, SystemActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { faultFields } from '#lib/core/faults.ts';
import { transaction } from '#lib/db/transaction.ts';
import { json } from '#lib/db/values.ts';
import { type FilesContext, requireStore } from '../context.ts';
import type { FileStore } from '../file-store.ts';
import { exportFolder, OPEN_MS, partPath } from './exports.ts';
import { readFiles, readRows, SECTIONS } from './sections.ts';
import { endOfZip, writeStream, writeText } from './zip.ts';

/** A part of the zip is put into the store when it is this long: what a slice holds in memory. */
const PART_BYTES = 8 * 1_048_576;
const LEASE_MS = 120_000;
/** No new page begins once a slice took this long. */
const SLICE_MS = 150_000;

type Cursor = { step: number; after: string; page: number };
type Job = {
  id: string;
  accountId: string;
  cursor: Cursor;
  done: number;
  parts: number;
  bytes: number;
  entries: number;
};

/** Another process took the export over, or it ended: this one stops where it is. */
class LeaseLost extends Error {}

/**
 * Makes one slice of an export: takes it up where the last whole part ended, and goes on until its time is over or the zip is whole. One
 * process at a time is at it. Returns whether there is more to do; false too when another process is at it.
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
  const job: Job = { ...row, cursor: row.cursor as Cursor, bytes: Number(row.bytes) };
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
    } while (ctx.clock.now().getTime() < endMs);
    await slice.flush({ whole: true });
    await slice.release();
    return true;
  } catch (error) {
    if (error instanceof LeaseLost) return false;
    // What was written stays: the lease ends, and the next pass goes on. It is given up when its time is over.
    ctx.log.error('account.export_failed', { exportId: job.id, ...faultFields(error) });
    return true;
  }
}

async function writePage(ctx: FilesContext<Actor>, slice: Slice, job: Job): Promise<void> {
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

/** What is written of a zip between two whole parts. */
class Slice {
  readonly #ctx: Context;
  readonly #store: FileStore;
  readonly #job: Job;
  readonly #partBytes: number;
  #lease: Date;
  #chunks: Uint8Array[] = [];
  #held = 0;
  #records: Buffer[] = [];

  constructor(ctx: Context, store: FileStore, job: Job, lease: Date, partBytes: number) {
    this.#ctx = ctx;
    this.#store = store;
    this.#job = job;
    this.#lease = lease;
    this.#partBytes = partBytes;
  }

  /** Position in the zip of the next byte. */
  get bytes(): number {
    return this.#job.bytes + this.#held;
  }

  /** Parts of a slice that died before it could say so are written again. */
  async begin(): Promise<void> {
    await this.#ctx.kysely
      .deleteFrom('AccountExportPart')
      .where('exportId', '=', this.#job.id)
      .where('position', '>=', this.#job.parts)
      .execute();
  }

  async write(chunk: Uint8Array): Promise<void> {
    // Before, not after: what an entry ends with is always held, and its directory record goes with it.
    if (this.#held >= this.#partBytes) await this.flush({ whole: false });
    this.#chunks.push(chunk);
    this.#held += chunk.byteLength;
  }

  async text(name: string, text: string): Promise<void> {
    // Awaited first: a part that is put away meanwhile takes its list of records with it.
    const record = await writeText(this, name, text, this.#ctx.clock.now());
    this.#records.push(record);
    this.#job.entries += 1;
  }

  /** A file that the store does not have is named by an entry that says so. */
  async file(pathname: string, at: Date): Promise<void> {
    const opened = await this.#store.open(pathname);
    if (!opened)
      return this.text(`fichiers/${pathname}.absent.txt`, 'Le magasin de fichiers n’a plus ce fichier.\n');
    const stream = opened.stream as unknown as AsyncIterable<Uint8Array>;
    const record = await writeStream(this, `fichiers/${pathname}`, stream, at);
    this.#records.push(record);
    this.#job.entries += 1;
  }

  /** Between two entries: puts the part away when it is long enough, and the cursor with it. */
  async settle(): Promise<void> {
    if (this.#held >= this.#partBytes / 2) await this.flush({ whole: true });
  }

  /** Puts what is held into the store. `whole`: an entry ends here, so that another slice can go on from it. */
  async flush({ whole }: { whole: boolean }): Promise<void> {
    const { id, accountId } = this.#job;
    if (this.#held > 0) {
      const part = Buffer.concat(this.#chunks);
      const position = this.#job.parts;
      await this.#store.put(partPath(accountId, id, position), part, {
        contentType: 'application/octet-stream',
      });
      await this.#ctx.kysely
        .insertInto('AccountExportPart')
        .values({
          exportId: id,
          accountId,
          position,
          bytes: BigInt(part.length),
          directory: Buffer.concat(this.#records),
        })
        .execute();
      this.#job.parts += 1;
      this.#job.bytes += part.length;
      this.#chunks = [];
      this.#held = 0;
      this.#records = [];
    }
    await this.#extend(whole ? this.#progress() : {});
  }

  /** The directory and the end of the zip; then it can be opened. */
  async finish(): Promise<void> {
    await this.flush({ whole: true });
    const { id } = this.#job;
    const offset = this.#job.bytes;
    const last = this.#job.parts;
    let bytes = 0;
    for (let position = 0; position < last; position += 1) {
      const part = await this.#ctx.db.accountExportPart.findUnique({
        where: { exportId_position: { exportId: id, position } },
        select: { directory: true },
      });
      if (!part) throw new Error('A part of an export lost its directory.');
      bytes += part.directory.length;
      await this.write(part.directory);
    }
    await this.write(endOfZip({ entries: this.#job.entries, bytes, offset }));
    await this.flush({ whole: false });
    const now = this.#ctx.clock.now();
    await this.#extend({
      ...this.#progress(),
      ...{
        state: 'READY' as const,
        done: sql<number>`"total"`,
        expiresAt: new Date(now.getTime() + OPEN_MS),
      },
    });
  }

  async release(): Promise<void> {
    await this.#extend({ leaseUntil: null });
  }

  #progress() {
    const { done, parts, bytes, entries, cursor } = this.#job;
    return {
      done: sql<number>`least("total", ${done}::int)`,
      parts,
      bytes: BigInt(bytes),
      entries,
      cursor: json(cursor),
    };
  }

  async #extend(values: object): Promise<void> {
    const now = this.#ctx.clock.now();
    const lease = new Date(now.getTime() + LEASE_MS);
    await transaction(this.#ctx, async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('AccountExport')
        .set({ updatedAt: now, leaseUntil: lease, ...values })
        .where('id', '=', this.#job.id)
        .where('state', '=', 'RUNNING')
        .where('leaseUntil', '=', this.#lease)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) throw new LeaseLost();
    });
    this.#lease = lease;
  }
}

/** Takes up the exports that nobody is at: what a process left, and the next slices of the long ones. Returns how many it worked on. */
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

/** Removes exports whose time is over: parts first, then rows. Returns how many. */
export async function tidyExports(ctx: FilesContext<SystemActor>): Promise<number> {
  const { store } = ctx.files;
  if (!store) return 0;
  const over = await ctx.db.accountExport.findMany({
    where: { expiresAt: { lt: ctx.clock.now() } },
    select: { id: true, accountId: true },
    take: 100,
  });
  for (const { id, accountId } of over) {
    await deleteUnder(store, `${exportFolder(accountId)}${id}/`);
    await ctx.db.accountExport.delete({ where: { id } });
  }
  return over.length;
}

/** Deletes every file under a folder. Returns how many. */
export async function deleteUnder(store: FileStore, prefix: string): Promise<number> {
  let deleted = 0;
  for (;;) {
    const { files } = await store.list({ prefix, limit: 500 });
    if (files.length === 0) return deleted;
    await store.delete(files.map(({ pathname }) => pathname));
    deleted += files.length;
  }
}

const README = `Export d’un compte d’Atelier
============================

donnees/    une ligne de JSON par enregistrement, dans l’ordre de leur création. Les montants sont en micro-dollars, les dates en temps universel.
  memoires/, historique/, espaces/     le Brain\u00a0: textes, versions successives (les supprimées encore en corbeille comprises), espaces
  journal/, medias/, envois/, avatars/, idees/, lecons/, rushes/, consentements/    le Studio
  portefeuilles/, ecritures/, budget/  les comptes
  membres/, cles/, applications/       qui entre (sans aucun secret)
  audit/                               la piste
fichiers/   les fichiers, sous le chemin que les enregistrements nomment (pathname)
`;
