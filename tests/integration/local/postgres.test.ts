import { spawn } from 'node:child_process';
import { chown, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryRoot, testFolder } from '#lib/local/paths.ts';
import {
  deleteDataFolder,
  type EmbeddedPostgres,
  keepPostgres,
  openPostgres,
} from '#lib/local/postgres/server.ts';
import { migrateDatabase } from '#lib/local/prisma/migrate.ts';
import { isAlive } from '#lib/local/processes.ts';
import { until } from '#tests/setup/until.ts';

const dataDir = path.join(testFolder(), `postgres-${process.pid}`);
const open = () => openPostgres({ dataDir, durable: false });

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function postmaster(server: EmbeddedPostgres): Promise<number> {
  return Number(
    (await readFile(path.join(server.folder, 'cluster', 'postmaster.pid'), 'utf8')).split('\n')[0],
  );
}

beforeAll(() => mkdir(dataDir, { recursive: true }));
afterAll(() => deleteDataFolder(dataDir));

describe('the embedded PostgreSQL', () => {
  it('keeps its rows from one start to the next, and ends with the last one who holds it', async () => {
    const first = await open();
    const second = await open();
    expect([first.started, second.started]).toEqual([true, false]);
    expect(second.url).toBe(first.url);
    await query(first.url, 'create table kept as select 42 as n');
    const pid = await postmaster(first);
    await first.release();
    expect(await query(second.url, 'select n from kept')).toEqual([{ n: 42 }]);
    await second.release();
    expect(isAlive(pid)).toBe(false);
    const third = await open();
    expect(await query(third.url, 'select n from kept')).toEqual([{ n: 42 }]);
    await third.release();
  });

  it('a data folder from before the application had a role of its own is upgraded when it is opened, and its rows stay', async () => {
    const openFormer = () => openPostgres({ dataDir, database: 'former', durable: false });
    const before = await openFormer();
    await migrateDatabase({ ownerUrl: before.url, url: before.url });
    await query(before.url, `insert into "Account" values ('acc_1', 'Maison', 0, 0, null, now(), now())`);
    await query(before.url, 'drop role atelier_app');
    const marker = path.join(before.folder, 'cluster.json');
    const { appPassword: _, ...former } = JSON.parse(await readFile(marker, 'utf8')) as Record<
      string,
      unknown
    >;
    await before.release();
    await writeFile(marker, JSON.stringify(former));

    const server = await openFormer();
    expect(await migrateDatabase({ ownerUrl: server.url, url: server.appUrl })).toEqual([]);
    expect(await query(server.appUrl, 'select name from "Account"')).toEqual([{ name: 'Maison' }]);
    await expect(
      query(server.appUrl, 'drop trigger "AuditEntry_append_only" on "AuditEntry"'),
    ).rejects.toThrow('must be owner');
    await server.release();
    const again = await openFormer();
    expect(new URL(again.appUrl).password).toBe(new URL(server.appUrl).password);
    await again.release();
  });

  it('is not held by an opening that failed', async () => {
    const server = await open();
    await expect(openPostgres({ dataDir, database: '', durable: false })).rejects.toThrow('zero-length');
    expect(
      await query(
        server.url,
        `select count(*)::int as holds from pg_stat_activity where application_name = 'atelier-hold'`,
      ),
    ).toEqual([{ holds: 1 }]);
    const pid = await postmaster(server);
    await server.release();
    expect(isAlive(pid)).toBe(false);
  });

  it('sorts by code point and folds accents, on any machine', async () => {
    const server = await open();
    const rows = await query(
      server.url,
      `select lower('ÉTÉ ŒUVRE') as low, 'Z' < 'a' as ordered, current_setting('server_encoding') as enc`,
    );
    expect(rows).toEqual([{ low: 'été œuvre', ordered: true, enc: 'UTF8' }]);
    await server.release();
  });

  it('killed alone is started again where it was, by whoever holds it, with its rows', async () => {
    const server = await open();
    const pid = await postmaster(server);
    process.kill(pid, 'SIGKILL');
    const rows = await until('the killed server to answer at its address', () =>
      query(server.url, 'select n from kept'),
    );
    expect(rows).toEqual([{ n: 42 }]);
    expect(await postmaster(server)).not.toBe(pid);
    const other = await open();
    expect([other.started, other.url]).toEqual([false, server.url]);
    await other.release();
    await server.release();
    expect(isAlive(await postmaster(server).catch(() => 2_147_483_646))).toBe(false);
  });

  it('recovers from a crash of one of its processes, and is still held: its keeper does not take the silence for the end', async () => {
    const server = await open();
    const victim = new pg.Client({ connectionString: server.url });
    victim.on('error', () => undefined);
    await victim.connect();
    const { rows } = await victim.query<{ pid: number }>('select pg_backend_pid() as pid');
    process.kill(rows[0]?.pid as number, 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    expect(await until('its recovery', () => query(server.url, 'select 1 as one'))).toEqual([{ one: 1 }]);
    await server.release();
  });

  it('starts although the stale pid file names a process that lives', async () => {
    const server = await open();
    const folder = server.folder;
    await server.release();
    const file = path.join(folder, 'cluster', 'postmaster.pid');
    const { uid, gid } = await stat(path.join(folder, 'cluster'));
    await writeFile(
      file,
      `${process.pid}\n${path.join(folder, 'cluster')}\n1700000000\n5432\n\n127.0.0.1\n  1 1\nready   \n`,
    );
    await chown(file, uid, gid);
    const again = await open();
    expect(await query(again.url, 'select n from kept')).toEqual([{ n: 42 }]);
    await again.release();
  });

  it('makes a half-written cluster again', async () => {
    const server = await open();
    const { folder } = server;
    await server.release();
    await rm(path.join(folder, 'cluster.json'));
    await rm(path.join(folder, 'cluster', 'global'), { recursive: true });
    const again = await open();
    expect(await query(again.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await again.release();
  });

  it('is opened once by twenty who come at the same time', async () => {
    const servers = await Promise.all(Array.from({ length: 20 }, open));
    expect(servers.filter((server) => server.started)).toHaveLength(1);
    expect(new Set(servers.map((server) => server.url)).size).toBe(1);
    await Promise.all(servers.map((server) => server.release()));
  });

  it('is stopped by its keeper once nobody holds it, and not before', async () => {
    // A holder of its own, killed as by a kill -9: its session ends and no one has stopped the server.
    const script = `import { openPostgres } from '#lib/local/postgres/server.ts';
      const server = await openPostgres({ dataDir: ${JSON.stringify(dataDir)}, durable: false });
      process.stdout.write(server.folder + '\\n');
      setInterval(() => undefined, 1000);`;
    const holder = spawn(process.execPath, ['--input-type=module', '-e', script], {
      cwd: repositoryRoot,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const folder = await new Promise<string>((resolve) =>
      holder.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim())),
    );
    const pid = await postmaster({ folder } as EmbeddedPostgres);
    const keeper = keepPostgres(dataDir, 100);
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(isAlive(pid)).toBe(true);
    holder.kill('SIGKILL');
    await keeper;
    await until('the server to be gone', () => !isAlive(pid));
  });

  it('has its binaries copied by one of those that come at the same time, and the others find them whole', async () => {
    const native = path.join(dataDir, 'package', 'native');
    const into = path.join(dataDir, 'binaries');
    await mkdir(native, { recursive: true });
    await writeFile(path.join(native, '..', 'package.json'), JSON.stringify({ version: '1.2.3' }));
    const names = Array.from({ length: 300 }, (_, index) => `file-${index}`);
    for (const name of names) await writeFile(path.join(native, name), name);
    const links = [{ source: 'native/file-0', target: 'native/linked' }];
    await writeFile(path.join(native, 'pg-symlinks.json'), JSON.stringify(links));
    const script = `import { copyBinaries } from '#lib/local/postgres/place.ts';
      process.stdin.once('data', async () => {
        console.log(await copyBinaries(${JSON.stringify(native)}, ${JSON.stringify(into)}));
        process.exit();
      });
      console.log('ready');`;
    const copiers = Array.from({ length: 4 }, () =>
      spawn(process.execPath, ['--input-type=module', '-e', script], {
        cwd: repositoryRoot,
        stdio: ['pipe', 'pipe', 'inherit'],
      }),
    );
    const ends = copiers.map((child) => new Promise((resolve) => child.on('close', resolve)));
    await Promise.all(copiers.map((child) => new Promise((said) => child.stdout.once('data', said))));
    for (const child of copiers) child.stdin.write('go\n');
    expect(await Promise.all(ends)).toEqual([0, 0, 0, 0]);
    expect(await readdir(into)).toEqual(['1.2.3']);
    const whole = [...names, 'linked', 'pg-symlinks.json'].sort();
    expect((await readdir(path.join(into, '1.2.3'))).sort()).toEqual(whole);
    expect((await readdir(native)).sort()).toEqual(whole);
  });
});
