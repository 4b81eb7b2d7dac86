import type { FilesContext } from '#lib/storage/context.ts';
import type { FileStore } from '#lib/storage/file-store.ts';
import type { MemoryStore } from '#tests/factories/memory-store.ts';

/** The process is dead: nothing that it still tries happens. */
export class Killed extends Error {}

export type Weather = {
  /** The process dies at this call; half of the deaths come after the call took effect. */
  dieAt: number | null;
  dieAfterEffect: boolean;
  /** Of ten calls to the store, this many fail. */
  storeFailures: number;
  /** The store lists what it held before this pass. */
  staleListing: boolean;
  /** Called at each deletion, before it: what members do meanwhile. */
  meanwhile: (() => Promise<void>) | null;
  /** A store that forgets to compare ETags: to see it caught. */
  ignoresEtags: boolean;
};

export const FAIR: Weather = {
  dieAt: null,
  dieAfterEffect: false,
  storeFailures: 0,
  staleListing: false,
  meanwhile: null,
  ignoresEtags: false,
};

/** A pass that asks more than this of its database and store goes in circles: the largest of these histories ask some 200. */
const ENDLESS = 2_000;

/** What one pass sees: its database and store, each call of which may fail or be its last. `calls` counts them. */
export function underWeather(ctx: FilesContext, store: MemoryStore, weather: Weather) {
  const state = { calls: 0, dead: false, storeCalls: 0, endless: false };
  const before = new Map(store.files);

  async function call<T>(work: () => Promise<T>): Promise<T> {
    if (state.dead) throw new Killed();
    state.calls += 1;
    if (state.calls > ENDLESS) {
      state.endless = true;
      state.dead = true;
      throw new Killed();
    }
    const dies = state.calls === weather.dieAt;
    if (dies && !weather.dieAfterEffect) {
      state.dead = true;
      throw new Killed();
    }
    const result = await work();
    if (dies || state.dead) {
      state.dead = true;
      throw new Killed();
    }
    return result;
  }

  function storeCall<T>(work: () => Promise<T>): Promise<T> {
    return call(async () => {
      state.storeCalls += 1;
      // A fixed pattern: the same schedule fails at the same calls.
      if ((state.storeCalls * 7) % 10 < weather.storeFailures) throw new Error('the store failed');
      return work();
    });
  }

  const seen: FileStore = {
    ...store,
    head: (pathname) => storeCall(() => store.head(pathname)),
    list: (options) =>
      storeCall(async () => {
        if (!weather.staleListing) return store.list(options);
        const stale = [...before.values()].filter((file) => file.pathname.startsWith(options.prefix));
        return { files: stale.sort((a, b) => (a.pathname < b.pathname ? -1 : 1)) };
      }),
    delete: (pathnames, options) =>
      storeCall(async () => {
        await weather.meanwhile?.();
        return store.delete(pathnames, weather.ignoresEtags ? {} : options);
      }),
  };
  const { sql, db } = ctx;
  const seenSql: FilesContext['sql'] = {
    rows: (...args) => call(() => sql.rows(...args)),
    transaction: (work) =>
      call(() => sql.transaction((tx) => work({ rows: (...args) => call(() => tx.rows(...args)) }))),
  };
  const cronRun = {
    create: (args: never) => call(() => db.cronRun.create(args)),
    update: (args: never) => call(() => db.cronRun.update(args)),
  };
  return {
    state,
    ctx: {
      ...ctx,
      sql: seenSql,
      db: { cronRun } as unknown as FilesContext['db'],
      files: { ...ctx.files, store: seen },
    } satisfies FilesContext,
  };
}
