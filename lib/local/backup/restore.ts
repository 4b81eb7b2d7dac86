import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import type { FileStore } from '#lib/storage/file-store.ts';
import { applyMigrations } from '../prisma/migrations.ts';
import { copyIn } from './copy.ts';
import { fileOf, type Manifest, withOwner } from './dump.ts';
import { listTables, quoted, readApplied } from './tables.ts';

/** What was wrong with where a dump was to be restored. Nothing was written. */
export class RestoreRefused extends Error {}

/**
 * Restores a dump into an empty database and an empty store: migrations first, then rows as they were (no trigger runs: what triggers
 * wrote is in the dump), sequences, files. Throws `RestoreRefused` when a table holds a row, the store a file, or the migrations differ.
 */
export async function restore(options: {
  ownerUrl: string;
  store: FileStore | null;
  folder: string;
}): Promise<Manifest> {
  const { folder, store } = options;
  const manifest = JSON.parse(await readFile(path.join(folder, 'manifest.json'), 'utf8')) as Manifest;
  if (store && (await store.list({ prefix: '', limit: 1 })).files.length > 0)
    throw new RestoreRefused('The file store is not empty.');
  await applyMigrations(options.ownerUrl);
  await withOwner(options.ownerUrl, async (client) => {
    await refuseUnlikeDump(client, manifest);
    await client.query('begin');
    await withoutTriggers(client, manifest, async () => {
      for (const { name, columns } of manifest.tables)
        await copyIn(
          client,
          `copy public.${quoted(name)} (${columns.map(quoted).join(', ')}) from stdin`,
          createReadStream(path.join(folder, 'tables', `${name}.copy`)),
        );
    });
    for (const { name, lastValue, isCalled } of manifest.sequences)
      await client.query('select setval($1::regclass, $2::bigint, $3)', [
        `public.${quoted(name)}`,
        lastValue,
        isCalled,
      ]);
    await client.query('commit');
    await client.query('analyze');
  });
  for (const [rank, { pathname, contentType }] of manifest.files.entries())
    await store?.put(pathname, await readFile(fileOf(folder, rank)), { contentType });
  return manifest;
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
