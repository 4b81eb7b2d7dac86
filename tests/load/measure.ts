import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { createId } from '#lib/core/ids.ts';
import { connect } from '#lib/db/connection.ts';
import { openSession } from '#lib/identity/sessions/open-session.ts';
import { signSessionCookie } from '#lib/identity/sessions/session-cookie.ts';
import { repositoryRoot } from '#lib/local/paths.ts';
import { generateClient } from '#lib/local/prisma/client.ts';
import { openServices } from '#lib/local/services/open-services.ts';
import { ensureBuild } from '#lib/local/serving/build.ts';
import { nextFreePort, serve } from '#lib/local/serving/serve.ts';
import { makeSetting } from '#tests/bench/setting.ts';
import { giveCredit } from '#tests/factories/ledger.ts';
import { inexact } from '#tests/faults/workload.ts';
import { callers, seconds } from './options.ts';

// The measurement of `npm run load`, begun by run.ts once its options are right.
process.env.SERVICE_DATA_DIR = path.join(repositoryRoot, '.tmp', 'load', 'data');
process.env.SERVICE_ENV = 'development';
delete process.env.DATABASE_URL;
await rm(process.env.SERVICE_DATA_DIR, { recursive: true, force: true });

type Call = { name: string; weight: number; expect: number[]; make(): [string, RequestInit] };
type Tally = { ms: number[]; unexpected: Map<string, number> };

await generateClient();
const services = await openServices({});
const connection = connect({ url: services.databaseUrl, poolMax: 4 });
try {
  // One account asks for everything here: its rate, which is counted all the same, must refuse none of it.
  const env = { ...process.env, ...services.env, SERVICE_ACCOUNT_RATE: '100000000' };
  await ensureBuild(env, console.log);
  const setting = await makeSetting(connection, { keys: 4_000, memories: 100 });
  const { ctx, accountId, spaceId, keys } = setting;
  await giveCredit(ctx, ctx.actor.memberId, 1_000_000_000_000n);
  const { sessionId } = await openSession(ctx, { accountId, memberId: ctx.actor.memberId });
  const cookie = `atelier=${await signSessionCookie(sessionId, services.env.SERVICE_SESSION_SECRET ?? '')}`;
  const served = await serve({
    mode: 'start',
    port: await nextFreePort(20_000 + Math.floor(Math.random() * 20_000)),
    env,
    quiet: true,
  });
  try {
    const { tallies, memory } = await saturate(served.url, calls({ spaceId, keys, cookie }));
    await report(tallies, memory);
  } finally {
    await served.stop();
  }
} finally {
  await connection.close();
  await services.close();
}

/** What is asked, in which proportion, and which answers are right. */
function calls({ spaceId, keys, cookie }: { spaceId: string; keys: string[]; cookie: string }): Call[] {
  let turn = 0;
  const bearer = () => {
    turn += 1;
    return { authorization: `Bearer ${keys[turn % keys.length]}` };
  };
  const json = { 'content-type': 'application/json' };
  const member = { cookie, 'sec-fetch-site': 'same-origin' };
  const scheduler = { authorization: `Bearer ${services.env.CRON_SECRET}` };
  const get = (name: string, url: string, weight: number): Call => ({
    name,
    weight,
    expect: [200],
    make: () => [url, { headers: bearer() }],
  });
  return [
    get('GET context', `/api/v1/spaces/${spaceId}/context`, 30),
    get('GET space', `/api/v1/spaces/${spaceId}`, 8),
    get('GET spaces', '/api/v1/spaces', 8),
    get('GET search', '/api/v1/search?q=lumi%C3%A8re%20chaude', 18),
    get('GET quota', '/api/v1/quota', 4),
    {
      name: 'POST memory',
      weight: 12,
      expect: [201],
      make: () => [
        `/api/v1/spaces/${spaceId}/memories`,
        {
          method: 'POST',
          headers: { ...bearer(), ...json, 'idempotency-key': createId('request') },
          body: JSON.stringify({
            pillar: 'ITEMS',
            title: 'Bougie',
            body: 'Coulée à la main, en cire végétale.',
          }),
        },
      ],
    },
    {
      name: 'POST generation',
      weight: 8,
      expect: [201],
      make: () => [
        '/api/generations',
        {
          method: 'POST',
          headers: { ...member, ...json, 'idempotency-key': createId('request') },
          body: JSON.stringify({ kind: 'image', brief: 'Une bougie sur une table en bois clair' }),
        },
      ],
    },
    {
      name: 'GET journal',
      weight: 6,
      expect: [200],
      make: () => ['/api/generations?limit=20', { headers: member }],
    },
    {
      name: 'POST forged webhook',
      weight: 4,
      expect: [401],
      make: () => ['/api/webhooks/render', { method: 'POST', headers: json, body: '{}' }],
    },
    {
      name: 'sweep',
      weight: 1,
      expect: [200],
      make: () => ['/api/cron/generations-sweep', { headers: scheduler }],
    },
    {
      name: 'retention',
      weight: 1,
      expect: [200],
      make: () => ['/api/cron/retention', { headers: scheduler }],
    },
  ];
}

