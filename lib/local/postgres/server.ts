import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { readJson, writeFileAtomic } from '../files.ts';
import { withLock } from '../lock.ts';
import { isAlive, processToken } from '../processes.ts';
import {
  APP_ROLE,
  type ClusterMarker,
  connectionUrl,
  ensureCluster,
  findRunning,
  type Running,
  startServer,
  stopServer,
} from './cluster.ts';
import { choosePlace, type Place } from './place.ts';
import { ensureApplicationRole } from './rights.ts';

type PostgresOptions = {
  /** The data folder; the server keeps its files in `postgres/` inside, or says where. */
  dataDir: string;
  /** Created when absent. Default `atelier`. */
  database?: string;
  /** False for tests: faster, and lost if the machine loses power. Counts when the cluster is first made. */
  durable?: boolean;
};

export type EmbeddedPostgres = {
  /** Address of the database asked for, as its owner: who migrates. */
  url: string;
  /** The same as the application, which may read and write rows and nothing more (rights.ts). */
  appUrl: string;
  /** Address of another database on the same server. */
  urlFor(database: string): string;
  /** True when this call started the server, false when it found it running. */
  started: boolean;
  /** Folder of the data, and whether it lies outside the data folder. */
  folder: string;
  outsideClone: boolean;
  /** Releases the server. The last process that uses it stops it; returns once that is done. */
  release(): Promise<void>;
};

/** The application name of the session that each user of the server keeps open: the server runs while one exists. */
const HOLD = 'atelier-hold';

/**
 * The embedded PostgreSQL of a data folder: made, started or found running, whichever it takes. Several processes may
 * hold it at once; it is stopped by the last one to release it, or by the keeper once all of them were killed.
 */
export async function openPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const place = await choosePlace(options.dataDir, options.durable ?? true);
  const database = options.database ?? 'atelier';
  const { marker, running, hold, started } = await withLock(lockFile(place), async () => {
    const marker = await ensureCluster(place, options.durable ?? true);
    const found = await findRunning(place, marker);
    const running = found ?? (await startServer(place, marker));
    const hold = await keepHold(marker, running, (port) => startAgain(place, options.dataDir, port));
    try {
      await ensureKeeper(place, options.dataDir);
      const client = await connect(marker, running, 'atelier-open');
      try {
        await ensureApplicationRole(client, { role: APP_ROLE, password: marker.appPassword ?? '' });
        await ensureDatabase(client, database);
      } finally {
        await client.end();
      }
    } catch (error) {
      // No caller has it yet to release: left open, it would keep the server, and this process, alive.
      await hold.end().catch(() => undefined);
      throw error;
    }
    return { marker, running, hold, started: found === undefined };
  });
  let released: Promise<unknown> | undefined;
  return {
    url: connectionUrl(marker, running.port, database),
    appUrl: connectionUrl(marker, running.port, database, 'application'),
    urlFor: (name) => connectionUrl(marker, running.port, name),
    started,
    folder: place.base,
    outsideClone: place.outsideClone,
    release() {
      released ??= hold
        .end()
        .catch(() => undefined)
        .then(() => stopIfUnused(place));
      return released.then(() => undefined);
    },
  };
}

const lockFile = (place: Place) => path.join(place.base, 'lock');
const keeperFile = (place: Place) => path.join(place.base, 'keeper.json');

