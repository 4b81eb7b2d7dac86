import { sql } from 'kysely';
import type { Context } from '#lib/core/context.ts';
import { endOfZip, writeStream, writeText } from '#lib/core/zip/zip.ts';
import { transaction } from '#lib/db/transaction.ts';
import { json } from '#lib/db/values.ts';
import type { FileStore } from '../file-store.ts';
import { OPEN_MS, partPath } from './exports.ts';

/** How long a process keeps an export without renewing its lease. */
export const LEASE_MS = 120_000;

/** The position of an export: the section, the last row read in it, and the next page of its file. */
export type Cursor = { step: number; after: string; page: number };
/** An export under way, as its row and the slice at work know it. */
export type ExportJob = {
  id: string;
  accountId: string;
  cursor: Cursor;
  done: number;
  parts: number;
  bytes: number;
  entries: number;
};

/** Another process took over the export, or it ended: this process stops. */
export class LeaseLost extends Error {}

/** The part of a zip written between two stored parts. */
export class Slice {
  readonly #ctx: Context;
  readonly #store: FileStore;
  readonly #job: ExportJob;
  readonly #partBytes: number;
  #lease: Date;
  #chunks: Uint8Array[] = [];
  #held = 0;
  #records: Buffer[] = [];

  constructor(ctx: Context, store: FileStore, job: ExportJob, lease: Date, partBytes: number) {
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

  /** Parts of a slice that crashed before recording them are written again. */
  async begin(): Promise<void> {
    await this.#ctx.kysely
      .deleteFrom('AccountExportPart')
      .where('exportId', '=', this.#job.id)
      .where('position', '>=', this.#job.parts)
      .execute();
  }

  async write(chunk: Uint8Array): Promise<void> {
    // Flushed before an entry, not after: the end of an entry and its directory record stay in memory together.
    if (this.#held >= this.#partBytes) await this.flush({ whole: false });
    this.#chunks.push(chunk);
    this.#held += chunk.byteLength;
  }

  async text(name: string, text: string): Promise<void> {
    // Awaited first: a part stored in the meantime takes its list of records with it.
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
      // Extends the lease first: a process that took over writes parts under the same names.
      await this.#extend({});
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
      state: 'READY' as const,
      done: sql<number>`"total"`,
      expiresAt: new Date(now.getTime() + OPEN_MS),
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
