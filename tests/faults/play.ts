import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect } from '#lib/db/connection.ts';
import { openPostgres } from '#lib/local/postgres/server.ts';
import { applyMigrations } from '#lib/local/prisma/migrations.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { IMAGE, recordedProviders, request } from '#tests/factories/studio.ts';
import type { TestService } from '#tests/setup/service.ts';
import { openSmallDisk } from './full-disk.ts';
import { asked, count } from './options.ts';
import { askAgain, type Bench, callers, makeBench, type Seen, unsound } from './workload.ts';

// The faults of `npm run faults`, begun by run.ts once its options are right.
const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));

type Fault = {
  name: string;
  what: string;
  run(bench: Bench): Promise<Seen>;
  /** What callers may see. */
  may: RegExp;
  /** What one of them sees at least: a fault that nobody met shows nothing. */
  must?: RegExp;
};

/** Runs `harm` once the callers are well under way. */
async function while_(bench: Bench, name: string, harm: () => Promise<void>): Promise<Seen> {
  const done = callers(bench, { name, count });
  await sleep(60);
  await harm();
  return done;
}

const withStore = (bench: Bench, error: Error) =>
  bench.scene.with({ store: { ...bench.scene.store, put: () => Promise.reject(error) } });

const FAULTS: Fault[] = [
  {
    name: 'none',
    what: 'nothing is wrong',
    run: (bench) => callers(bench, { name: 'none', count }),
    may: /^ok$/,
  },
  {
    name: 'crash',
    what: 'the database is killed with SIGKILL in mid-flight and recovers',
    may: /^(ok|503 unavailable|generation failed, refunded)$/,
    run: (bench) =>
      while_(bench, 'crash', async () => {
        const { rows } = await bench.service.pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
        process.kill(rows[0]?.pid as number, 'SIGKILL');
      }),
  },
  {
    name: 'cut',
    what: 'every connection is cut, three times',
    may: /^(ok|503 unavailable|generation failed, refunded)$/,
    run: (bench) =>
      while_(bench, 'cut', async () => {
        for (let turn = 0; turn < 3; turn += 1) {
          await bench.service.pool
            .query(
              `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
               WHERE application_name = 'atelier' AND pid <> pg_backend_pid()`,
            )
            .catch(() => undefined);
          await sleep(40);
        }
      }),
  },
  {
    name: 'pool',
    what: 'every connection of the pool is taken for 12 s',
    may: /^(ok|503 unavailable|generation failed, refunded)$/,
    must: /^503 unavailable$/,
    run: async (bench) => {
      const { pool } = bench.service;
      const taken = await Promise.all(Array.from({ length: pool.options.max ?? 10 }, () => pool.connect()));
      const done = callers(bench, { name: 'pool', count: 8 });
      await sleep(12_000);
      for (const client of taken) client.release();
      return done;
    },
  },
  {
    name: 'slow',
    what: 'the tables are locked for 3 s: every query waits',
    may: /^ok$/,
    run: async (bench) => {
      const client = await bench.service.pool.connect();
      await client.query('BEGIN; LOCK TABLE "Memory", "Wallet" IN ACCESS EXCLUSIVE MODE');
      const done = callers(bench, { name: 'slow', count: 8 });
      await sleep(3_000);
      await client.query('COMMIT');
      client.release();
      return done;
    },
  },
  {
    name: 'store',
    what: 'the file store refuses everything',
    may: /^(ok|generation failed, refunded)$/,
    must: /^generation failed, refunded$/,
    run: (bench) => callers(bench, { name: 'store', count, ctx: withStore(bench, new Error('503')) }),
  },
  {
    name: 'disk',
    what: 'the disk of the embedded file store is full, then has room again',
    may: /^(ok|generation failed, refunded)$/,
    run: async (bench) => {
      const disk = await openSmallDisk();
      // Without the right to make a small disk, the error of a full one stands for it.
      if (!disk) {
        const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
        return callers(bench, { name: 'disk', count, ctx: withStore(bench, full) });
      }
      try {
        const ctx = bench.scene.with({ store: disk.store });
        const seen = await callers(bench, { name: 'disk', count, ctx });
        if (!seen.answers.has('generation failed, refunded')) seen.answers.set('the disk was never full', 1);
        disk.enlarge();
        const after = await callers(bench, { name: 'room', count: 8, ctx });
        for (const answer of after.answers.keys())
          if (answer !== 'ok') seen.answers.set(`with room: ${answer}`, 1);
        const files = await bench.service.db.asset.findMany({
          where: { accountId: bench.scene.owner.accountId },
          select: { pathname: true, bytes: true },
        });
        for (const { pathname, bytes } of files) {
          const found = await disk.store.read(pathname, { maxBytes: 10_000_000 });
          if (found?.bytes.byteLength !== Number(bytes)) seen.answers.set(`not whole: ${pathname}`, 1);
        }
        return seen;
      } finally {
        await disk.close();
      }
    },
  },
  {
    name: 'provider',
    what: 'the provider answers 500',
    may: /^(ok|generation failed, refunded)$/,
    must: /^generation failed, refunded$/,
    run: (bench) => {
      const providers = recordedProviders(bench.scene.clock, 'provider-error');
      return callers(bench, { name: 'provider', count, ctx: bench.scene.with({ providers }) });
    },
  },
  {
    name: 'clock',
    what: 'the clock jumps 26 h ahead, then 25 h back, with jobs under way',
    may: /^ok$/,
    run: async (bench) => {
      const { clock, ctx } = bench.scene;
      const video = request({ kind: 'video', case: 'veo', brief: 'Une flamme', durationSeconds: 4 });
      await submitGeneration(ctx, { request: video });
      clock.advance(26 * 3_600_000);
      const ahead = await callers(bench, { name: 'ahead', count: 8 });
      clock.set(new Date(clock.now().getTime() - 25 * 3_600_000).toISOString());
      await submitGeneration(ctx, { request: request(IMAGE) });
      const back = await callers(bench, { name: 'back', count: 8 });
      for (const [answer, times] of back.answers)
        ahead.answers.set(answer, (ahead.answers.get(answer) ?? 0) + times);
      return ahead;
    },
  },
];

