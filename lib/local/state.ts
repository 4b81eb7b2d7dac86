import path from 'node:path';
import { readJson, writeFileAtomic } from './files.ts';
import { processToken } from './processes.ts';

/** The demonstration account as it was seeded; the key's secret exists nowhere else. */
export type DemoAccess = {
  accountId: string;
  memberId: string;
  memberEmail: string;
  /** A live session of that member; the cookie signs it. */
  sessionId: string;
  /** A developer key of the account, whole. */
  apiKey: string;
  /** A Space worth asking for its context. */
  spaceId: string;
};

/** A server of this clone that answers now. */
type RunningServer = { pid: number; token: string | undefined; url: string };

/** `demo.json` of the data folder (mode 0600): what was seeded, if anything was. */
export async function readDemoAccess(dataDir: string): Promise<DemoAccess | undefined> {
  return readJson<DemoAccess>(path.join(dataDir, 'demo.json'));
}

/** Writes `demo.json`, whole, readable by its owner alone. */
export async function writeDemoAccess(dataDir: string, demo: DemoAccess): Promise<void> {
  await writeFileAtomic(path.join(dataDir, 'demo.json'), `${JSON.stringify(demo, null, 2)}\n`);
}

const serverFile = (dataDir: string) => path.join(dataDir, 'server.json');

/** The server that `npm start` or `npm run dev` runs on this data folder, if it is alive. */
export async function readRunningServer(dataDir: string): Promise<RunningServer | undefined> {
  const server = await readJson<RunningServer>(serverFile(dataDir));
  return server && processToken(server.pid) === server.token ? server : undefined;
}

/** Writes `server.json`: this process serves the data folder at `url`. */
export async function writeRunningServer(dataDir: string, url: string): Promise<void> {
  const server: RunningServer = { pid: process.pid, token: processToken(process.pid), url };
  await writeFileAtomic(serverFile(dataDir), `${JSON.stringify(server)}\n`);
}
