import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '#lib/core/clock.ts';
import type { Mailer } from '#lib/core/mail/mail.ts';
import { outboxMailer } from '#lib/core/mail/outbox.ts';
import { FetchRefusal } from '#lib/core/net/fetch-refusal.ts';
import { RECORDED_DEFAULT_VOICE_ID } from '#lib/providers/elevenlabs/recorded-answers.ts';
import { partPath } from '#lib/storage/offboarding/exports.ts';
import type { StudioPorts } from '#lib/studio/context.ts';
import { makeKey } from '#tests/factories/account.ts';
import { type PopulatedAccount, populatedAccount } from '#tests/factories/populated-account.ts';
import { recordedProviders, TEST_CONFIG } from '#tests/factories/studio.ts';
import { slownessNow } from '#tests/factories/watching/held-loop.ts';
import { useApi } from '#tests/setup/api.ts';
import { useBlobStore } from '#tests/setup/storage/blob.ts';
import { PIXEL } from '#tests/simulation/outside.ts';
import { discoverActions, typedBy } from './actions.ts';
import { costs, isTooMuch, liveMemory, MOST } from './fuzzing/oracles.ts';
import { generator } from './fuzzing/random.ts';
import { type Attacker, hostileCall, hostileInput, hostileMessage } from './fuzzing/requests.ts';
import { afterAnswer, browser, signInAs } from './next-request.ts';
import { callRoute, discoverRoutes, type RouteCall } from './routes.ts';

const service = useApi({ poolMax: 10 });
const files = useBlobStore();
/** A few hundred with every `npm test`; `npm run fuzz -- --requests 60000` for more. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 600);
const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000_007);
/** How often a request that takes too much is sent again, to see whether it does each time. */
const MOST_AGAIN = 4;
/** What a leak of so many bytes a request would pass, past what collections leave by chance. */
const MOST_GROWN_BYTES = 24 * 1024 ** 2;

/** What a leak looks like: frames, drivers, queries, files of ours. */
const LEAKS = [
  /\bat \S+ \(.*:\d+:\d+\)/,
  /node_modules/,
  /prisma/i,
  /SELECT\s.+\sFROM/i,
  /\/lib\/[a-z]+\/[a-z-]+\.ts/,
  /postgres(ql)?:\/\//,
];

type Answer = { status: number; text: string; headers: Headers };
/** One way in: makes a request by chance, which can be sent again as it was. */
type Entry = { name: string; make(): { send(): Promise<Answer>; shown: string } };

const random = generator(SEED);
const meter = costs();
afterAll(() => meter.stop());
let own: PopulatedAccount;
let entries: Entry[] = [];
const session = { cookie: '' };
const attacker: Attacker & { credentials: Record<string, string>[]; ids: string[] } = {
  credentials: [
    {},
    { authorization: 'Bearer x' },
    { authorization: `Bearer atl_${'0'.repeat(64)}` },
    { authorization: 'Basic eA==' },
    { cookie: 'atelier=x.y.z' },
    ...Array.from({ length: 12 }, () => session),
  ],
  ids: [],
};

/** Everything is served here, and what is recorded succeeds: nothing that is sent may be answered by a 5xx. */
function serveEverything(): void {
  const shared = globalThis as { atelierStudio?: StudioPorts; atelierMailer?: Mailer };
  const { storeToken, storeApiUrl } = files.ports;
  shared.atelierStudio = {
    providers: recordedProviders(systemClock),
    store: files.store,
    fetch: () => Promise.reject(new FetchRefusal('host-not-allowed')),
    config: { ...TEST_CONFIG, storeToken, storeApiUrl, defaultVoiceId: RECORDED_DEFAULT_VOICE_ID },
    mailSpendAlert: async () => {},
  };
  shared.atelierMailer = outboxMailer({ db: service.db, clock: systemClock, say: () => {} });
}

beforeAll(async () => {
  serveEverything();
  // What is done after the answer is part of what a request costs: it is waited for with it.
  afterAnswer.isRun = true;
  own = await populatedAccount(service, { marker: 'ZQFUZZZQ' });
  for (const pathname of own.pathnames) await files.store.put(pathname, PIXEL, { contentType: 'image/png' });
  for (const id of own.ids.accountExport ?? [])
    await files.store.put(partPath(own.accountId, id, 0), Buffer.from('zip'), {
      contentType: 'application/zip',
    });
  attacker.ids.push(...Object.values(own.ids).flat(), ...own.pathnames);
  const [memberId = ''] = own.ids.member ?? [];
  const founder = await service.db.member.findUniqueOrThrow({ where: { id: memberId } });
  for (let n = 0; n < 12; n += 1)
    attacker.credentials.push({ authorization: `Bearer ${(await makeKey(service, founder)).secret}` });
  const tokens = [own.apiToken, own.mcpToken, own.mcpToken];
  attacker.credentials.push(...tokens.map((token) => ({ authorization: `Bearer ${token}` })));
  entries = await findEntries();
});