const only = asked.only?.split(',');
const unknown = only?.find((name) => !FAULTS.some((fault) => fault.name === name));
if (unknown !== undefined) {
  console.error(`No such fault: ${unknown}. There are ${FAULTS.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}

/** Milliseconds until the database answers again. */
async function heal(service: TestService): Promise<number> {
  const start = performance.now();
  while (performance.now() - start < 60_000) {
    const ok = await service.pool.query('SELECT 1').then(
      () => true,
      () => false,
    );
    if (ok) return Math.round(performance.now() - start);
    await sleep(50);
  }
  return Number.POSITIVE_INFINITY;
}

const folder = await mkdtemp(path.join(tmpdir(), 'atelier-faults-'));
const server = await openPostgres({ dataDir: folder, database: 'atelier_faults' });
let sound = true;
try {
  await applyMigrations(server.url);
  const connection = connect({ url: server.url, poolMax: 10 });
  const { db, kysely, pool } = connection;
  const service: TestService = {
    databaseUrl: server.url,
    ownerUrl: server.url,
    connection,
    db,
    kysely,
    pool,
  };
  const report = [];
  for (const fault of FAULTS) {
    if (only && !only.includes(fault.name)) continue;
    const bench = await makeBench(service);
    const seen = await fault.run(bench);
    const healMs = await heal(service);
    const stillFailing = await askAgain(seen);
    const wrong = await unsound(bench);
    const told = [...seen.answers.keys()];
    const strange = told.filter((answer) => !fault.may.test(answer));
    const { must } = fault;
    if (must && !told.some((answer) => must.test(answer))) strange.push(`nobody saw ${must.source}`);
    const ok = wrong.length === 0 && strange.length === 0 && stillFailing === 0 && Number.isFinite(healMs);
    sound &&= ok;
    const answers = [...seen.answers].map(([answer, times]) => `${times} × ${answer}`).join(', ');
    report.push({
      fault: fault.what,
      'callers saw': answers,
      'slowest ms': Math.round(seen.slowestMs),
      'healed ms': healMs,
      'refused, then again': `${seen.refused.length} → ${stillFailing}`,
      verdict: ok ? 'exact' : [...strange, ...wrong].slice(0, 5).join(' · ') || 'still failing',
    });
    console.log(`${ok ? '✓' : '✗'} ${fault.what}: ${JSON.stringify(report.at(-1))}`);
  }
  await connection.close();
} finally {
  await server.release();
  await rm(folder, { recursive: true, force: true });
}
process.exitCode = sound ? 0 : 1;
