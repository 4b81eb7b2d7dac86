import { sql } from 'kysely';
import { z } from 'zod';
import { env } from '#lib/core/env.ts';
import { createId } from '#lib/core/ids.ts';
import { waitAtMost } from '#lib/core/resource-limits/wait-at-most.ts';
import { MIGRATIONS } from '#lib/db/generated/migrations.ts';
import type { Queries } from '#lib/db/types.ts';
import type { FileStore } from '#lib/storage/file-store.ts';
import { readStoreVisibility } from '#lib/storage/stores/store-visibility.ts';
import { baseHeaders, jsonResponse } from '../responses/respond.ts';
import { connection } from './connection.ts';
import { fileStore, filesPorts } from './files.ts';

/**
 * `absent`: not configured, which only development allows. `public`: anybody may read our files. `pending`: the database lacks migrations that
 * this build was written for.
 */
const checksSchema = z.object({
  database: z.enum(['ok', 'failing']),
  migrations: z.enum(['ok', 'pending', 'unknown']),
  store: z.enum(['ok', 'failing', 'absent', 'public']),
});
type Health = z.output<typeof checksSchema>;

export const healthSchema = z.object({ status: z.enum(['ok', 'failing']), checks: checksSchema });
export const readySchema = z.object({ status: z.enum(['ready', 'not-ready']) });

export type HealthPorts = {
  kysely: Queries;
  store: Pick<FileStore, 'list'> | null;
  /** Whether anybody may read the store. */
  isPublic?: () => Promise<boolean>;
  nowMs: () => number;
};

const LIMIT_MS = 10_000;
/** How long results are reused, because anyone may call this; longer for the store, whose listing is billed. */
const DATABASE_FRESH_MS = 1_000;
const STORE_FRESH_MS = 15_000;
const PUBLIC_FRESH_MS = 3_600_000;

/** Checks of what this instance depends on. Concurrent callers share one check of each. */
export function healthOf(ports: HealthPorts): {
  database(): Promise<Pick<Health, 'database' | 'migrations'>>;
  all(): Promise<Health>;
} {
  const database = cached(DATABASE_FRESH_MS, ports.nowMs, () =>
    answered(
      async () => {
        const { rows } = await sql<{ name: string }>`
          select migration_name as name from "_prisma_migrations"
          where finished_at is not null and rolled_back_at is null`.execute(ports.kysely);
        const applied = new Set(rows.map(({ name }) => name));
        const isUpToDate = MIGRATIONS.every((name) => applied.has(name));
        return { database: 'ok', migrations: isUpToDate ? 'ok' : 'pending' } as const;
      },
      // No such table: the server answers, and nothing was ever migrated.
      (error) =>
        (error as { code?: unknown } | null)?.code === '42P01'
          ? ({ database: 'ok', migrations: 'pending' } as const)
          : ({ database: 'failing', migrations: 'unknown' } as const),
    ),
  );
  const isPublic = cached(PUBLIC_FRESH_MS, ports.nowMs, async () => (await ports.isPublic?.()) ?? false);
  const store = cached(STORE_FRESH_MS, ports.nowMs, async (): Promise<Health['store']> => {
    return answered(
      async () => {
        const files = ports.store;
        if (!files) return 'absent' as const;
        await files.list({ prefix: 'health/', limit: 1 });
        // An unknown visibility counts as not public, and is checked again next time.
        return (await answered(isPublic, () => false)) ? ('public' as const) : ('ok' as const);
      },
      () => 'failing' as const,
    );
  });
  return {
    database,
    async all() {
      const [ofDatabase, ofStore] = await Promise.all([database(), store()]);
      return { ...ofDatabase, store: ofStore };
    },
  };
}

/** The work's result, or the value for its failure; a late answer is a failure. */
async function answered<T, F>(work: () => Promise<T>, failed: (error: unknown) => F): Promise<T | F> {
  const late = Symbol('late');
  try {
    const answer = await waitAtMost<T | typeof late>(work(), LIMIT_MS, late);
    return answer === late ? failed(new Error('late')) : (answer as T);
  } catch (error) {
    return failed(error);
  }
}

function cached<T>(freshMs: number, nowMs: () => number, check: () => Promise<T>): () => Promise<T> {
  let found: { value: Promise<T>; untilMs: number } | undefined;
  return () => {
    if (found && nowMs() < found.untilMs) return found.value;
    const value = check();
    const mine = { value, untilMs: Number.POSITIVE_INFINITY };
    found = mine;
    // Fresh from its answer on; concurrent callers share the pending check. A failed check is not kept.
    value.then(
      () => {
        mine.untilMs = nowMs() + freshMs;
      },
      () => {
        mine.untilMs = 0;
      },
    );
    return value;
  };
}

const shared = globalThis as { atelierHealth?: ReturnType<typeof healthOf> };

function healthOfThisProcess(): ReturnType<typeof healthOf> {
  shared.atelierHealth ??= healthOf({
    // A getter, evaluated at every check: a broken configuration must be reported, not thrown at load.
    get kysely() {
      return connection().kysely;
    },
    get store() {
      return fileStore();
    },
    isPublic: async () => (await readStoreVisibility(filesPorts(), fetch)) === 'public',
    nowMs: () => performance.now(),
  });
  return shared.atelierHealth;
}

/**
 * All checks: 200 when everything this instance depends on answers, else 503, with one word for each and nothing else. No credential: a
 * monitor or `npm start` asks.
 */
export async function healthAnswer(): Promise<Response> {
  const checks = await healthOfThisProcess().all();
  const { isProduction } = env();
  const isWell =
    checks.database === 'ok' &&
    checks.migrations === 'ok' &&
    (checks.store === 'ok' || (checks.store === 'absent' && !isProduction));
  return answer(isWell, { status: isWell ? 'ok' : 'failing', checks });
}

/**
 * Whether a balancer should send requests here: the database answers and has the migrations of this build. The store is not asked: it is
 * the same for every instance, and most requests do without.
 */
export async function readyAnswer(): Promise<Response> {
  const { database, migrations } = await healthOfThisProcess().database();
  const isReady = database === 'ok' && migrations === 'ok';
  return answer(isReady, { status: isReady ? 'ready' : 'not-ready' });
}

function answer(isGood: boolean, body: object): Response {
  const headers = baseHeaders(createId('request'));
  if (!isGood) headers.set('Retry-After', '5');
  return jsonResponse(isGood ? 200 : 503, body, headers);
}
