import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import type { FileStore } from '#lib/storage/file-store.ts';
import { applyMigrations } from '../prisma/migrations.ts';
import { copyIn } from './copy.ts';
import { fileOf, type Manifest, tableFile, withOwner } from './dump.ts';
import {
  isLeftOver,
  markStore,
  putFiles,
  RestoreRefused,
  takeBackFiles,
  unmarkStore,
} from './restore-files.ts';
import { listTables, quoted, readApplied } from './tables.ts';

/**
 * Restores a dump into an empty database and an empty store, or a store that holds what a killed restore of this dump left: migrations first,
 * then files, and when all are there rows as they were (without triggers, whose effects are in the dump) and sequences. Throws `RestoreRefused`
 * when the dump is incomplete, a table holds a row, the store another file, or the migrations differ. After any failure no row and no file of the
 * dump is left, and it can be run again; except that the files stay when the server does not say whether the rows were committed. Of two at
 * once on one database the second is refused.
 */
export async function restore(options: {
  ownerUrl: string;
  store: FileStore | null;
  folder: string;
}): Promise<Manifest> {
  return withOwner(options.ownerUrl, async (client) => {
    // Held until this session ends, as it does when the process is killed: who finds a mark and no lock knows that nobody is at work.
    const { rows } = await client.query<{ mine: boolean }>(
      "select pg_try_advisory_lock(hashtextextended('restore', 0)) as mine",
    );
    if (!rows[0]?.mine) throw new RestoreRefused('Another restore of this database is under way.');
    return restoreAlone(options);
  });
}

async function restoreAlone(options: Parameters<typeof restore>[0]): Promise<Manifest> {
  const { folder, store } = options;
  const text = await readFile(path.join(folder, 'manifest.json'), 'utf8');
  const manifest = JSON.parse(text) as Manifest;
  const id = createHash('sha256').update(text).digest('hex');
  const isMarked = store !== null && (await isLeftOver(store, { id, files: manifest.files }));
  await refuseCutDump(folder, manifest);
  await applyMigrations(options.ownerUrl);
  await withOwner(options.ownerUrl, (client) => refuseUnlikeDump(client, manifest));
  let isAsked = false;
  try {
    if (store && !isMarked) await markStore(store, id);
    // Files first: members would notice a row without its file, not a file without its row.
    if (store) await putFiles(store, folder, manifest.files);
    await withOwner(options.ownerUrl, async (client) => {
      await client.query('begin');
      await restoreRows(client, folder, manifest);
      isAsked = true;
      await client.query('commit');
    });
  } catch (error) {
    if (store && !(isAsked && isUnanswered(error))) await takeBackFiles(store, manifest.files);
    throw error;
  }
  if (store) await unmarkStore(store);
  await withOwner(options.ownerUrl, (client) => client.query('analyze'));
  return manifest;
}

/** Inside the transaction. Checks again that the database is empty: somebody may have written since. */
async function restoreRows(client: pg.Client, folder: string, manifest: Manifest): Promise<void> {
  await refuseUnlikeDump(client, manifest);
  await withoutTriggers(client, manifest, async () => {
    for (const { name, columns } of manifest.tables)
      await copyIn(
        client,
        `copy public.${quoted(name)} (${columns.map(quoted).join(', ')}) from stdin`,
        createReadStream(tableFile(folder, name)),
      );
  });
  for (const { name, lastValue, isCalled } of manifest.sequences)
    await client.query('select setval($1::regclass, $2::bigint, $3)', [
      `public.${quoted(name)}`,
      lastValue,
      isCalled,
    ]);
}

/**
 * Whether the outcome of a transaction is unknown: the server names the reason of a rollback, but a shutdown (class 57), or an error from
 * anything else, leaves it open.
 */
function isUnanswered(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || Boolean(error.code?.startsWith('57'));
}

/** Checks that the dump is complete before anything is written: PostgreSQL would accept a table cut between two rows, and a store any bytes. */
async function refuseCutDump(folder: string, { tables, files }: Manifest): Promise<void> {
  for (const { name, bytes } of tables) {
    const found = await stat(tableFile(folder, name)).catch(() => null);
    if (found?.size !== bytes)
      throw new RestoreRefused(
        `The dump is not whole: ${name} has ${found?.size ?? 0} of its ${bytes} bytes.`,
      );
  }
  for (const [rank, { pathname, sha256 }] of files.entries())
    if ((await digestOf(fileOf(folder, rank))) !== sha256)
      throw new RestoreRefused(`The dump is not whole: ${pathname} is not the file that was dumped.`);
}

async function digestOf(file: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  } catch {
    return null;
  }
  return hash.digest('hex');
}

async function refuseUnlikeDump(client: pg.Client, manifest: Manifest): Promise<void> {
  if (!isDeepStrictEqual(await readApplied(client), manifest.migrations))
    throw new RestoreRefused(
      'The dump was taken under other migrations: restore it with the code of that day.',
    );
  const tables = await listTables(client);
  if (
    !isDeepStrictEqual(
      tables.map(({ name, columns }) => ({ name, columns })),
      manifest.tables.map(({ name, columns }) => ({ name, columns })),
    )
  )
    throw new RestoreRefused('Tables or columns differ from those of the dump.');
  for (const { name } of tables) {
    const { rowCount } = await client.query(`select 1 from public.${quoted(name)} limit 1`);
    if (rowCount !== 0) throw new RestoreRefused(`The table ${name} is not empty.`);
  }
}

/** Inside the transaction: a restore that fails leaves every trigger where it was. */
async function withoutTriggers(
  client: pg.Client,
  { tables }: Manifest,
  work: () => Promise<void>,
): Promise<void> {
  for (const { name } of tables)
    await client.query(`alter table public.${quoted(name)} disable trigger user`);
  await work();
  for (const { name } of tables) await client.query(`alter table public.${quoted(name)} enable trigger user`);
}
