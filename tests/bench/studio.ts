import { readFile } from 'node:fs/promises';
import { createId } from '#lib/core/ids.ts';
import { createLogger } from '#lib/core/log.ts';
import { FetchRefusal } from '#lib/core/net/fetch-refusal.ts';
import { type Connection, connect } from '#lib/db/connection.ts';
import type { StudioContext } from '#lib/studio/context.ts';
import { journalQuery, listGenerations } from '#lib/studio/journal/list-generations.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { sweepGenerations } from '#lib/studio/sweep/sweep-generations.ts';
import { makeAccount } from '#tests/factories/account.ts';
import { giveCredit } from '#tests/factories/ledger.ts';
import { memoryStore } from '#tests/factories/memory-store.ts';
import { IMAGE, recordedProviders, request, TEST_CONFIG } from '#tests/factories/studio.ts';
import { PIXEL } from '#tests/simulation/outside.ts';

type JournalRow = { rows: number; filter: string; p50Ms: number; p95Ms: number };
type SubmitRow = {
  kind: 'image' | 'video';
  together: number;
  perSecond: number;
  /** How long one of them takes, until its answer. */
  p50Ms: number;
  p99Ms: number;
  roundTrips: number;
};
type SweepRow = {
  /** What the instant provider says of every job. */
  job: 'still running' | 'finished';
  due: number;
  seconds: number;
  perSecond: number;
  /** Resident memory before the pass, and the most that it grew by while it ran. */
  beforeMiB: number;
  peakMiB: number;
};

/** « lampe » is a common word, « bougie » one row in a thousand. */
const FILTERS = [
  '',
  'status=failed',
  'kind=video',
  'productId=lumen-bougies',
  'status=running',
  'q=lampe',
  'q=bougie',
];

/** The studio's three speeds: the journal's first page as it grows, submissions on one wallet, a sweep over due rows. */
export async function benchStudio(options: { databaseUrl: string; sizes?: number[]; due?: number[] }) {
  const connection = connect({ url: options.databaseUrl, poolMax: 32 });
  try {
    const submits = await submissions(connection);
    const sweeps: SweepRow[] = [];
    for (const job of ['still running', 'finished'] as const)
      for (const due of options.due ?? [1_000, 10_000]) sweeps.push(await sweep(connection, job, due));
    const journal: JournalRow[] = [];
    const ctx = await scene(connection);
    let rows = 0;
    for (const size of options.sizes ?? [1_000, 1_000_000]) {
      await fillJournal(connection, ctx, rows, size);
      rows = size;
      // Once for nothing: what is measured first would pay for the caches of all.
      for (const filter of FILTERS) await page(ctx, rows, filter);
      for (const filter of FILTERS) journal.push(await page(ctx, rows, filter));
    }
    return { journal, submits, sweeps };
  } finally {
    await connection.close();
  }
}

async function scene(connection: Connection) {
  const clock = { now: () => new Date() };
  const { member, actor } = await makeAccount(connection);
  const log = createLogger({ write: () => {}, now: clock.now });
  const base = {
    actor,
    db: connection.db,
    kysely: connection.kysely,
    clock,
    log,
    requestId: 'req_bench',
  };
  await giveCredit(base, member.id, 900_000_000_000n);
  const providers = recordedProviders(clock);
  const ctx: StudioContext<typeof actor> = {
    ...base,
    studio: {
      providers: {
        ...providers,
        // An instant provider: what is measured is ours.
        image: {
          generate: async () => ({
            outcome: 'success',
            images: [{ bytes: PIXEL, mediaType: 'image/png' }],
            warnings: [],
            costMicros: 30_000n,
          }),
        },
        video: { ...providers.video, status: async () => ({ outcome: 'pending', warnings: [] }) },
      },
      store: memoryStore(),
      fetch: () => Promise.reject(new FetchRefusal('host-not-allowed')),
      config: TEST_CONFIG,
      mailSpendAlert: async () => {},
    },
  };
  return ctx;
}