async function connect(marker: ClusterMarker, running: Running, name: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: connectionUrl(marker, running.port, 'postgres'),
    application_name: name,
    connectionTimeoutMillis: 60_000,
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Restarts a killed server on its port, once for concurrent callers. Undefined when its data is gone. */
async function startAgain(place: Place, dataDir: string, port: number): Promise<Running | undefined> {
  return withLock(lockFile(place), async () => {
    const marker = await readJson<ClusterMarker>(path.join(place.base, 'cluster.json'));
    if (!marker) return undefined;
    const running = (await findRunning(place, marker)) ?? (await startServer(place, marker, port));
    await ensureKeeper(place, dataDir);
    return running;
  });
}

/** A server that does not come back after so many tries is another fault than a kill. */
const MAX_RESTARTS = 5;

/**
 * Keeps the session of HOLD open, and reopens it whenever it is lost: a server recovering from a crash cuts every session, and its keeper
 * would otherwise stop it. A server that was killed alone is restarted on the same port, for those who have its address.
 */
async function keepHold(
  marker: ClusterMarker,
  first: Running,
  restart: (port: number) => Promise<Running | undefined>,
): Promise<{ end(): Promise<void> }> {
  let over = false;
  let running = first;
  let client = await connect(marker, running, HOLD);
  const watch = () =>
    client.once('end', () => {
      if (!over) void again();
    });
  const again = async () => {
    for (let restarts = 0; !over && restarts < MAX_RESTARTS; ) {
      if (!isAlive(running.pid)) {
        restarts += 1;
        running = (await restart(running.port).catch(() => undefined)) ?? running;
      }
      const next = await connect(marker, running, HOLD).catch(() => undefined);
      if (next) {
        client = next;
        if (over) return void (await client.end());
        return void watch();
      }
      await new Promise((resolve) => setTimeout(resolve, 100).unref());
    }
  };
  watch();
  return {
    async end() {
      over = true;
      await client.end();
    },
  };
}

async function ensureDatabase(client: pg.Client, database: string): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [database]);
  if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(database)}`);
}

/** Stops the server when no process holds it any more. */
async function stopIfUnused(place: Place): Promise<boolean> {
  return withLock(lockFile(place), async () => {
    const marker = await readJson<ClusterMarker>(path.join(place.base, 'cluster.json'));
    const running = marker && (await findRunning(place, marker));
    if (!marker || !running) return true;
    const client = await connect(marker, running, 'atelier-stop');
    const used = await isHeld(client).finally(() => client.end());
    if (used) return false;
    await stopServer(running.pid);
    await dismissKeeper(place);
    return true;
  });
}

async function isHeld(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(
    'select 1 from pg_stat_activity where application_name = $1 limit 1',
    [HOLD],
  );
  return rowCount !== 0;
}

type KeeperState = { pid: number; token: string | undefined };

async function ensureKeeper(place: Place, dataDir: string): Promise<void> {
  const keeper = await readJson<KeeperState>(keeperFile(place));
  if (keeper && isAlive(keeper.pid) && processToken(keeper.pid) === keeper.token) return;
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'keeper.ts'), dataDir], {
    cwd: '/',
    detached: true,
    stdio: 'ignore',
  });
  child.on('error', () => undefined);
  child.unref();
  if (child.pid === undefined) return;
  const state: KeeperState = { pid: child.pid, token: processToken(child.pid) };
  await writeFileAtomic(keeperFile(place), JSON.stringify(state));
}

async function dismissKeeper(place: Place): Promise<void> {
  const keeper = await readJson<KeeperState>(keeperFile(place));
  if (!keeper || keeper.pid === process.pid || processToken(keeper.pid) !== keeper.token) return;
  try {
    process.kill(keeper.pid, 'SIGTERM');
  } catch {
    // It ended by itself: the server that it watches is gone.
  }
}

/** Deletes everything a data folder holds, also what had to lie outside the clone. For throw-away instances whose processes ended. */
export async function deleteDataFolder(dataDir: string): Promise<void> {
  const place = await choosePlace(dataDir);
  if (place.outsideClone) await rm(place.base, { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
}

/**
 * Watches the server of a data folder and stops it once no process holds it, for the case that all of them are killed with `kill -9`. Returns
 * when the server is gone.
 */
export async function keepPostgres(dataDir: string, everyMs = 1000): Promise<void> {
  const place = await choosePlace(dataDir);
  const marker = await readJson<ClusterMarker>(path.join(place.base, 'cluster.json'));
  if (!marker) return;
  let unusedTurns = 0;
  for (;;) {
    const running = await withLock(lockFile(place), () => findRunning(place, marker));
    if (!running) return;
    const client = await connect(marker, running, 'atelier-keeper').catch(() => undefined);
    try {
      while (client) {
        unusedTurns = (await isHeld(client)) ? 0 : unusedTurns + 1;
        // Twice in a row: a process may be between two holds.
        if (unusedTurns >= 2 && (await stopIfUnused(place))) return;
        await new Promise((resolve) => setTimeout(resolve, everyMs));
      }
    } catch {
      unusedTurns = 0;
    } finally {
      await client?.end().catch(() => undefined);
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
