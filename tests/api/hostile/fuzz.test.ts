import { beforeAll, describe, expect, test } from 'vitest';
import { openSession } from '#lib/identity/sessions/open-session.ts';
import { signSessionCookie } from '#lib/identity/sessions/session-cookie.ts';
import { makeAccount, makeKey, makeSpace } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { useApi } from '#tests/setup/api.ts';
import { callRoute, discoverRoutes, type Route, type RouteCall } from './routes.ts';

const service = useApi({ poolMax: 10 });
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 5_000);
const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000_007);

/** Answers that say « not here, not now » on purpose. */
const HONEST_5XX = new Set([
  'not_configured',
  'composition-unavailable',
  'unavailable',
  'provider-failure',
  'temporarily_unavailable',
]);
/** What a leak looks like: frames, drivers, queries, files of ours. */
const LEAKS = [
  /\bat \S+ \(.*:\d+:\d+\)/,
  /node_modules/,
  /prisma/i,
  /SELECT\s.+\sFROM/i,
  /\/lib\/[a-z]+\/[a-z-]+\.ts/,
  /postgres(ql)?:\/\//,
];

function generator(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return { next, pick: <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)] as T };
}

type Random = ReturnType<typeof generator>;

const TEXTS = [
  '',
  ' ',
  'a',
  '0',
  '-1',
  'null',
  'é',
  '\u0000',
  '%00',
  '\ud800',
  '🪔',
  "' OR 1=1 --",
  '<script>',
  '../../etc/passwd',
  '..%2f..%2f',
  '{{7*7}}',
  '$' + '{7*7}',
  'a'.repeat(300),
  '1e309',
  '__proto__',
  'constructor',
  '\r\nX-Injected: 1',
  'ITEMS',
  'IDENTITY,ITEMS',
  'spc_x',
  'gen_x',
  '2026-13-45',
  '9'.repeat(30),
];
const NAMES = [
  'q',
  'limit',
  'cursor',
  'pillars',
  'maxChars',
  'spaceId',
  'pillar',
  'status',
  'kind',
  'from',
  'to',
  'productId',
  'memberId',
  'case',
  'client_id',
  'redirect_uri',
  'code',
  'resource',
  'scope',
  'state',
  'token',
  'grant_type',
  '__proto__',
  'é',
];

function hostileValue(random: Random, depth = 0): unknown {
  const roll = random.next();
  if (roll < 0.45 || depth > 4) return random.pick(TEXTS);
  if (roll < 0.6) return random.pick([0, -1, 1.5, 1e308, 2 ** 53, true, false, null]);
  if (roll < 0.75)
    return Array.from({ length: Math.floor(random.next() * 4) }, () => hostileValue(random, depth + 1));
  return Object.fromEntries(
    Array.from({ length: Math.floor(random.next() * 6) }, () => [
      random.pick([
        ...NAMES,
        'title',
        'body',
        'parentId',
        'brief',
        'references',
        'settings',
        'voiceId',
        'template',
        'fields',
        'url',
        'type',
        'payload',
      ]),
      hostileValue(random, depth + 1),
    ]),
  );
}

function hostileBody(random: Random): { body: BodyInit; type: string } {
  const roll = random.next();
  if (roll < 0.6) return { body: JSON.stringify(hostileValue(random)), type: 'application/json' };
  if (roll < 0.7) return { body: '{"a":', type: 'application/json' };
  if (roll < 0.76) return { body: '['.repeat(5_000), type: 'application/json' };
  if (roll < 0.82) return { body: new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]), type: 'application/json' };
  if (roll < 0.92)
    return {
      body: new URLSearchParams({
        [random.pick(NAMES)]: random.pick(TEXTS).toWellFormed(),
        [random.pick(NAMES)]: random.pick(TEXTS).toWellFormed(),
      }).toString(),
      type: 'application/x-www-form-urlencoded',
    };
  return {
    body: random.pick(TEXTS).toWellFormed(),
    type: random.pick([
      'text/plain',
      'application/xml',
      'multipart/form-data; boundary=x',
      'application/json; charset=utf-16',
    ]),
  };
}

