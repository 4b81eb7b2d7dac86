import type pg from 'pg';

type Taken = Parameters<pg.Pool['connect']>[0];

/**
 * Makes a pool give out no connection that rested for `restMs` or more by the clock of the wall: it is closed, and another one is given. The pool's own
 * limit is a timer, which is late by as long as the process was held (a suspended machine, a frozen function), while the network forgets the
 * connection: what is sent on it is then answered by nobody.
 */
export function leaveOverslept(
  pool: pg.Pool,
  { restMs, nowMs }: { restMs: number; nowMs: () => number },
): void {
  const restsSince = new WeakMap<pg.PoolClient, number>();
  pool.on('release', (_error: Error, client: pg.PoolClient) => {
    restsSince.set(client, nowMs());
  });
  const take = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;
  const takeFresh = async (): Promise<pg.PoolClient> => {
    for (;;) {
      const client = await take();
      const since = restsSince.get(client);
      if (since === undefined || nowMs() - since < restMs) return client;
      client.release(true);
    }
  };
  // `pool.query`, by which Prisma asks, takes its connection here too, with a callback.
  pool.connect = ((taken?: Taken) => {
    const taking = takeFresh();
    if (!taken) return taking;
    taking.then(
      (client) => taken(undefined, client, client.release),
      (error: Error) => taken(error, undefined, () => undefined),
    );
    return undefined;
  }) as pg.Pool['connect'];
}