async function findEntries(): Promise<Entry[]> {
  const routes = await discoverRoutes();
  const actions = await discoverActions();
  const mcp = routes.find(({ pattern, method }) => pattern === '/api/mcp' && method === 'POST');
  if (!mcp) throw new Error('no route of assistants');
  const byRoute = routes.map((route) => ({
    name: `${route.method} ${route.pattern}`,
    make() {
      const call = hostileCall(random, route, attacker);
      const sent = asBytes(call);
      const send = async () => callRoute(route, await sent);
      return { send, shown: shown({ ...call, headers: undefined }) };
    },
  }));
  const byAction = actions.map((action) => ({
    name: action.name,
    make() {
      const input = hostileInput(random, typedBy(own), attacker.ids);
      const send = async (): Promise<Answer> => {
        const answer = await action.run(input);
        const isFault = answer.status === 'refused' && /^internal/.test(answer.code ?? '');
        return {
          status: isFault ? 500 : 200,
          text: JSON.stringify({ ...answer, values: undefined }),
          headers: new Headers(),
        };
      };
      return { send, shown: shown(input) };
    },
  }));
  const byAssistant = {
    name: 'an assistant',
    make() {
      const call = hostileMessage(random, attacker);
      const send = async (): Promise<Answer> => {
        const answer = await callRoute(mcp, call);
        // A fault of a tool is told in an answer of 200.
        const isFault = /\(internal[_-]error\)|"code":"internal_error"/.test(answer.text);
        return isFault ? { ...answer, status: 500 } : answer;
      };
      return { send, shown: shown(call.body) };
    },
  };
  return [...byRoute, ...byAction, ...Array.from({ length: 8 }, () => byAssistant)];
}

/** A form or a file as the bytes of a request: a stream that this process would make of one complains when nobody reads it to its end. */
async function asBytes(call: RouteCall): Promise<RouteCall> {
  if (!(call.body instanceof FormData) && !(call.body instanceof Blob)) return call;
  const body = new Response(call.body);
  const type = body.headers.get('content-type') ?? 'application/octet-stream';
  return { ...call, body: await body.bytes(), headers: { 'content-type': type, ...call.headers } };
}

const shown = (value: unknown) => (JSON.stringify(value) ?? '').slice(0, 400);

/** What lets requests through to the work: no window is full, and the founder is signed in whatever was fuzzed before. */
async function letIn(): Promise<void> {
  const [memberId = ''] = own.ids.member ?? [];
  await signInAs(service, { accountId: own.accountId, memberId });
  session.cookie = `atelier=${browser.cookie}`;
}

async function settled(send: () => Promise<Answer>): Promise<Answer> {
  try {
    const answer = await send();
    await Promise.all(afterAnswer.works.splice(0));
    return answer;
  } catch (error) {
    const text = String(error instanceof Error ? error.stack : error);
    return { status: 599, text, headers: new Headers() };
  }
}

/** A question to the database and a process that does nothing, one after the other. */
async function startProcess(): Promise<void> {
  await service.pool.query('SELECT 1');
  await promisify(execFile)(process.execPath, ['-e', '0']);
}

function faultOf(answer: Answer): string | undefined {
  const isPage = answer.headers.get('content-type')?.startsWith('text/html');
  if (answer.status >= 500) return `${answer.status}`;
  if (!isPage && LEAKS.some((leak) => leak.test(answer.text))) return 'leak';
  return answer.headers.has('x-injected') ? 'header injected' : undefined;
}

function codeOf(text: string): string {
  try {
    const { error, code } = JSON.parse(text) as { error?: { code?: string } | string; code?: string };
    return (typeof error === 'string' ? error : error?.code) ?? code ?? '';
  } catch {
    return '';
  }
}

