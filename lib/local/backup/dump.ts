import { createHash } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, open, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import type { FileStore } from '#lib/storage/file-store.ts';
import { withSession } from '../postgres/session.ts';
import { copyOut } from './copy.ts';
import { listTables, quoted, readApplied, readSequences, type SequenceState } from './tables.ts';

/** Where a store that is being filled says of which dump (`restore-files.ts`): at its root, where nothing that lists or deletes files meets it. */
export const RESTORE_MARK = 'atelier-restore.json';

/** A file of the store, as it was dumped. */
export type DumpedFile = { pathname: string; contentType: string; bytes: number; sha256: string };

/** What a dump holds: `manifest.json` beside `tables/` and `files/`. */
export type Manifest = {
  /** The database as it was at this instant, whatever was written meanwhile. */
  at: string;
  migrations: string[];
  tables: { name: string; columns: string[]; bytes: number }[];
  sequences: SequenceState[];
  files: DumpedFile[];
};

/** A session of the owner, to read or write everything. */
export function withOwner<T>(ownerUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  return withSession(ownerUrl, work, { name: 'atelier-backup' });
}

/**
 * Writes every table (COPY, one snapshot), every sequence, then every file of the store into `folder`; throws where that holds a dump. The
 * database first: what is stored in between is a file without a row, never a row without a file. For where `pg_dump` is missing.
 */
export async function dump(options: {
  ownerUrl: string;
  store: FileStore | null;
  folder: string;
  now: () => Date;
}): Promise<Manifest> {
  const { folder, store } = options;
  // An interrupted dump over another would leave that one’s manifest beside tables of both.
  if (existsSync(path.join(folder, 'manifest.json')))
    throw new Error(`${folder} holds a dump already: name another folder.`);
  await mkdir(path.join(folder, 'tables'), { recursive: true, mode: 0o700 });
  await mkdir(path.join(folder, 'files'), { recursive: true, mode: 0o700 });
  const database = await withOwner(options.ownerUrl, async (client) => {
    await client.query('begin isolation level repeatable read read only');
    const at = options.now().toISOString();
    const migrations = await readApplied(client);
    const tables: Manifest['tables'] = [];
    for (const { name, columns } of await listTables(client))
      tables.push({ name, columns, bytes: await dumpTable(client, folder, name, columns) });
    // Sequences are read last: no identifier of the snapshot can be above them.
    const sequences = await readSequences(client);
    await client.query('commit');
    return { at, migrations, tables, sequences };
  });
  const files = store ? await dumpFiles(store, folder) : [];
  const manifest: Manifest = { ...database, files };
  await writeFile(path.join(folder, 'manifest.json'), JSON.stringify(manifest), { mode: 0o600 });
  return manifest;
}

async function dumpTable(
  client: pg.Client,
  folder: string,
  name: string,
  columns: readonly string[],
): Promise<number> {
  const file = await open(tableFile(folder, name), 'w', 0o600);
  let bytes = 0;
  try {
    await copyOut(
      client,
      `copy public.${quoted(name)} (${columns.map(quoted).join(', ')}) to stdout`,
      async (chunk) => {
        // `write` may take a part of it, and says so only in what it returns.
        await file.appendFile(chunk);
        bytes += chunk.byteLength;
      },
    );
  } finally {
    await file.close();
  }
  return bytes;
}

async function dumpFiles(store: FileStore, folder: string): Promise<DumpedFile[]> {
  const files: DumpedFile[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.list({ prefix: '', ...(cursor ? { cursor } : {}) });
    for (const { pathname } of page.files) {
      if (pathname === RESTORE_MARK) continue;
      const [head, opened] = [await store.head(pathname), await store.open(pathname)];
      // Deleted since it was listed.
      if (!head || !opened) continue;
      const hash = createHash('sha256');
      const measured = async function* (source: AsyncIterable<Uint8Array>) {
        for await (const chunk of source) {
          hash.update(chunk);
          yield chunk;
        }
      };
      const target = createWriteStream(fileOf(folder, files.length), { mode: 0o600 });
      await pipeline(Readable.fromWeb(opened.stream as never), measured, target);
      files.push({
        pathname,
        contentType: head.contentType,
        bytes: target.bytesWritten,
        sha256: hash.digest('hex'),
      });
    }
    cursor = page.cursor;
  } while (cursor);
  return files;
}

/** The rows of one table, as COPY wrote them. */
export function tableFile(folder: string, name: string): string {
  return path.join(folder, 'tables', `${name}.copy`);
}

/** The bytes of the manifest's file of this rank: a pathname of the store is not one of this machine. */
export function fileOf(folder: string, rank: number): string {
  return path.join(folder, 'files', String(rank));
}
