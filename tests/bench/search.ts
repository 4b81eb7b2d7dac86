import { scopeRead } from '#lib/brain/search/find.ts';
import { indexPending } from '#lib/brain/search/index/maintain.ts';
import { searchMemories } from '#lib/brain/search/search-memories.ts';
import { PILLAR_ROLES } from '#lib/brain/templates.ts';
import type { MemberActor } from '#lib/core/actor.ts';
import { systemClock } from '#lib/core/clock.ts';
import type { Context } from '#lib/core/context.ts';
import { createId } from '#lib/core/ids.ts';
import { createLogger } from '#lib/core/log.ts';
import { runAccountRead } from '#lib/db/account-read.ts';
import { type Connection, connect } from '#lib/db/connection.ts';
import { drawMemory, drawQueries, seededRandom } from './search-corpus.ts';

type Percentiles = { p50Ms: number; p95Ms: number };
type SearchBenchRow = {
  memories: number;
  /** Seconds to write the corpus, index included, in statements of 500 Memories. */
  writeSeconds: number;
  /** The whole verb: SQL, scoring, snippets, the read counted. */
  search: Percentiles;
  /** The same the first time that each query is asked: pages are read from the database. */
  first: Percentiles;
  /** The statement that every search begins with, alone. */
  candidates: Percentiles;
};

const QUERIES = 200;
const ROUNDS = 5;
const LIMIT = 20;
const SPACES = 3;

type Bench = { memories: number; ctx: Context<MemberActor>; spaceIds: string[]; writeSeconds: number };

/**
 * Search at several sizes of account, in one database with every migration applied (throw it away afterwards), the sizes taking
 * turns so that all see the same machine. Percentiles are over the queries, each by its median of five rounds: what a query costs,
 * not what else the machine was doing. `growth` is p95 at the largest size over p95 at the smallest, to be at most 2.
 */
export async function benchSearch(options: {
  databaseUrl: string;
  sizes?: readonly number[];
}): Promise<{ rows: SearchBenchRow[]; growth: number }> {
  const sizes = [...(options.sizes ?? [1_000, 10_000, 100_000])].sort((a, b) => a - b);
  const connection = connect({ url: options.databaseUrl, poolMax: 2 });
  try {
    const benches: Bench[] = [];
    for (const size of sizes) benches.push(await fill(connection, size));
    await connection.pool.query('VACUUM ANALYZE');
    const queries = drawQueries(QUERIES);
    const samples = (): number[][] => queries.map(() => []);
    const times = benches.map(() => ({ search: samples(), candidates: samples(), first: samples() }));
    for (let round = -1; round < ROUNDS; round++) {
      for (const [index, q] of queries.entries()) {
        for (const [which, bench] of benches.entries()) {
          const scope = scopeOf(bench, index);
          // Another limit each round: what is timed is the ranking, not an answer that was kept.
          const limit = LIMIT + round;
          const search = await timed(() => searchMemories(bench.ctx, { q, limit, ...scope }));
          const read = scopeRead(new Date(), { spaceId: scope.spaceId, consumes: false });
          const candidates = await timed(() => runAccountRead(bench.ctx, read));
          if (round < 0) times[which]?.first[index]?.push(search);
          if (round < 0) continue;
          times[which]?.search[index]?.push(search);
          times[which]?.candidates[index]?.push(candidates);
        }
      }
    }
    const rows = benches.map(({ memories, writeSeconds }, which) => ({
      memories,
      writeSeconds,
      search: percentiles(times[which]?.search ?? []),
      first: percentiles(times[which]?.first ?? []),
      candidates: percentiles(times[which]?.candidates ?? []),
    }));
    const growth = (rows.at(-1)?.search.p95Ms ?? Number.NaN) / (rows[0]?.search.p95Ms ?? Number.NaN);
    return { rows, growth };
  } finally {
    await connection.close();
  }
}

/** One search in ten keeps to a Space, one in ten to a pillar. */
function scopeOf(bench: Bench, index: number) {
  if (index % 10 === 3) return { spaceId: bench.spaceIds[0] as string };
  if (index % 10 === 7) return { pillar: 'KNOWLEDGE' as const };
  return {};
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function percentiles(perQuery: number[][]): Percentiles {
  const sorted = perQuery.map((values) => quantile(values, 0.5)).sort((a, b) => a - b);
  return { p50Ms: quantile(sorted, 0.5), p95Ms: quantile(sorted, 0.95) };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

async function fill({ db, kysely, pool }: Connection, memories: number): Promise<Bench> {
  const now = new Date();
  const account = await db.account.create({
    data: {
      id: createId('account'),
      name: `Banc ${memories}`,
      capacityCu: memories * 4,
      contractualReads: 1_000_000_000,
      createdAt: now,
      updatedAt: now,
    },
  });
  const spaceIds = Array.from({ length: SPACES }, () => createId('space'));
  await db.space.createMany({
    data: spaceIds.map((id) => ({
      id,
      accountId: account.id,
      name: 'Banc',
      template: 'brand' as const,
      createdAt: now,
      updatedAt: now,
    })),
  });
  const random = seededRandom(memories);
  const started = performance.now();
  for (let done = 0; done < memories; done += 500) {
    const drafts = Array.from({ length: Math.min(500, memories - done) }, () => drawMemory(random));
    await pool.query(
      `INSERT INTO "Memory" (id, "accountId", "spaceId", role, kind, title, body, source, cu, "createdAt", "updatedAt")
       SELECT id, $1, space, role::"PillarRole", 'NOTE', title, body, 'API', 1, at, at
       FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[])
         AS draft (id, space, role, title, body, at)`,
      [
        account.id,
        drafts.map(() => createId('memory')),
        drafts.map(() => spaceIds[Math.floor(random() * SPACES)]),
        drafts.map(() => PILLAR_ROLES[Math.floor(random() * PILLAR_ROLES.length)]),
        drafts.map(({ title }) => title),
        drafts.map(({ body }) => body),
        drafts.map((_, i) => new Date(now.getTime() - (memories - done - i) * 1_000)),
      ],
    );
  }
  const actor: MemberActor = {
    type: 'member',
    sessionId: 'ses_bench',
    accountId: account.id,
    memberId: 'mbr_bench',
    role: 'FOUNDER',
    permissions: [],
    operator: false,
  };
  const log = createLogger({ write: () => {}, now: () => new Date(), minLevel: 'error' });
  const ctx = { actor, db, kysely, clock: systemClock, log, requestId: 'req_bench' };
  await indexPending(ctx, { accountId: account.id });
  return { memories, ctx, spaceIds, writeSeconds: (performance.now() - started) / 1_000 };
}