/** Bare rows, written in bulk: a journal as it looks after years. A tenth of them answers each filter, so every page is full. */
async function fillJournal(
  connection: Connection,
  ctx: Awaited<ReturnType<typeof scene>>,
  from: number,
  to: number,
): Promise<void> {
  await connection.pool.query(
    `INSERT INTO "Generation" ("id", "accountId", "memberId", "productId", "kind", "assetType", "state", "code", "caseName",
       "params", "references", "searchText", "artifacts", "createdAt", "deadlineAt", "dueAt", "closedAt", "updatedAt", "requestId")
     SELECT 'gen_' || lpad(n::text, 26, '0'), $1, $2, CASE WHEN n % 10 = 3 THEN 'lumen-bougies' ELSE 'libre' END,
       (CASE WHEN n % 10 = 5 THEN 'VIDEO' ELSE 'IMAGE' END)::"GenerationKind", 'IMAGE',
       (CASE WHEN n % 10 = 7 THEN 'FAILED' ELSE 'COMPLETED' END)::"GenerationState",
       CASE WHEN n % 10 = 7 THEN 'provider-failure' END, 'image-fast', '{"case":"image-fast"}', '{}',
       'une ' || CASE WHEN n % 1000 = 0 THEN 'bougie' ELSE 'lampe' END || ' sur une table ' || n, '[]',
       now() - n * interval '1 minute', now(), now(), now(), now(), 'req_bench'
     FROM generate_series($3::int + 1, $4::int) n`,
    [ctx.actor.accountId, ctx.actor.memberId, from, to],
  );
  await connection.pool.query('VACUUM ANALYZE "Generation"');
  // What a bulk load leaves to write is written before anything is measured.
  await connection.pool.query('CHECKPOINT');
}

async function page(
  ctx: Awaited<ReturnType<typeof scene>>,
  rows: number,
  filter: string,
): Promise<JournalRow> {
  const query = journalQuery.parse(Object.fromEntries(new URLSearchParams(filter)));
  const times: number[] = [];
  for (let n = 0; n < 150; n += 1) {
    const at = performance.now();
    await listGenerations(ctx, query);
    if (n >= 50) times.push(performance.now() - at);
  }
  times.sort((a, b) => a - b);
  return { rows, filter: filter || 'none', p50Ms: times[50] ?? 0, p95Ms: times[95] ?? 0 };
}

const VIDEO = { kind: 'video', case: 'veo', brief: 'Une flamme qui vacille', durationSeconds: 4 };

/** An image is answered with its file, settled; a video as soon as its job has begun. */
async function submissions(connection: Connection): Promise<SubmitRow[]> {
  const rows: SubmitRow[] = [];
  for (const kind of ['image', 'video'] as const)
    for (const together of [1, 50]) {
      const ctx = await scene(connection);
      const body = kind === 'image' ? IMAGE : VIDEO;
      const total = together === 1 ? 100 : 400;
      await submitGeneration(ctx, { request: request(body) });
      const trips = connection.roundTrips();
      const times: number[] = [];
      const beganAt = performance.now();
      let left = total;
      await Promise.all(
        Array.from({ length: together }, async () => {
          for (; left > 0; ) {
            left -= 1;
            const at = performance.now();
            await submitGeneration(ctx, { request: request(body), idempotencyKey: createId('request') });
            times.push(performance.now() - at);
          }
        }),
      );
      const seconds = (performance.now() - beganAt) / 1000;
      times.sort((a, b) => a - b);
      rows.push({
        kind,
        together,
        perSecond: total / seconds,
        p50Ms: times[Math.floor(total / 2)] ?? 0,
        p99Ms: times[Math.floor(total * 0.99)] ?? 0,
        roundTrips: (connection.roundTrips() - trips) / total,
      });
    }
  return rows;
}

const HELD_MICROS = 400_000n;

/** Whose rows are due: two closings of one account wait for each other's commit. */
const ACCOUNTS = 20;

