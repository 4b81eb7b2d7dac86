import { deepStrictEqual, strictEqual } from 'node:assert';
import type { Connection } from '#lib/db/connection.ts';
import { recordedWebhookSecret } from '#lib/providers/gateway/recorded-video-answers.ts';
import { signGatewayBody } from '#lib/providers/gateway/signature.ts';
import { createEndpoint } from '#lib/webhooks/endpoints/create-endpoint.ts';
import { sealer } from '#lib/webhooks/secrets.ts';
import { memberActor } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { inexact } from '#tests/faults/workload.ts';
import { until } from '#tests/setup/until.ts';
import { COST_MICROS, type Outside, REFUSES_FIRST, TAKES } from './outside.ts';
import type { Balancer } from './round-robin.ts';
import { addMemory, type Client } from './shared-state.ts';

/** What comes from outside to whichever instance, and what goes out from each of them. */
export type Calls = {
  client: Client;
  balancer: Balancer;
  outside: Outside;
  /** As the owner, straight to the server: what the books say. */
  connection: Connection;
  /** What the servers seal a subscriber's secret with. */
  sealingKey: string;
};

const INSTANCES = 3;
/** Called back once each, then as many by every instance at once. */
const VIDEOS = 6;
const MEMORIES = 12;

/** Subscribes both addresses of the subscriber, by its verb: the test's names have no public address to be checked. */
export async function subscribe({ connection, outside, sealingKey }: Calls): Promise<void> {
  const member = await connection.db.member.findFirstOrThrow();
  const ctx = {
    ...testContext(connection, memberActor(member)),
    webhooks: {
      sealer: sealer([sealingKey]),
      checkAddress: async () => undefined,
      chance: () => 0.5,
      post: async () => ({ status: 204 }),
      mail: async () => undefined,
    },
  };
  for (const path of [TAKES, REFUSES_FIRST]) {
    const url = `https://abonne.exemple.fr${path}`;
    const { secret } = await createEndpoint(ctx, { url, events: ['memory.added', 'generation.closed'] });
    outside.secrets.set(path, secret);
  }
}

/** Asks for videos, which `ids` takes, and has their provider call back by the balancer, one instance at a time and then all of them at once. */
export async function callBack(on: Calls, ids: string[]): Promise<void> {
  const { client, balancer, connection } = on;
  for (let n = 0; n < VIDEOS; n += 1) ids.push(await askVideo(client, n));
  const states = async () => {
    const rows = await connection.db.generation.findMany({ where: { id: { in: ids } } });
    return rows.map(stateOf);
  };
  const none = async (state: string) => {
    const seen = await states();
    if (seen.includes(state)) throw new Error(`they are ${seen.join(', ')}`);
    return true;
  };
  await until('the jobs to be recorded', () => none('STARTING'));
  deepStrictEqual(new Set(await states()), new Set(['SUBMITTED']));

  strictEqual(await forged(on, ids[0] ?? ''), 401);
  const before = new Map(balancer.answered);
  const deliveredOnce = ids.slice(0, VIDEOS / 2);
  const answers: number[] = [];
  for (const id of ids) answers.push(...(await deliver(on, id, deliveredOnce.includes(id) ? 1 : INSTANCES)));
  deepStrictEqual(new Set(answers), new Set([204]));
  // The test alone asks the balancer, which gives turns: each instance had its share, and one call of each three.
  const gained = [...balancer.answered].map(([url, count]) => count - (before.get(url) ?? 0));
  deepStrictEqual(
    gained,
    Array.from({ length: INSTANCES }, () => answers.length / INSTANCES),
  );
  await until('the videos to be closed', () => none('SUBMITTED'));
  // A provider that missed its answer says it again.
  for (const id of ids) deepStrictEqual(new Set(await deliver(on, id, INSTANCES)), new Set([204]));
  await settledOnce(on, ids);
}

/** A row's state, with why it failed. */
const stateOf = (row: { state: string; code: string | null; errorMessage: string | null }) =>
  [row.state, row.code, row.errorMessage].filter(Boolean).join(' ');

/** Throws unless each of those videos was paid once, settled once at what the provider bills, and told once in the audit. */
export async function settledOnce({ connection, outside }: Calls, ids: readonly string[]): Promise<void> {
  const faults = await inexact(connection);
  const rows = await connection.db.generation.findMany({ where: { id: { in: [...ids] } } });
  const lines = await connection.db.ledgerLine.findMany({ where: { generationId: { in: [...ids] } } });
  const audits = await connection.db.auditEntry.findMany({
    where: {
      subjectId: { in: [...ids] },
      action: { in: ['generation.completed', 'generation.reconciled', 'generation.failed'] },
    },
  });
  deepStrictEqual([ids.length, rows.length], [VIDEOS, VIDEOS]);
  for (const { id, ...row } of rows) {
    const seen = {
      state: stateOf(row),
      closedBy: row.closedBy,
      costMicros: row.costMicros,
      secret: row.providerWebhookSecret,
      lines: lines
        .filter(({ generationId }) => generationId === id)
        .map(({ kind }) => kind)
        .sort()
        .join(),
      audits: audits
        .filter(({ subjectId }) => subjectId === id)
        .map(({ action }) => action)
        .join(),
      starts: outside.jobs.get(id)?.starts,
    };
    deepStrictEqual(seen, {
      state: 'COMPLETED',
      closedBy: 'webhook',
      costMicros: COST_MICROS,
      secret: null,
      lines: 'RESERVE,SETTLE',
      audits: 'generation.completed',
      starts: 1,
    });
  }
  deepStrictEqual(faults, []);
}

