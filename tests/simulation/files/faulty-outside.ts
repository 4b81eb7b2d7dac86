import type pg from 'pg';
import type { FilesContext } from '#lib/storage/context.ts';
import type { FileStore } from '#lib/storage/file-store.ts';
import type { MemoryStore } from '#tests/factories/memory-store.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';

/** The process is dead: nothing that it still tries happens. */
export class Killed extends Error {}

/** What goes wrong outside during one pass. */
export type OutsideFaults = {
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

export const NO_FAULTS: OutsideFaults = {
  dieAt: null,
  dieAfterEffect: false,
  storeFailures: 0,
  staleListing: false,
  meanwhile: null,
  ignoresEtags: false,
};

/** A pass that asks more than this of its database and store goes in circles: the largest of these histories ask some 250. */
const ENDLESS = 2_000;

/** What one pass sees: its database and store, each call of which may fail or be its last. `calls` counts them. */
export function withFaults(ctx: FilesContext, pool: pg.Pool, store: MemoryStore, faults: OutsideFaults) {
  const state = { calls: 0, dead: false, storeCalls: 0, endless: false };
  const listedBefore = new Map(store.files);

  function die(): never {
    state.dead = true;
    throw new Killed();
  }
  /** Before a call: the process may die here, and does not come back. */
  function before(): { dies: boolean } {
    if (state.dead) throw new Killed();
    state.calls += 1;
    if (state.calls > ENDLESS) {
      state.endless = true;
      die();
    }
    const dies = state.calls === faults.dieAt;
    if (dies && !faults.dieAfterEffect) die();
    return { dies };
  }
  async function call<T>(work: () => Promise<T>): Promise<T> {
    const { dies } = before();
    const result = await work();
    if (dies || state.dead) die();
    return result;
  }

  function storeCall<T>(work: () => Promise<T>): Promise<T> {
    return call(async () => {
      state.storeCalls += 1;
      // A fixed pattern: the same schedule fails at the same calls.
      if ((state.storeCalls * 7) % 10 < faults.storeFailures) throw new Error('the store failed');
      return work();
    });
  }

  const seen: FileStore = {
    ...store,
    head: (pathname) => storeCall(() => store.head(pathname)),
    list: (options) =>
      storeCall(async () => {
        if (!faults.staleListing) return store.list(options);
        const stale = [...listedBefore.values()].filter((file) => file.pathname.startsWith(options.prefix));
        return { files: stale.sort((a, b) => (a.pathname < b.pathname ? -1 : 1)) };
      }),
    delete: (pathnames, options) =>
      storeCall(async () => {
        await faults.meanwhile?.();
        return store.delete(pathnames, faults.ignoresEtags ? {} : options);
      }),
  };
  let dying = false;
  const kysely = interceptedQueries(pool, {
    // The server rolls back what a dead process left open.
    before({ label }) {
      if (label !== 'rollback') dying = before().dies;
    },
    after({ label }) {
      if (label !== 'rollback' && (dying || state.dead)) die();
    },
  });
  const { db } = ctx;
  const cronRun = {
    create: (args: never) => call(() => db.cronRun.create(args)),
    update: (args: never) => call(() => db.cronRun.update(args)),
  };
  return {
    state,
    ctx: {
      ...ctx,
      kysely,
      db: { cronRun } as unknown as FilesContext['db'],
      files: { ...ctx.files, store: seen },
    } satisfies FilesContext,
  };
}
