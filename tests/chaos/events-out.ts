import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { saveMemory } from '#lib/brain/memories/save-memory.ts';
import type { MemberActor } from '#lib/core/actor.ts';
import type { Connection } from '#lib/db/connection.ts';
import { createEndpoint } from '#lib/webhooks/endpoints/create-endpoint.ts';
import { sealer } from '#lib/webhooks/secrets.ts';
import { makeSpace } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import type { Random } from '#tests/simulation/random.ts';
import type { Instance } from './instances.ts';
import type { Subscriber } from './subscriber.ts';

export const PATHS = ['/steady', '/wild'] as const;
const EVENTS = ['memory.added', 'memory.changed', 'memory.deleted', 'generation.closed'];

type EventsOut = {
  /** Writers and the scheduler's calls end. */
  stop(): Promise<void>;
  /** Passes on both instances until nothing waits; how many it took. */
  drain(): Promise<number>;
};

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Subscribes both addresses of the subscriber, then writes Memories of a few objects while the servers live and die, has both deliver all
 * the time, and lets neither a lease nor a wait protect anybody.
 */
export async function playEventsOut(options: {
  connection: Connection;
  actor: MemberActor;
  sealingKey: string;
  subscriber: Subscriber;
  instances: Instance[];
  cronSecret: string;
  random: Random;
}): Promise<EventsOut> {
  const { connection, actor, subscriber, instances, random } = options;
  const ctx = {
    ...testContext(connection, actor),
    webhooks: {
      sealer: sealer([options.sealingKey]),
      checkAddress: async () => undefined,
      chance: () => random.next(),
      post: async () => ({ status: 204 }),
      mail: async () => undefined,
    },
  };
  for (const path of PATHS) {
    const { secret } = await createEndpoint(ctx, { url: `https://abonne.exemple.fr${path}`, events: EVENTS });
    subscriber.secrets.set(path, secret);
  }
  const space = await makeSpace(connection, actor.accountId);
  let stopped = false;
  const writer = async (rank: number) => {
    const { memory } = await addMemory(ctx, {
      spaceId: space.id,
      pillar: 'KNOWLEDGE',
      title: `Objet ${rank}`,
      body: 'Corps',
      parentId: null,
      source: 'MANUAL',
      idempotencyKey: null,
    });
    for (let version = 1; !stopped; version += 1) {
      await saveMemory(ctx, {
        memoryId: memory.id,
        openedVersion: version,
        title: `Objet ${rank}`,
        body: `Corps ${version}`,
      });
      await pause(100 + random.below(400));
    }
  };
  const call = (instance: Instance) =>
    fetch(`${instance.url}/api/cron/webhooks`, {
      headers: { authorization: `Bearer ${options.cronSecret}` },
      signal: AbortSignal.timeout(90_000),
    })
      .then((answer) => answer.text())
      .catch(() => pause(50));
  const deliverer = async (instance: Instance) => {
    while (!stopped) {
      if (instance.isUp()) await call(instance);
      await pause(100);
    }
  };
  const hurry = async () => {
    await connection.pool.query(
      `UPDATE "WebhookDelivery" SET "dueAt" = now() WHERE "state" = 'PENDING' AND "dueAt" > now()`,
    );
    await connection.pool.query(
      `UPDATE "WebhookEndpoint" SET "restsUntil" = NULL WHERE "restsUntil" IS NOT NULL`,
    );
  };
  const time = async () => {
    while (!stopped) {
      await hurry().catch(() => undefined);
      await pause(400);
    }
  };
  const flows = [writer(0), writer(1), writer(2), ...instances.map(deliverer), time()];
  const waiting = () => connection.db.webhookDelivery.count({ where: { state: 'PENDING' } });
  return {
    async stop() {
      stopped = true;
      await Promise.all(flows);
    },
    async drain() {
      subscriber.heal();
      for (let pass = 0; pass < 30; pass += 1) {
        if ((await waiting()) === 0) return pass;
        await hurry();
        await Promise.all(instances.map(call));
      }
      return 30;
    },
  };
}

export type EventsVerdict = { violations: string[]; events: number; taken: number; duplicates: number };

/** Every committed event arrived at both addresses, signed, in the order of its object, and what came twice says so. */
export async function judgeEventsOut(
  connection: Pick<Connection, 'db'>,
  subscriber: Pick<Subscriber, 'taken' | 'counts'>,
): Promise<EventsVerdict> {
  const violations: string[] = [];
  const revisions = await connection.db.memoryRevision.findMany({ orderBy: { version: 'asc' } });
  const closed = await connection.db.generation.findMany({
    where: { state: { in: ['COMPLETED', 'FAILED'] } },
  });
  const rows = await connection.db.webhookDelivery.findMany();
  const expected = [
    ...revisions.map(({ memoryId, version }) => `${memoryId} ${version}`),
    ...closed.map(({ id, state }) => `${id} ${state.toLowerCase()}`),
  ];
  const nameOf = (body: string) => {
    const { data } = JSON.parse(body) as { data: Record<string, unknown> };
    return data.memoryId ? `${data.memoryId} ${data.version}` : `${data.generationId} ${data.status}`;
  };
  for (const row of rows)
    if (row.state !== 'DELIVERED') violations.push(`${row.type} ${row.subjectId} is ${row.state}`);
  if (rows.length !== expected.length * PATHS.length)
    violations.push(`${rows.length} deliveries for ${expected.length} events at ${PATHS.length} addresses`);
  if (subscriber.counts.unverified > 0)
    violations.push(`${subscriber.counts.unverified} postings that the library refuses`);
  let duplicates = 0;
  for (const path of PATHS) {
    const own = subscriber.taken.filter((one) => one.path === path);
    const firsts = own.filter(({ id }, at) => own.findIndex((one) => one.id === id) === at);
    duplicates += own.length - firsts.length;
    const names = firsts.map(({ body }) => nameOf(body));
    // One identifier says one thing, and one thing has one identifier: whoever keeps identifiers sees each event once.
    if (new Set(own.map(({ id, body }) => `${id} ${body}`)).size !== firsts.length)
      violations.push(`${path}: an identifier said two things`);
    if (new Set(names).size !== names.length) violations.push(`${path}: an event came under two identifiers`);
    for (const name of expected) if (!names.includes(name)) violations.push(`${path}: ${name} never came`);
    for (const memoryId of new Set(revisions.map((one) => one.memoryId))) {
      const versions = names
        .filter((name) => name.startsWith(`${memoryId} `))
        .map((name) => Number(name.split(' ')[1]));
      if (versions.some((version, at) => version !== at + 1))
        violations.push(`${path}: ${memoryId} came as ${versions.join(', ')}`);
    }
  }
  return { violations, events: expected.length, taken: subscriber.taken.length, duplicates };
}