/** One pass over `due` rows of many accounts. A finished job is fetched, measured, stored, settled and audited. */
async function sweep(connection: Connection, job: SweepRow['job'], due: number): Promise<SweepRow> {
  const ctx = await scene(connection);
  const clip = new Uint8Array(await readFile(new URL('../fixtures/media/clip.mp4', import.meta.url)));
  const file = { kind: 'bytes', bytes: clip, mediaType: 'video/mp4' } as const;
  const charge = { costMicros: HELD_MICROS, gatewayGenerationId: 'gen_bench' };
  const memory = memoryStore();
  const { video } = ctx.studio.providers;
  const studio: typeof ctx.studio = {
    ...ctx.studio,
    providers: {
      ...ctx.studio.providers,
      video: {
        ...video,
        status: async () =>
          job === 'finished'
            ? { outcome: 'completed', file, warnings: [], dropped: [], endFrameDropped: false, ...charge }
            : { outcome: 'pending', warnings: [] },
      },
    },
    // A store that keeps no bytes: the memory measured is the pass's own.
    store: {
      ...memory,
      async put(pathname, bytes, how) {
        const stored = await memory.put(pathname, bytes, how);
        memory.files.clear();
        return stored;
      },
    },
  };
  const owners = [ctx];
  while (owners.length < ACCOUNTS) owners.push(await scene(connection));
  for (const owner of owners) await fillDue(connection, owner, due / ACCOUNTS);
  await connection.pool.query('ANALYZE "Generation", "LedgerLine"');
  const sweeper = { ...ctx, studio, actor: { type: 'system', job: 'generations-sweep' } as const };
  const before = process.memoryUsage().rss;
  let peak = before;
  const look = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 20);
  const at = performance.now();
  const report = await sweepGenerations(sweeper);
  const seconds = (performance.now() - at) / 1000;
  clearInterval(look);
  const done = job === 'finished' ? report.videoSettled : report.videoPending;
  if (done !== due) throw new Error(`the sweep did ${done} of ${due} rows: ${JSON.stringify(report)}`);
  await connection.pool.query(
    `UPDATE "Generation" SET "state" = 'FAILED', "code" = 'orphaned', "closedAt" = now() WHERE "accountId" = ANY($1) AND "closedAt" IS NULL`,
    [owners.map(({ actor }) => actor.accountId)],
  );
  const mib = (bytes: number) => bytes / 2 ** 20;
  return { job, due, seconds, perSecond: due / seconds, beforeMiB: mib(before), peakMiB: mib(peak - before) };
}

/** Running videos whose time has come, each with its reserve. */
async function fillDue(
  connection: Connection,
  ctx: Awaited<ReturnType<typeof scene>>,
  due: number,
): Promise<void> {
  const { accountId, memberId } = ctx.actor;
  await connection.pool.query(
    `WITH wallet AS (
       UPDATE "Wallet" SET "heldMicros" = "heldMicros" + $4::bigint * $3::int, "lineCount" = "lineCount" + $3::int
       WHERE "memberId" = $2 RETURNING "id", "balanceMicros", "heldMicros", "month", "lineCount"),
     born AS (
       INSERT INTO "Generation" ("id", "accountId", "memberId", "productId", "kind", "assetType", "state", "caseName", "params",
         "references", "providerJobId", "providerOperation", "heldMicros", "createdAt", "startedAt", "deadlineAt", "dueAt", "updatedAt", "requestId")
       SELECT 'gen_' || substr(md5(random()::text) || md5(random()::text), 1, 26), $1, $2, 'libre', 'VIDEO', 'VIDEO', 'SUBMITTED', 'veo',
         '{"case":"veo","settings":{"resolution":"720p","generateAudio":true},"pricing":{"basis":"per-second","outputMs":3200}}', '{}', 'job_bench', '{}',
         $4::bigint, now(), now(), now() + interval '2 hours', now(), now(), 'req_bench' FROM generate_series(1, $3::int)
       RETURNING "id")
     INSERT INTO "LedgerLine" ("id", "accountId", "walletId", "memberId", "kind", "amountMicros", "heldMicros", "balanceAfterMicros",
       "heldAfterMicros", "generationId", "month", "at", "actor", "position")
     SELECT 'lin_' || substr(md5(random()::text) || md5(random()::text), 1, 26), $1, w."id", $2, 'RESERVE', 0, $4::bigint,
       w."balanceMicros", w."heldMicros", born."id", w."month", now(), 'bench',
       w."lineCount" - $3::int + row_number() OVER () FROM born, wallet w`,
    [accountId, memberId, due, HELD_MICROS],
  );
}