/**
 * Writes Memories by every instance at once, has all of them send at once until nothing waits, and compares what the subscriber was posted with
 * the attempts that are written down, for these Memories and `videos`. Nobody is subscribed afterwards. Says who sent.
 */
export async function deliveredOnce(on: Calls, videos: readonly string[]): Promise<string> {
  const { client, connection, outside } = on;
  try {
    const { secret } = client.createKey();
    const added = await Promise.all(
      Array.from({ length: MEMORIES }, (_, n) => addMemory(client, secret, `told-${n}`, `Annoncée ${n}`)),
    );
    deepStrictEqual(new Set(added.map(({ status }) => status)), new Set([201]));
    const memories = await Promise.all(
      added.map(async (answer) => ((await answer.json()) as { id: string }).id),
    );
    await until('every event to be told', async () => {
      await hurry(connection);
      await Promise.all(Array.from({ length: INSTANCES }, () => passOf(client)));
      const waiting = await connection.db.webhookDelivery.findMany({ where: { state: 'PENDING' } });
      const seen = waiting.map((row) => `${row.attempts} attempts, ${row.lastStatus ?? row.lastError}`);
      if (seen.length > 0) throw new Error(`${seen.length} wait: ${seen.slice(0, 4).join('; ')}`);
      return true;
    });
    // A video that is open still has told nothing, and was a fault before.
    const generations = await connection.db.generation.findMany({ where: { id: { in: [...videos] } } });
    const closed = generations.filter(({ closedAt }) => closedAt !== null).map(({ id }) => id);
    const rows = await connection.db.webhookDelivery.findMany({ include: { endpoint: true } });
    const delivered = rows.map(({ endpoint, subjectId }) => `${new URL(endpoint.url).pathname} ${subjectId}`);
    const expected = [TAKES, REFUSES_FIRST].flatMap((path) =>
      [...closed, ...memories].map((subjectId) => `${path} ${subjectId}`),
    );
    deepStrictEqual(delivered.sort(), expected.sort());
    const faults: string[] = [];
    for (const { id, type, state, attempts, endpoint } of rows) {
      const path = new URL(endpoint.url).pathname;
      const own = outside.postings.filter((one) => one.id === id);
      const seen = [state, attempts, ...own.map((one) => `${one.path} ${one.status}`)].join(', ');
      const wanted =
        path === TAKES
          ? `DELIVERED, 1, ${TAKES} 204`
          : `DELIVERED, 2, ${REFUSES_FIRST} 500, ${REFUSES_FIRST} 204`;
      if (seen !== wanted) faults.push(`${type} at ${path}: ${seen}`);
    }
    deepStrictEqual(faults, []);
    const senders = new Set(outside.postings.map(({ instance }) => instance));
    return `${rows.length} events, ${outside.postings.length} postings, sent by ${senders.size} of the three`;
  } finally {
    await connection.db.webhookEndpoint.deleteMany();
  }
}

async function askVideo(client: Client, n: number): Promise<string> {
  const response = await fetch(`${client.url}/api/generations`, {
    method: 'POST',
    headers: {
      cookie: client.cookie,
      origin: client.publicUrl,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/json',
      'idempotency-key': `called-back-${n}`,
    },
    body: JSON.stringify({ kind: 'video', case: 'veo', brief: `Une flamme ${n}`, durationSeconds: 4 }),
  });
  const text = await response.text();
  if (response.status >= 300) throw new Error(`a video: ${response.status} ${text.slice(0, 500)}`);
  return (JSON.parse(text) as { id: string }).id;
}

/** The very same call, as many times at once: the bytes, the time and the signature of one. */
function deliver(on: Calls, id: string, copies: number): Promise<number[]> {
  const jobId = on.outside.jobs.get(id)?.jobId ?? '';
  const body = bodyOf(jobId);
  const signature = signGatewayBody(body, recordedWebhookSecret(jobId), new Date());
  return Promise.all(Array.from({ length: copies }, () => post(on.client, { id, body, signature })));
}

/** Signed with the secret of another row's job. */
function forged(on: Calls, id: string): Promise<number> {
  const body = bodyOf(on.outside.jobs.get(id)?.jobId ?? '');
  const signature = signGatewayBody(body, recordedWebhookSecret('job_of_another'), new Date());
  return post(on.client, { id, body, signature });
}

const bodyOf = (jobId: string) =>
  JSON.stringify({ type: 'video.completed', data: { jobId, status: 'completed' } });

async function post(client: Client, call: { id: string; body: string; signature: string }): Promise<number> {
  const answer = await fetch(`${client.url}/api/webhooks/video/${call.id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-ai-gateway-signature': call.signature },
    body: call.body,
  });
  await answer.text();
  return answer.status;
}

async function passOf(client: Client): Promise<void> {
  const answer = await fetch(`${client.url}/api/cron/webhooks`, {
    headers: { authorization: `Bearer ${client.cronSecret}` },
  });
  const text = await answer.text();
  strictEqual(answer.status, 200, `a pass: ${answer.status} ${text.slice(0, 300)}`);
}

/** Waits pass at once, for events whose one attempt is written down: those on their way keep their lease. */
async function hurry({ pool }: Connection): Promise<void> {
  await pool.query(
    `UPDATE "WebhookDelivery" SET "dueAt" = now()
     WHERE "state" = 'PENDING' AND "attempts" = 1 AND "dueAt" > now() AND ("lastStatus" IS NOT NULL OR "lastError" IS NOT NULL)`,
  );
  await pool.query(`UPDATE "WebhookEndpoint" SET "restsUntil" = NULL WHERE "restsUntil" IS NOT NULL`);
}
