import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { connect } from '#lib/db/connection.ts';
import { dump } from '#lib/local/backup/dump.ts';
import { differences, fingerprint } from '#lib/local/backup/fingerprint.ts';
import { restore } from '#lib/local/backup/restore.ts';
import { routeBlobHosts } from '#lib/local/blob/route-hosts.ts';
import { openBlobServer } from '#lib/local/blob/server.ts';
import { APP_ROLE } from '#lib/local/postgres/cluster.ts';
import { grantApplicationRights } from '#lib/local/postgres/rights.ts';
import { openPostgres } from '#lib/local/postgres/server.ts';
import { applyMigrations } from '#lib/local/prisma/migrations.ts';
import { vercelBlobStore } from '#lib/storage/file-store.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import type { TestService } from '#tests/setup/service.ts';
import { asked, generations, memories } from './options.ts';
import { sampleAnswers, seedForDrill } from './seed.ts';

// The drill of `npm run drill`, begun by run.ts once its options are right.
const LATE = 'Écrit après la copie.';
const seconds = (startMs: number) => (performance.now() - startMs) / 1000;
const folder = await mkdtemp(path.join(tmpdir(), 'atelier-drill-'));
const wrong: string[] = [];
try {
  if (asked.from || asked.to) await given(asked.from, asked.to);
  else await drillOwnService();
} finally {
  await rm(folder, { recursive: true, force: true });
}
for (const line of wrong.slice(0, 20)) console.log(`✗ ${line}`);
console.log(wrong.length === 0 ? '✓ everything is as it was' : `✗ ${wrong.length} differences`);
process.exitCode = wrong.length === 0 ? 0 : 1;

async function drillOwnService(): Promise<void> {
  const first = await openService('first');
  let second: OpenService | undefined;
  try {
    const seedStart = performance.now();
    const seeded = await seedForDrill(first.service, {
      store: first.store,
      memories,
      generations,
    });
    const seedSeconds = seconds(seedStart);
    const answers = await sampleAnswers(first.service, seeded, first.store);
    const before = await fingerprint({ ownerUrl: first.url, store: first.store });

    const dumpStart = performance.now();
    const manifest = await dump({ ownerUrl: first.url, store: first.store, folder, now: () => new Date() });
    const dumpSeconds = seconds(dumpStart);
    // The recovery point is the dump's snapshot: this is what a member loses.
    for (const title of ['a', 'b', 'c'])
      await addMemory(seeded.scene.ctx, {
        spaceId: seeded.spaceId,
        pillar: 'KNOWLEDGE',
        title,
        body: LATE,
        parentId: null,
        source: 'MANUAL',
        idempotencyKey: null,
      });
    const written = await countLate(first.service);
    await first.destroy();

    const restoreStart = performance.now();
    second = await openService('second');
    const lost = second;
    const openedSeconds = seconds(restoreStart);
    await restore({ ownerUrl: lost.url, store: lost.store, folder });
    await grantApplicationRights(lost.url, APP_ROLE);
    const restoreSeconds = seconds(restoreStart);
    wrong.push(...differences(before, await fingerprint({ ownerUrl: lost.url, store: lost.store })));
    wrong.push(...(await bookFaults(lost.service)));
    const again = await sampleAnswers(lost.service, seeded, lost.store);
    const readySeconds = seconds(restoreStart);
    for (const [name, answer] of Object.entries(answers))
      if (again[name] !== answer) wrong.push(`answer: ${name}`);
    const stayed = await countLate(lost.service);
    if (stayed !== 0) wrong.push(`${stayed} rows are younger than the dump`);

    const tableBytes = manifest.tables.reduce((sum, { bytes }) => sum + bytes, 0);
    const fileBytes = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0);
    console.log(
      JSON.stringify(
        {
          machine: `${cpus().length} × ${cpus()[0]?.model ?? '?'}`,
          seeded: `${asked.memories} Memories, ${asked.generations} generations in ${seedSeconds.toFixed(1)} s`,
          compared: `${Object.keys(before).length} sums, ${Object.keys(answers).length} answers`,
          tables: `${manifest.tables.length}, ${(tableBytes / 1e6).toFixed(1)} MB`,
          files: `${manifest.files.length}, ${(fileBytes / 1e6).toFixed(1)} MB`,
          dumpSeconds: Number(dumpSeconds.toFixed(1)),
          rpo: `the instant of the dump's snapshot: ${written} Memories were written after it, ${written - stayed} are lost`,
          rtoSeconds: {
            server: Number(openedSeconds.toFixed(1)),
            restored: Number(restoreSeconds.toFixed(1)),
            compared: Number(readySeconds.toFixed(1)),
          },
        },
        null,
        2,
      ),
    );
  } finally {
    await first.destroy();
    await second?.destroy();
  }
}

async function given(from: string | undefined, to: string | undefined): Promise<void> {
  if (!from || !to) throw new Error('--from and --to go together.');
  if (from === to) throw new Error('--to must be another, empty database.');
  const before = await fingerprint({ ownerUrl: from, store: null });
  const dumpStart = performance.now();
  await dump({ ownerUrl: from, store: null, folder, now: () => new Date() });
  const dumpSeconds = seconds(dumpStart);
  const restoreStart = performance.now();
  await restore({ ownerUrl: to, store: null, folder });
  console.log(JSON.stringify({ dumpSeconds, restoreSeconds: seconds(restoreStart), files: 'not copied' }));
  wrong.push(...differences(before, await fingerprint({ ownerUrl: to, store: null })));
}

/** What was written after the dump. */
function countLate({ db }: Pick<TestService, 'db'>): Promise<number> {
  return db.memory.count({ where: { body: LATE } });
}

type OpenService = Awaited<ReturnType<typeof openService>>;

/** A server, a database with every right as in production, and a file store: nothing shared with the other one. */
async function openService(name: string) {
  const dataDir = path.join(folder, name);
  const server = await openPostgres({ dataDir, database: 'atelier_drill' });
  await applyMigrations(server.url);
  await grantApplicationRights(server.url, APP_ROLE);
  const files = await openBlobServer({ dataDir });
  process.env.VERCEL_BLOB_API_URL = files.apiUrl;
  routeBlobHosts(files.apiUrl);
  const connection = connect({ url: server.appUrl, poolMax: 8 });
  const owner = connect({ url: server.url, poolMax: 2 });
  const service: TestService = {
    databaseUrl: server.appUrl,
    ownerUrl: server.url,
    connection,
    db: connection.db,
    kysely: connection.kysely,
    pool: owner.pool,
  };
  let destroyed: Promise<void> | undefined;
  return {
    service,
    url: server.url,
    store: vercelBlobStore({ token: files.token }),
    /** Server stopped, data gone. */
    destroy: () => {
      destroyed ??= (async () => {
        await connection.close();
        await owner.close();
        await files.close();
        await server.release();
        await rm(dataDir, { recursive: true, force: true });
      })();
      return destroyed;
    },
  };
}
