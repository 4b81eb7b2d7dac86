import { deepStrictEqual } from 'node:assert';
import { connect } from '#lib/db/connection.ts';
import { withSession } from '#lib/local/postgres/session.ts';
import { load } from '#tests/bench/load.ts';
import { stopProcess, wordsOf } from '../child.ts';
import { type Deployment, PUBLIC_URL } from '../deployment.ts';
import { prepareService, type Service } from '../service.ts';
import { type Calls, callBack, deliveredOnce, settledOnce, subscribe } from './calls.ts';
import { requireReady, startInstance, type TreeInstance } from './instance.ts';
import { openOutside } from './outside.ts';
import { type Balancer, startBalancer } from './round-robin.ts';
import { addMemory, type Client, followImport, SHARED_STATE, startImport } from './shared-state.ts';
import { clientOf, replace, underTraffic } from './traffic.ts';

/**
 * Three servers of the tree on one database and one store behind a balancer: what they share, who calls them back, whom they tell, one that is
 * killed, a schema that is expanded while they serve, instances replaced one after the other, and how much one, two and three of them answer.
 */
export async function runInstances(on: Deployment): Promise<void> {
  // The rate of a key stays as it is; the account's would refuse what is measured.
  const service = await prepareService(on, 'instances', { SERVICE_ACCOUNT_RATE: '100000000' });
  const { admin, directUrl } = service;
  admin('quota', 'set', '1000000');
  admin('ledger', 'grant', '50');
  const { spaceId = '' } = admin('space', 'create', 'Lampes');

  const outside = await openOutside(on.root);
  on.stops.push(outside.close);
  const connection = connect({ url: directUrl, poolMax: 2 });
  on.stops.push(connection.close);
  const instances = await Promise.all(
    ['1', '2', '3'].map((name) =>
      startInstance(on, { ...service, env: { ...service.env, ...outside.env, ATELIER_INSTANCE: name } }),
    ),
  );
  const balancer = await startBalancer(PUBLIC_URL);
  on.stops.push(balancer.close);
  balancer.setInstances(instances.map(({ url }) => url));
  const client = clientOf(service, { url: balancer.url, spaceId });

  const step = async (what: string, work: () => Promise<string | undefined>) => {
    try {
      const more = await work();
      on.steps.push({ what: more ? `${what}: ${more}` : what });
    } catch (error) {
      on.steps.push({ what, fault: wordsOf(error) });
    }
  };
  for (const { what, run } of SHARED_STATE)
    await step(what, async () => {
      await run(client);
      return undefined;
    });
  await step('each of the three answered its share', async () => share(balancer, instances));
  const calls: Calls = {
    client,
    balancer,
    outside,
    connection,
    sealingKey: service.env.SERVICE_SESSION_SECRET ?? '',
  };
  const videos: string[] = [];
  await step(
    'a provider calls back whichever instance, and the three at once: each video is settled exactly once, a forged call is refused',
    async () => {
      await subscribe(calls);
      await callBack(calls, videos);
      return `${videos.length} videos`;
    },
  );
  await step(
    'events go out by all three at once: one posting an attempt, each event taken once by each subscriber',
    () => deliveredOnce(calls, videos),
  );
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
  await step('once those that were called back are gone, each video is settled once still', async () => {
    await settledOnce(calls, videos);
    return `${videos.length} videos`;
  });
  await step(
    'requests a second of 1, 2, 3 instances, the balancer, the database and the load on the same cores',
    () => measure(on, client, service),
  );
  const errors = instances.flatMap((instance) => instance.errors());
  on.steps.push({
    what: 'no error in their logs',
    ...(errors.length ? { fault: errors.slice(0, 5).join('\n    ') } : {}),
  });
  if (outside.faults.length)
    on.steps.push({
      what: 'the provider and the subscriber of the test answer all that they are asked',
      fault: outside.faults.slice(0, 5).join('\n    '),
    });
}

function share(balancer: Balancer, instances: readonly TreeInstance[]): string {
  const counts = instances.map(({ url }) => balancer.answered.get(url) ?? 0);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  if (least === 0 || most > least * 1.5) throw new Error(`answers of each: ${counts.join(', ')}`);
  return counts.join(', ');
}

async function kill(client: Client, balancer: Balancer, instances: readonly TreeInstance[]): Promise<string> {
  const [first, second, killed] = instances as [TreeInstance, TreeInstance, TreeInstance];
  const files = Array.from(
    { length: 600 },
    (_, n) => [`reprise-${n}.md`, `# Reprise ${n}\n\nMot ${n}.\n`] as const,
  );
  const { writes, result: done } = await underTraffic(client, async () => {
    try {
      // Only the one that dies is asked to import.
      balancer.setInstances([killed.url]);
      const job = await startImport(client, files);
      balancer.setInstances([first.url, second.url, killed.url]);
      await stopProcess(killed.child, 'SIGKILL');
      return await followImport(client, job.id);
    } finally {
      // As a balancer's health check would have found by then.
      balancer.setInstances([first.url, second.url]);
    }
  });
  deepStrictEqual(
    { state: done.state, created: done.created, total: done.total },
    { state: 'DONE', created: 600, total: 600 },
  );
  return `${writes} writes held once each, an import of 600 files taken up by another`;
}

/** What the next version's migration does, by its rules: a column that may be absent, a table, an index. */
async function expand(
  client: Client,
  directUrl: string,
  instances: readonly TreeInstance[],
): Promise<string> {
  const { secret } = client.createKey();
  const added = await addMemory(client, secret, 'expanded', 'Lue avant et après');
  const { id } = (await added.json()) as { id: string };
  // All columns of a table that gains one: what each instance has prepared answers others from then on.
  const readOften = async () => {
    const statuses = await Promise.all(
      Array.from({ length: 24 }, async () => {
        const response = await fetch(`${client.url}/api/v1/memories/${id}`, {
          headers: { authorization: `Bearer ${secret}` },
        });
        await response.text();
        return response.status;
      }),
    );
    deepStrictEqual([...new Set(statuses)], [200], 'reads of a Memory');
  };
  await readOften();
  const { writes } = await underTraffic(client, async ({ writeMore }) => {
    await withSession(directUrl, async (owner) => {
      await owner.query('alter table "Memory" add column "ofTheNextVersion" text');
      await owner.query('create table "OfTheNextVersion" (id text primary key)');
      await owner.query(
        `insert into "_prisma_migrations" (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
         values ('next', 'next', '99990101000000_of_the_next_version', now(), now(), 1)`,
      );
    });
    await readOften();
    await requireReady(instances);
    await writeMore(6, 'on the expanded schema');
  });
  return `${writes} writes while and after`;
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