function hostileCall(
  random: Random,
  route: Route,
  credentials: readonly Record<string, string>[],
  ids: readonly string[],
): RouteCall {
  const { body, type } = hostileBody(random);
  const params = Object.fromEntries(
    route.params.map(({ name }) => [
      name,
      random.next() < 0.4 ? random.pick(ids) : random.pick(TEXTS).toWellFormed(),
    ]),
  );
  const pairs = Array.from(
    { length: Math.floor(random.next() * 4) },
    () =>
      `${encodeURIComponent(random.pick(NAMES))}=${encodeURIComponent(random.pick(TEXTS).toWellFormed())}`,
  );
  const headers: Record<string, string> = { 'content-type': type, ...random.pick(credentials) };
  if (random.next() < 0.5)
    headers['idempotency-key'] = random.pick([
      'k',
      'a'.repeat(201),
      'x y',
      `k${Math.floor(random.next() * 1e9)}`,
    ]);
  if (random.next() < 0.3)
    headers['if-none-match'] = random.pick(['*', '"x"', '"1.1.1.AAAA"', 'W/"1"', '"'.repeat(50)]);
  if (random.next() < 0.3)
    headers.range = random.pick(['bytes=0-', 'bytes=9-1', 'bytes=a-b', `bytes=0-${'9'.repeat(40)}`]);
  if (random.next() < 0.2) headers['x-vercel-signature'] = random.pick(['', 'abc', 'f'.repeat(64)]);
  if (random.next() < 0.2) headers['webhook-signature'] = random.pick(['v1,', 'v1,AAAA', 'v2,x']);
  if (random.next() < 0.2) headers['x-ai-gateway-signature'] = random.pick(['t=1,v1=aa', 't=x', '']);
  return { params, query: pairs.length > 0 ? `?${pairs.join('&')}` : '', headers, body };
}

let routes: Route[] = [];
const credentials: Record<string, string>[] = [
  {},
  { authorization: 'Bearer x' },
  { authorization: `Bearer atl_${'0'.repeat(64)}` },
  { authorization: 'Basic eA==' },
  { cookie: 'atelier=x.y.z' },
];
const ids: string[] = [];

beforeAll(async () => {
  routes = await discoverRoutes();
  const { account, member } = await makeAccount(service, { capacityCu: 5 });
  const space = await makeSpace(service, account.id);
  ids.push(space.id, account.id, member.id);
  const context = testContext(service, { type: 'admin' });
  const { sessionId } = await openSession(context, { accountId: account.id, memberId: member.id });
  const cookie = `atelier=${await signSessionCookie(sessionId, process.env.SERVICE_SESSION_SECRET ?? '')}`;
  for (let i = 0; i < 5; i += 1) credentials.push({ cookie });
  for (let i = 0; i < 40; i += 1)
    credentials.push({ authorization: `Bearer ${(await makeKey(service, member)).secret}` });
});

describe('hostile requests', () => {
  test(`${REQUESTS} generated requests to every route: no 5xx, no stack, no leak (seed ${SEED})`, async () => {
    const random = generator(SEED);
    const counts = new Map<string, number>();
    const failures: string[] = [];
    for (let done = 0; done < REQUESTS; done += 1) {
      const route = routes[done % routes.length] as Route;
      const call = hostileCall(random, route, credentials, ids);
      const where = `${route.method} ${route.pattern}`;
      const answer = await callRoute(route, call).catch((error: unknown) => ({
        status: 599,
        text: String(error instanceof Error ? error.stack : error),
        headers: new Headers(),
      }));
      counts.set(
        `${Math.floor(answer.status / 100)}xx`,
        (counts.get(`${Math.floor(answer.status / 100)}xx`) ?? 0) + 1,
      );
      const code = codeOf(answer.text);
      const shown = `${where} ${JSON.stringify({ ...call, headers: { ...call.headers, authorization: undefined, cookie: undefined } }).slice(0, 400)} → ${answer.status} ${answer.text.slice(0, 400)}`;
      if (answer.status >= 500 && !HONEST_5XX.has(code)) failures.push(shown);
      else if (
        !answer.headers.get('content-type')?.startsWith('text/html') &&
        LEAKS.some((leak) => leak.test(answer.text))
      )
        failures.push(`leak: ${shown}`);
      else if (answer.headers.has('x-injected')) failures.push(`header injected: ${shown}`);
    }
    console.log(
      `fuzz: ${REQUESTS} requests, ${routes.length} routes, seed ${SEED}, ${[...counts].map(([k, v]) => `${k} ${v}`).join(', ')}`,
    );
    expect(failures.slice(0, 10)).toEqual([]);
    // Whatever got in went through the capacity: what is written is what is counted.
    const account = await service.db.account.findFirstOrThrow({ orderBy: { createdAt: 'asc' } });
    const sums = await service.db.memory.aggregate({
      where: { accountId: account.id, deletedAt: null },
      _sum: { cu: true },
    });
    expect([account.usedCu <= 5, account.usedCu]).toEqual([true, sums._sum.cu ?? 0]);
  });
});

function codeOf(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: { code?: string } | string };
    return (typeof error === 'string' ? error : error?.code) ?? '';
  } catch {
    return '';
  }
}