/** Callers without a pause, until the time is over; the server's memory is read every two seconds. */
async function saturate(
  url: string,
  all: Call[],
): Promise<{ tallies: Map<string, Tally>; memory: number[] }> {
  const lots = all.flatMap((call) => Array.from({ length: call.weight }, () => call));
  const tallies = new Map<string, Tally>(all.map(({ name }) => [name, { ms: [], unexpected: new Map() }]));
  const until = Date.now() + seconds * 1_000;
  const caller = async () => {
    while (Date.now() < until) {
      const call = lots[Math.floor(Math.random() * lots.length)] as Call;
      const tally = tallies.get(call.name) as Tally;
      const [target, init] = call.make();
      const start = performance.now();
      const answer = await fetch(url + target, { ...init, signal: AbortSignal.timeout(60_000) })
        .then(async (response) => ({ status: response.status, text: await response.text() }))
        .catch((error: Error) => ({ status: 0, text: error.name }));
      tally.ms.push(performance.now() - start);
      if (call.expect.includes(answer.status)) continue;
      const said = `${answer.status} ${answer.text.slice(0, 120)}`.replace(/[a-z]{3}_[0-9a-z]{26}/g, '…');
      tally.unexpected.set(said, (tally.unexpected.get(said) ?? 0) + 1);
    }
  };
  const memory: number[] = [];
  const timer = setInterval(
    () => void serverMegabytes(url).then((value) => value && memory.push(value)),
    2_000,
  );
  await Promise.all(Array.from({ length: callers }, caller));
  clearInterval(timer);
  return { tallies, memory };
}

/** Resident memory of the processes that serve this port, in MB: read from /proc; 0 where there is none. */
async function serverMegabytes(url: string): Promise<number> {
  const port = new URL(url).port;
  let total = 0;
  const found = await readdir('/proc').catch(() => []);
  for (const pid of found.filter((name) => /^\d+$/.test(name))) {
    const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
    if (!(await read('environ')).split('\0').includes(`PORT=${port}`)) continue;
    total += Number(/VmRSS:\s+(\d+)/.exec(await read('status'))?.[1] ?? 0);
  }
  return Math.round(total / 1024);
}

async function report(tallies: Map<string, Tally>, memory: number[]): Promise<void> {
  const at = (sorted: number[], share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
  const rows = [...tallies].map(([name, { ms, unexpected }]) => {
    const sorted = ms.toSorted((a, b) => a - b);
    const errors = [...unexpected.values()].reduce((sum, times) => sum + times, 0);
    return { call: name, requests: ms.length, 'p50 ms': at(sorted, 0.5), 'p99 ms': at(sorted, 0.99), errors };
  });
  const requests = rows.reduce((sum, row) => sum + row.requests, 0);
  const errors = rows.reduce((sum, row) => sum + row.errors, 0);
  console.table(rows);
  for (const [name, { unexpected }] of tallies)
    for (const [said, times] of unexpected) console.log(`✗ ${name}: ${times} × ${said}`);
  const third = Math.max(1, Math.floor(memory.length / 3));
  const mean = (part: number[]) =>
    Math.round(part.reduce((sum, one) => sum + one, 0) / Math.max(1, part.length));
  console.log(
    `${requests} requests in ${seconds} s: ${Math.round(requests / seconds)} req/s, ${errors} errors; memory ` +
      `${mean(memory.slice(third, 2 * third))} MB in the second third, ${mean(memory.slice(-third))} MB in the last, ${Math.max(0, ...memory)} MB at most`,
  );
  const faults = await inexact(connection);
  console.log(
    faults.length === 0 ? 'books, counters and rows: exact' : `✗ ${faults.slice(0, 10).join(' · ')}`,
  );
  process.exitCode = errors === 0 && faults.length === 0 ? 0 : 1;
}