describe('hostile requests', () => {
  test('the oracles see a request that holds the loop, and one that leaves memory behind', async () => {
    const { cost } = await meter.of(async () => {
      const from = process.threadCpuUsage();
      while (process.threadCpuUsage(from).user < 1_500 * MOST.holdMs);
    });
    expect([cost.holdMs > MOST.holdMs, isTooMuch(cost)]).toEqual([true, true]);
    const before = await liveMemory();
    const kept = Array.from({ length: 600 }, (_, n) => Buffer.alloc(50_000, n));
    expect((await liveMemory()).liveBytes - before.liveBytes).toBeGreaterThan(MOST_GROWN_BYTES);
    expect(kept).toHaveLength(600);
  });

  test(`${REQUESTS} generated requests to every route and server action, and as assistants: no 5xx, no leak, none that lasts, holds the loop or leaves memory behind (seed ${SEED})`, {
    timeout: 600_000 + REQUESTS * 200,
  }, async () => {
    await letIn();
    // What is loaded and compiled at a first call is no cost of a request.
    for (const entry of entries) await settled(entry.make().send);
    const counts = new Map<string, number>();
    const failures: string[] = [];
    const worst = { ms: 0, slowest: '', holdMs: 0, of: '' };
    const memory: Awaited<ReturnType<typeof liveMemory>>[] = [];
    for (let done = 0; done < REQUESTS; done += 1) {
      if (done % 10 === 0) await letIn();
      if (done === Math.floor(REQUESTS / 10) || done === Math.floor(REQUESTS / 2))
        memory.push(await liveMemory());
      const entry = entries[done % entries.length] as Entry;
      const request = entry.make();
      const { result: answer, cost } = await meter.of(() => settled(request.send));
      const family =
        answer.status < 500 ? `${Math.floor(answer.status / 100)}xx` : `5xx ${codeOf(answer.text)}`;
      counts.set(family, (counts.get(family) ?? 0) + 1);
      const fault = faultOf(answer);
      if (fault) failures.push(`${fault}: ${entry.name} ${request.shown} → ${answer.text.slice(0, 400)}`);
      // Something else on this machine may have taken the time, or a collection the turn: what lasts, lasts each time.
      const isDear = cost.ms > MOST.requestMs / 2 || cost.holdMs > MOST.holdMs / 2;
      const sure = { ...cost };
      for (let again = 0; again < (isTooMuch(sure) ? MOST_AGAIN : Number(isDear)); again += 1) {
        const { ms, holdMs } = (await meter.of(() => settled(request.send))).cost;
        Object.assign(sure, { ms: Math.min(sure.ms, ms), holdMs: Math.min(sure.holdMs, holdMs) });
      }
      if (sure.holdMs > worst.holdMs) Object.assign(worst, { holdMs: sure.holdMs, of: entry.name });
      if (sure.ms > worst.ms) Object.assign(worst, { ms: sure.ms, slowest: entry.name });
      // A file is read by a process: how long one takes to start here now is no cost of the request.
      const idle = isTooMuch(sure) ? (await meter.of(startProcess)).cost : undefined;
      if (idle && (sure.holdMs > MOST.holdMs * slownessNow() || sure.ms > MOST.requestMs + 3 * idle.ms))
        failures.push(
          `${Math.round(sure.ms)} ms, held ${Math.round(sure.holdMs)} ms: ${entry.name} ${request.shown}`,
        );
    }
    memory.push(await liveMemory());
    const [early, half, end] = memory.map(({ liveBytes, rssBytes }) => ({ live: liveBytes, rss: rssBytes }));
    const megabytes = (bytes = 0) => (bytes / 1024 ** 2).toFixed(0);
    console.log(
      [
        `fuzz: ${REQUESTS} requests, ${entries.length} ways in, seed ${SEED}, ${[...counts].map(([k, v]) => `${k} ${v}`).join(', ')}`,
        `worst: ${worst.ms.toFixed(0)} ms (${worst.slowest}), loop held ${worst.holdMs.toFixed(0)} ms (${worst.of})`,
        `live memory at a tenth, half, end: ${[early, half, end].map((at) => megabytes(at?.live)).join(', ')} MB; resident: ${[early, half, end].map((at) => megabytes(at?.rss)).join(', ')} MB`,
      ].join('\n'),
    );
    expect(failures.slice(0, 10)).toEqual([]);
    expect((end?.live ?? 0) - (half?.live ?? 0)).toBeLessThan(MOST_GROWN_BYTES);
    await expectSoundBooks();
  });
});

/** Whatever got in went through the capacity and the ledger: what is written is what is counted. */
async function expectSoundBooks(): Promise<void> {
  const { rows: capacity } = await service.pool.query(
    `SELECT a."id" FROM "Account" a LEFT JOIN "Memory" m ON m."accountId" = a."id" AND m."deletedAt" IS NULL
     GROUP BY a."id" HAVING a."usedCu" <> coalesce(sum(m."cu"), 0)`,
  );
  const { rows: wallets } = await service.pool.query(
    `SELECT w."id" FROM "Wallet" w JOIN "LedgerLine" l ON l."walletId" = w."id"
     GROUP BY w."id" HAVING w."balanceMicros" <> sum(l."amountMicros") OR w."heldMicros" <> sum(l."heldMicros")`,
  );
  expect([capacity, wallets]).toEqual([[], []]);
}
