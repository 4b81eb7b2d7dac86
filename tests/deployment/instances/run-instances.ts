import { deepStrictEqual } from 'node:assert';
import { withSession } from '#lib/local/postgres/session.ts';
import { load } from '#tests/bench/load.ts';
import { until } from '#tests/setup/until.ts';
import { stopProcess } from '../debian.ts';
import { type Deployment, PUBLIC_URL } from '../parts.ts';
import { prepareService, type Service } from '../service.ts';
import { startInstance, type TreeInstance } from './instance.ts';
import { type Balancer, startBalancer } from './round-robin.ts';
import { addMemory, type Client, followImport, SHARED_STATE, startImport } from './shared-state.ts';

/**
 * Three servers of the tree on one database and one store behind a balancer: what they share, one that is killed, a schema that is
 * expanded while they serve, instances replaced one after the other, and how much one, two and three of them answer.
 */
export async function runInstances(on: Deployment): Promise<void> {
  // The rate of a key stays as it is; the account's would refuse what is measured.
  const service = await prepareService(on, 'instances', { SERVICE_ACCOUNT_RATE: '100000000' });
  const { admin, cookie, directUrl } = service;
  admin('quota', 'set', '1000000');
  const { spaceId = '' } = admin('space', 'create', 'Lampes');

  const instances = await Promise.all([1, 2, 3].map(() => startInstance(on, service)));
  const balancer = await startBalancer(PUBLIC_URL);
  on.stops.push(balancer.close);
  balancer.setInstances(instances.map(({ url }) => url));
  let keys = 0;
  const client: Client = {
    url: balancer.url,
    publicUrl: PUBLIC_URL,
    spaceId,
    cookie,
    cronSecret: service.env.CRON_SECRET ?? '',
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

  const step = async (what: string, work: () => Promise<string | undefined>) => {
    try {
      const more = await work();
      on.steps.push({ what: more ? `${what}: ${more}` : what });
    } catch (error) {
      on.steps.push({ what, fault: error instanceof Error ? error.message : String(error) });
    }
  };
  for (const { what, run } of SHARED_STATE)
    await step(what, async () => {
      await run(client);
      return undefined;
    });
  await step('each of the three answered its share', async () => share(balancer, instances));
  await step(
    'one is killed in the middle of reads, writes and an import: nothing is lost and nobody waits for it',
    () => kill(client, balancer, instances),
  );
  await step('the schema is expanded while the old version serves: it goes on reading and writing', () =>
    expand(client, directUrl, instances.slice(0, 2)),
  );
  await step('instances are replaced one after the other under traffic: no request fails', () =>
    replace(client, balancer, instances.slice(0, 2), () => startInstance(on, service)),
  );
  await step(
    'requests a second of 1, 2, 3 instances, the balancer, the database and the load on the same cores',
    () => measure(on, client, service),
  );
  const errors = instances.flatMap((instance) => instance.errors());
  on.steps.push({
    what: 'no error in their logs',
    ...(errors.length ? { fault: errors.slice(0, 5).join('\n    ') } : {}),
  });
}

function share(balancer: Balancer, instances: readonly TreeInstance[]): string {
  const counts = instances.map(({ url }) => balancer.answered.get(url) ?? 0);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  if (least === 0 || most > least * 1.5) throw new Error(`answers of each: ${counts.join(', ')}`);
  return counts.join(', ');
}

/** Reads and writes by the balancer until told to stop; what fails is kept. A write that fails is sent again with its key, as a client does. */
function keepBusy(client: Client) {
  const readers = Array.from({ length: 3 }, () => client.createKey().secret);
  const writer = client.createKey().secret;
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
    // A key writes twenty times a minute.
    for (let n = 0; !isOver && n < 18; n += 1) {
      const title = `Ecrite ${keyOf(writer)} ${n}`;
      let response = await addMemory(client, writer, `busy-${keyOf(writer)}-${n}`, title).catch(
        () => undefined,
      );
      for (let again = 0; !isAdded(response) && again < 5; again += 1)
        response = await addMemory(client, writer, `busy-${keyOf(writer)}-${n}`, title).catch(
          () => undefined,
        );
      if (isAdded(response)) added.push(title);
      else faults.push(`write: ${response?.status ?? 'no answer'}`);
      await new Promise((resolve) => setTimeout(resolve, 150));
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

const keyOf = (secret: string) => secret.slice(-6);

async function kill(client: Client, balancer: Balancer, instances: readonly TreeInstance[]): Promise<string> {
  const [first, second, killed] = instances as [TreeInstance, TreeInstance, TreeInstance];
  const busy = keepBusy(client);
  // Only the one that dies is asked to import.
  balancer.setInstances([killed.url]);
  const files = Array.from(
    { length: 600 },
    (_, n) => [`reprise-${n}.md`, `# Reprise ${n}\n\nMot ${n}.\n`] as const,
  );
  const job = await startImport(client, files);
  balancer.setInstances([first.url, second.url, killed.url]);
  await stopProcess(killed.child, 'SIGKILL');
  const done = await followImport(client, job.id);
  // As a balancer's health check would have found by then.
  balancer.setInstances([first.url, second.url]);
  const written = await busy.end();
  deepStrictEqual(
    { state: done.state, created: done.created, total: done.total },
    { state: 'DONE', created: 600, total: 600 },
  );
  return `${written} writes held once each, an import of 600 files taken up by another`;
}

/** What the next version's migration does, by its rules: a column that may be absent, a table, an index. */
async function expand(
  client: Client,
  directUrl: string,
  instances: readonly TreeInstance[],
): Promise<string> {
  const busy = keepBusy(client);
  await withSession(directUrl, async (owner) => {
    await owner.query('alter table "Memory" add column "ofTheNextVersion" text');
    await owner.query('create table "OfTheNextVersion" (id text primary key)');
    await owner.query(
      `insert into "_prisma_migrations" (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       values ('next', 'next', '99990101000000_of_the_next_version', now(), now(), 1)`,
    );
  });
  const ready = await Promise.all(instances.map(async ({ url }) => (await fetch(`${url}/api/ready`)).status));
  deepStrictEqual(new Set(ready), new Set([200]));
  const wanted = busy.written() + 6;
  await until('six writes on the expanded schema', () => busy.written() >= wanted || busy.faults.length > 0);
  return `${await busy.end()} writes while and after`;
}

async function replace(
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

async function measure(on: Deployment, client: Client, service: Service): Promise<string> {
  const balancer = await startBalancer(PUBLIC_URL);
  on.stops.push(balancer.close);
  const started: TreeInstance[] = [];
  const figures: string[] = [];
  for (const count of [1, 2, 3]) {
    started.push(await startInstance(on, service));
    balancer.setInstances(started.map(({ url }) => url));
    // As a browser: a key may ask 120 times a minute.
    const job = {
      url: `${balancer.url}/api/brain/spaces/${client.spaceId}/context?maxChars=4000`,
      cookie: client.cookie,
      connections: 16,
    };
    await load({ ...job, seconds: 4 });
    const { requestsPerSecond, p99Ms, errors } = await load({ ...job, seconds: 8 });
    if (errors > 0) throw new Error(`${errors} requests failed`);
    figures.push(`${count}: ${Math.round(requestsPerSecond)} (p99 ${p99Ms} ms)`);
  }
  for (const { child } of started) await stopProcess(child, 'SIGTERM');
  return figures.join(', ');
}
