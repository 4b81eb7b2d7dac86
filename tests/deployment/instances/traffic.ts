import { deepStrictEqual } from 'node:assert';
import { stopProcess } from '../debian.ts';
import { PUBLIC_URL } from '../parts.ts';
import type { Service } from '../service.ts';
import type { TreeInstance } from './instance.ts';
import type { Balancer } from './round-robin.ts';
import { addMemory, type Client } from './shared-state.ts';

/** Whoever asks the service by its balancer: its keys are made, and revoked, by the commands of the tree. */
export function clientOf({ admin, cookie, env }: Service, on: { url: string; spaceId: string }): Client {
  let keys = 0;
  return {
    ...on,
    publicUrl: PUBLIC_URL,
    cookie,
    cronSecret: env.CRON_SECRET ?? '',
    createKey: () => {
      keys += 1;
      const { secret = '', id = '' } = admin(
        'key',
        'create',
        `Essai ${keys}`,
        '--scopes',
        'brain:read,brain:write,projects:read',
      );
      return { secret, id };
    },
    revokeKey: (id) => void admin('key', 'revoke', id),
  };
}

/** A key writes twenty times a minute; several in turn write for as long as instances take to come and go. */
const WRITES_A_MINUTE = 18;
const WRITERS = 4;

/** Reads and writes by the balancer until told to stop; what fails is kept. A write that fails is sent again with its key, as a client does. */
export function keepBusy(client: Client) {
  const readers = Array.from({ length: 3 }, () => client.createKey().secret);
  const writers = Array.from({ length: WRITERS }, () => client.createKey().secret);
  const run = writers[0]?.slice(-6) ?? '';
  const [added, faults]: [string[], string[]] = [[], []];
  let isOver = false;
  const read = async (secret: string) => {
    while (!isOver) {
      const response = await fetch(`${client.url}/api/v1/spaces/${client.spaceId}/context`, {
        headers: { authorization: `Bearer ${secret}` },
      }).catch((error: unknown) => ({ status: String(error), text: async () => '' }));
      await response.text().catch((error: unknown) => faults.push(`read: ${String(error)}`));
      if (response.status !== 200 && response.status !== 429) faults.push(`read: ${response.status}`);
      await new Promise((resolve) => setTimeout(resolve, 400));
    }
  };
  const write = async () => {
    for (let n = 0; !isOver && n < WRITERS * WRITES_A_MINUTE; n += 1) {
      const title = `Ecrite ${run} ${n}`;
      const send = () =>
        addMemory(client, writers[n % WRITERS] ?? '', `busy-${run}-${n}`, title).catch(() => undefined);
      let response = await send();
      for (let again = 0; !isAdded(response) && again < 5; again += 1) response = await send();
      if (isAdded(response)) added.push(title);
      else faults.push(`write: ${response?.status ?? 'no answer'}`);
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  };
  const all = Promise.all([...readers.map(read), write()]);
  return {
    faults,
    written: () => added.length,
    /** Ends it; throws when something failed, or an answered write is not held exactly once. */
    async end(): Promise<number> {
      isOver = true;
      await all;
      const reader = client.createKey().secret;
      for (const title of added) {
        const response = await fetch(
          `${client.url}/api/v1/search?q=${encodeURIComponent(`"${title}"`)}&limit=10`,
          { headers: { authorization: `Bearer ${reader}` } },
        );
        const { data } = (await response.json()) as { data: { title: string }[] };
        const held = data.filter((one) => one.title === title).length;
        if (held !== 1) faults.push(`« ${title} » is held ${held} times`);
      }
      deepStrictEqual(faults, []);
      return added.length;
    },
  };
}

/** Made now, or by the same request that was sent before. */
const isAdded = (response: Response | undefined) => response?.status === 201 || response?.status === 200;

/** Under traffic, each of the old ones leaves once another has come in its place. Says how much was written meanwhile; throws when a request failed. */
export async function replace(
  client: Client,
  balancer: Balancer,
  old: readonly TreeInstance[],
  start: () => Promise<TreeInstance>,
): Promise<string> {
  const busy = keepBusy(client);
  let serving = [...old];
  for (const leaving of old) {
    const coming = await start();
    serving = [...serving.filter((one) => one !== leaving), coming];
    balancer.setInstances(serving.map(({ url }) => url));
    await stopProcess(leaving.child, 'SIGTERM');
  }
  return `${await busy.end()} writes meanwhile`;
}
