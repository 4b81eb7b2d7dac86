import { deepStrictEqual } from 'node:assert';
import { until } from '#tests/setup/until.ts';
import { stopProcess, wordsOf } from '../child.ts';
import { PUBLIC_URL } from '../deployment.ts';
import type { Service } from '../service.ts';
import type { TreeInstance } from './instance.ts';
import type { Balancer } from './round-robin.ts';
import { addMemory, type Client } from './shared-state.ts';

/** Who reads and who writes. A key asks 120 times a minute and writes twenty times: both stay under it, with room for what is sent again. */
const READERS = 3;
const WRITERS = 4;
const READ_EVERY_MS = 600;
const WRITE_EVERY_MS = 1_000;
/** How often a write that failed is sent again before it counts as lost. */
const AGAIN = 5;
const PATIENCE_MS = 120_000;

/** Whoever asks the service by its balancer: its keys are made, and revoked, by the commands of the tree. */
export function clientOf({ admin, cookie, env }: Service, on: { url: string; spaceId: string }): Client {
  let keys = 0;
  let ofTraffic: readonly string[] | undefined;
  const createKey = () => {
    keys += 1;
    const { secret = '', id = '' } = admin(
      'key',
      'create',
      `Essai ${keys}`,
      '--scopes',
      'brain:read,brain:write,projects:read',
    );
    return { secret, id };
  };
  return {
    ...on,
    publicUrl: PUBLIC_URL,
    cookie,
    cronSecret: env.CRON_SECRET ?? '',
    createKey,
    revokeKey: (id) => void admin('key', 'revoke', id),
    trafficKeys: () => {
      ofTraffic ??= Array.from({ length: READERS + WRITERS }, () => createKey().secret);
      return ofTraffic;
    },
  };
}

type Traffic = {
  /** Waits until so many more writes were answered, or something failed. */
  writeMore(count: number, where: string): Promise<void>;
};

/** Titles of one traffic are no other's. */
let runs = 0;

/**
 * Reads and writes by the balancer for as long as `work` takes; a write that fails is sent again with its key, as a client does. Throws when
 * something failed, or an answered write is not held exactly once; else how many there were, and what the work gave.
 */
export async function underTraffic<T>(
  client: Client,
  work: (traffic: Traffic) => Promise<T>,
): Promise<{ writes: number; result: T }> {
  runs += 1;
  const run = runs;
  const keys = client.trafficKeys();
  const [readers, writers] = [keys.slice(0, READERS), keys.slice(READERS)];
  const [added, faults]: [string[], string[]] = [[], []];
  let isOver = false;
  const read = async (secret: string) => {
    while (!isOver) {
      const status = await readContext(client, secret).catch(wordsOf);
      if (status !== 200 && status !== 429) faults.push(`read: ${status}`);
      await pause(READ_EVERY_MS);
    }
  };
  const write = async () => {
    for (let n = 0; !isOver; n += 1) {
      const title = `r${run}n${n}z`;
      const send = () => sendMemory(client, writers[n % WRITERS] ?? '', title).catch(wordsOf);
      let status = await send();
      for (let again = 0; !isAdded(status) && again < AGAIN; again += 1) {
        await pause(again * 500);
        status = await send();
      }
      if (isAdded(status)) added.push(title);
      else faults.push(`write: ${status}`);
      await pause(WRITE_EVERY_MS);
    }
  };
  const writeMore = async (count: number, where: string) => {
    const wanted = added.length + count;
    await until(`${count} writes ${where}`, () => {
      if (added.length >= wanted || faults.length > 0) return true;
      throw new Error(`${wanted - added.length} are missing`);
    });
  };
  const all = Promise.all([...readers.map(read), write()]);
  let result: T;
  try {
    result = await work({ writeMore });
  } catch (error) {
    const seen = faults.length > 0 ? `; meanwhile ${faults.slice(0, 5).join(', ')}` : '';
    throw new Error(`${wordsOf(error)}${seen}`, { cause: error });
  } finally {
    isOver = true;
    await all;
  }
  for (const [n, title] of added.entries()) {
    const held = await timesHeld(client, keys[n % keys.length] ?? '', title);
    if (held !== 1) faults.push(`« ${title} » is held ${held} times`);
  }
  deepStrictEqual(faults.slice(0, 10), []);
  return { writes: added.length, result };
}

/** Under traffic, each of the old ones leaves once another has come in its place. Says how much was written meanwhile; throws when a request failed. */
export async function replace(
  client: Client,
  balancer: Balancer,
  old: readonly TreeInstance[],
  start: () => Promise<TreeInstance>,
): Promise<string> {
  let serving = [...old];
  const { writes } = await underTraffic(client, async ({ writeMore }) => {
    for (const leaving of old) {
      const coming = await start();
      serving = [...serving.filter((one) => one !== leaving), coming];
      balancer.setInstances(serving.map(({ url }) => url));
      await stopProcess(leaving.child, 'SIGTERM');
    }
    await writeMore(4, 'once all are replaced');
  });
  return `${writes} writes meanwhile`;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Made now, or by the same request that was sent before. */
const isAdded = (status: number | string) => status === 201 || status === 200;

async function readContext(client: Client, secret: string): Promise<number | string> {
  const response = await fetch(`${client.url}/api/v1/spaces/${client.spaceId}/context`, {
    headers: { authorization: `Bearer ${secret}` },
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  await response.text();
  return response.status;
}

async function sendMemory(client: Client, secret: string, title: string): Promise<number | string> {
  const response = await addMemory(client, secret, `busy-${title}`, title);
  await response.text();
  return response.status;
}

/** How many Memories have that title, by a search; past the rate of the key it waits as long as it is told to. */
async function timesHeld(client: Client, secret: string, title: string): Promise<number> {
  for (let again = 0; ; again += 1) {
    const response = await fetch(`${client.url}/api/v1/search?q=${title}&limit=10`, {
      headers: { authorization: `Bearer ${secret}` },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await response.text();
    if (response.status === 429 && again < AGAIN) {
      await pause(1_000 * Number(response.headers.get('retry-after') ?? 1));
      continue;
    }
    if (response.status !== 200) throw new Error(`a search: ${response.status} ${text.slice(0, 300)}`);
    const { data } = JSON.parse(text) as { data: { title: string }[] };
    return data.filter((one) => one.title === title).length;
  }
}
