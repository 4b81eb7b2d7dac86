import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { syncFolder } from '../files.ts';
import { processToken } from '../processes.ts';

/** The store is a private one. */
export type Access = 'private';

/** What is known of one stored file. `object` names its bytes on disk. */
export type BlobRow = {
  pathname: string;
  access: Access;
  object: string;
  size: number;
  contentType: string;
  cacheSeconds: number;
  etag: string;
  uploadedAtMs: number;
};

// The wait first: the last process that closes the index locks it for a moment, and the second line would be refused.
const SCHEMA = `
  pragma busy_timeout = 10000;
  pragma journal_mode = wal;
  pragma synchronous = full;
  create table if not exists blob (
    pathname text primary key, access text not null, object text not null, size integer not null,
    contentType text not null, cacheSeconds integer not null, etag text not null, uploadedAtMs integer not null
  ) without rowid;
  create table if not exists loose_object (object text primary key, owner text not null) without rowid;
  create table if not exists upload (
    id text primary key, pathname text not null, settings text not null, createdAtMs integer not null
  ) without rowid;
  create table if not exists part (
    uploadId text not null, number integer not null, object text not null, size integer not null, etag text not null,
    primary key (uploadId, number)
  ) without rowid;
  create table if not exists callback (
    id integer primary key, url text not null, body text not null, signature text not null,
    attempts integer not null default 0, nextAtMs integer not null
  );
`;

/**
 * The index of the embedded file store: what exists, ordered by pathname, beside the bytes in `objects/`. Several
 * processes may open it at once. An object on disk is either named by a row or listed as loose, and the loose ones of
 * a killed process are removed at the next opening: nothing leaks and nothing half-written is ever visible. A row that
 * was written is on the disk, and so is what it names: whoever was answered may rely on both after a power cut.
 */
export class BlobIndex {
  readonly folder: string;
  readonly sql: DatabaseSync;
  readonly #owner = `${process.pid}:${processToken(process.pid)}`;

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(path.join(folder, 'objects'), { recursive: true, mode: 0o700 });
    this.sql = new DatabaseSync(path.join(folder, 'index.sqlite'));
    this.sql.exec(SCHEMA);
  }

  /** The place on disk of an object. */
  pathOf(object: string): string {
    return path.join(this.folder, 'objects', object.slice(0, 2), object);
  }

  /** A new object's name, listed as loose until a row takes it. */
  newObject(): string {
    const object = randomBytes(16).toString('hex');
    mkdirSync(path.dirname(this.pathOf(object)), { recursive: true, mode: 0o700 });
    this.sql.prepare('insert into loose_object (object, owner) values (?, ?)').run(object, this.#owner);
    return object;
  }

  /** After an object's bytes were synced: its name is on the disk too. */
  async settle(object: string): Promise<void> {
    const folder = path.dirname(this.pathOf(object));
    await syncFolder(folder);
    // The folder itself may be new.
    await syncFolder(path.dirname(folder));
  }

  /** Runs a change whole or not at all. */
  change<T>(work: () => T): T {
    this.sql.exec('begin immediate');
    try {
      const result = work();
      this.sql.exec('commit');
      return result;
    } catch (error) {
      try {
        this.sql.exec('rollback');
      } catch {
        // On a full disk SQLite has rolled back by itself: what is told is why.
      }
      throw error;
    }
  }

  /** The same of a change that names a new object: when it fails, the object's bytes are removed. */
  async changeNaming<T>(object: string, work: () => T): Promise<T> {
    try {
      return this.change(work);
    } catch (error) {
      await this.discard(object);
      throw error;
    }
  }

  /** Inside a change: the object is named by a row from now on. */
  keep(object: string): void {
    this.sql.prepare('delete from loose_object where object = ?').run(object);
  }

  /** Inside a change: no row names the object any more. */
  loosen(object: string): void {
    this.sql
      .prepare('insert or replace into loose_object (object, owner) values (?, ?)')
      .run(object, this.#owner);
  }

  /** After a change: removes the bytes of loose objects. A reader that has the file open finishes undisturbed. */
  async discard(...objects: string[]): Promise<void> {
    for (const object of objects) {
      await rm(this.pathOf(object), { force: true });
      this.keep(object);
    }
  }

  /** At opening: what killed processes left behind, and multipart uploads given up more than a day ago. */
  async clean(nowMs: number): Promise<void> {
    const rows = this.sql.prepare('select object, owner from loose_object').all() as {
      object: string;
      owner: string;
    }[];
    const left = rows.filter(({ owner }) => {
      const [pid, token] = owner.split(':');
      return processToken(Number(pid)) !== token;
    });
    await this.discard(...left.map((row) => row.object));
    await this.dropGivenUp(nowMs);
  }

  /** Multipart uploads given up more than a day ago, and the bytes of their parts. */
  async dropGivenUp(nowMs: number): Promise<void> {
    const old = this.sql.prepare('select id from upload where createdAtMs < ?').all(nowMs - 86_400_000) as {
      id: string;
    }[];
    for (const { id } of old) await this.deleteUpload(id);
  }

  async deleteUpload(id: string): Promise<void> {
    const objects = this.change(() => {
      const parts = this.sql.prepare('select object from part where uploadId = ?').all(id) as {
        object: string;
      }[];
      for (const part of parts) this.loosen(part.object);
      this.sql.prepare('delete from part where uploadId = ?').run(id);
      this.sql.prepare('delete from upload where id = ?').run(id);
      return parts.map((part) => part.object);
    });
    await this.discard(...objects);
  }

  find(pathname: string): BlobRow | undefined {
    return this.sql.prepare('select * from blob where pathname = ?').get(pathname) as BlobRow | undefined;
  }

  /** Inside a change: writes the row; the object it named before becomes loose and is returned. */
  write(row: BlobRow): string | undefined {
    const before = this.find(row.pathname)?.object;
    this.sql
      .prepare(
        'insert or replace into blob values (:pathname, :access, :object, :size, :contentType, :cacheSeconds, :etag, :uploadedAtMs)',
      )
      .run(row);
    this.keep(row.object);
    if (before !== undefined) this.loosen(before);
    return before;
  }

  /** Inside a change: removes the row; its object becomes loose. */
  remove(row: BlobRow): void {
    this.sql.prepare('delete from blob where pathname = ?').run(row.pathname);
    this.loosen(row.object);
  }

  /** Up to `limit` rows whose pathname follows `after`, in order. The index answers; nothing else is read. */
  following(after: string, inclusive: boolean, limit: number): BlobRow[] {
    const sign = inclusive ? '>=' : '>';
    return this.sql
      .prepare(`select * from blob where pathname ${sign} ? order by pathname limit ?`)
      .all(after, limit) as BlobRow[];
  }

  close(): void {
    this.sql.close();
  }
}
