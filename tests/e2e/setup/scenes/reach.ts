import { type Connection, connect } from '#lib/db/connection.ts';
import { openPostgres } from '#lib/local/postgres/server.ts';
import type { ServedApp } from '../serve.ts';

type Opened = { connection: Connection; url: string; end(): Promise<void> };

/** The open connections of this process, by data folder, each with the number of its users. */
const held = new Map<string, { holders: number; opened: Promise<Opened> }>();

/**
 * Connects to the database of a running app, as its owner. Concurrent users share one connection, which the last `release` closes: a new one
 * costs a lock, three sessions and a Prisma client.
 */
export async function reachDatabase(
  app: Pick<ServedApp, 'dataDir'>,
): Promise<{ connection: Connection; url: string; release(): Promise<void> }> {
  const holding = held.get(app.dataDir) ?? { holders: 0, opened: open(app.dataDir) };
  held.set(app.dataDir, holding);
  holding.holders += 1;
  let isReleased = false;
  const release = async () => {
    if (isReleased) return;
    isReleased = true;
    holding.holders -= 1;
    if (holding.holders > 0) return;
    held.delete(app.dataDir);
    await (await holding.opened).end();
  };
  try {
    const { connection, url } = await holding.opened;
    return { connection, url, release };
  } catch (error) {
    // The next caller tries again.
    if (held.get(app.dataDir) === holding) held.delete(app.dataDir);
    throw error;
  }
}

async function open(dataDir: string): Promise<Opened> {
  const server = await openPostgres({ dataDir });
  const connection = connect({ url: server.url, poolMax: 4 });
  return {
    connection,
    url: server.url,
    async end() {
      await connection.close();
      await server.release();
    },
  };
}
