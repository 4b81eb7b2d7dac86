import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import type { SpaceRights } from '#lib/db/space-rights.ts';
import { signSessionCookie } from '#lib/identity/sessions/session-cookie.ts';
import { repositoryRoot } from '#lib/local/paths.ts';
import { makeKey, makeMember } from '#tests/factories/account.ts';
import { type HiddenSpace, hiddenSpace } from '#tests/factories/hidden-space.ts';
import { makeTokens } from '#tests/factories/oauth.ts';
import { type PopulatedAccount, populatedAccount } from '#tests/factories/populated-account.ts';
import { useApi } from '#tests/setup/api.ts';
import { discoverActions, typedBy } from './actions.ts';
import { attemptsOn, unknownTwin, withoutChance } from './attacks.ts';
import { browser, ORIGIN, signInAs } from './next-request.ts';
import { callRoute, discoverRoutes, type Route, type RouteCall } from './routes.ts';

const service = useApi({ poolMax: 10 });
/** What the Space that was given says, and the one that was not. */
const GIVEN = 'ZQDONNEEZQ';
const HIDDEN = 'ZQCACHEEZQ';

let routes: Route[] = [];
let own: PopulatedAccount;
let hidden: HiddenSpace;
let restricted: { name: string; headers: Record<string, string> }[] = [];
let whole: { name: string; headers: Record<string, string> }[] = [];
let person: { accountId: string; memberId: string };

beforeAll(async () => {
  routes = await discoverRoutes();
  own = await populatedAccount(service, { marker: GIVEN });
  hidden = await hiddenSpace(service, own, HIDDEN);
  const { accountId } = own;
  const spaceId = own.ids.space?.[0] as string;
  const given: SpaceRights = { [spaceId]: 'write' };
  const member = await makeMember(service, accountId, {
    role: 'MEMBER',
    permissions: ['brain.write', 'generate'],
  });
  await service.db.member.update({ where: { id: member.id }, data: { spaceRights: given } });
  person = { accountId, memberId: member.id };
  const founder = await service.db.member.findUniqueOrThrow({ where: { id: own.actor.memberId } });
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  await signInAs(service, person);
  const cookie = { cookie: `atelier=${browser.cookie}` };
  const scopes = ['brain:read', 'brain:write', 'brain:propose', 'studio:read', 'studio:generate'] as const;
  const membersApi = await makeTokens(service, member, { resource: '/api/v1', scopes: [...scopes] });
  const membersMcp = await makeTokens(service, member, { resource: '/api/mcp', scopes: [...scopes] });
  const foundersMcp = await makeTokens(service, founder, { resource: '/api/mcp', scopes: [...scopes] });
  await service.db.oAuthGrant.updateMany({
    where: { clientId: foundersMcp.client.id },
    data: { spaceRights: given },
  });
  const foundersKey = await makeKey(service, founder);
  await service.db.developerKey.update({ where: { id: foundersKey.key.id }, data: { spaceRights: given } });
  restricted = [
    { name: 'session of a member', headers: cookie },
    { name: 'key of a member', headers: bearer((await makeKey(service, member)).secret) },
    { name: 'token of the API of a member', headers: bearer(membersApi.tokens.access_token) },
    { name: 'token of assistants of a member', headers: bearer(membersMcp.tokens.access_token) },
    { name: 'key of a founder', headers: bearer(foundersKey.secret) },
    { name: 'token of assistants of a founder', headers: bearer(foundersMcp.tokens.access_token) },
  ];
  const session = await signSessionCookie(
    own.ids.session?.[0] as string,
    process.env.SERVICE_SESSION_SECRET as string,
  );
  whole = [
    { name: 'session', headers: { cookie: `atelier=${session}` } },
    { name: 'key', headers: bearer(own.keySecret) },
    { name: 'token of assistants', headers: bearer(own.mcpToken) },
  ];
});

let calls = 0;
async function ask(route: Route, call: RouteCall, headers: Record<string, string>) {
  if (calls % 10 === 0) await service.pool.query('DELETE FROM "RateLimitWindow"');
  calls += 1;
  // Assistants are answered under this machine's own names alone.
  const host: Record<string, string> = route.pattern === '/api/mcp' ? { host: 'localhost' } : {};
  return callRoute(route, { ...call, headers: { ...host, ...call.headers, ...headers } });
}

const named = (text: string, sent = '') =>
  text.toUpperCase().includes(HIDDEN) && !sent.toUpperCase().includes(HIDDEN)
    ? HIDDEN
    : (hidden.all.find((id) => !sent.includes(id) && text.includes(id)) ?? null);

/** Reads that name no row: lists, searches, the tools of assistants. */
function listsOf(route: Route): RouteCall[] {
  const tool = (name: string, args: object): RouteCall => ({
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    },
  });
  const message = (method: string, params: object = {}): RouteCall => {
    const call = tool('x', {});
    return { ...call, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) };
  };
  const space = `Espace ${HIDDEN}`;
  const address = `atelier://spaces/${encodeURIComponent(space)}`;
  const prompt = { type: 'ref/prompt', name: 'ecrire_ton_marque' };
  const template = { type: 'ref/resource', uri: 'atelier://spaces/{space}' };
  const typed = (value: string) => ({ name: 'space', value });
  if (route.pattern === '/api/mcp' && route.method === 'POST')
    return [
      tool('brain_list_spaces', {}),
      tool('brain_search', { q: 'cachee' }),
      tool('brain_search', { q: 'bougie' }),
      tool('search', { query: 'cachee' }),
      tool('brain_get_context', { space: `Espace ${HIDDEN}` }),
      tool('studio_journal', {}),
      message('resources/list'),
      message('completion/complete', { ref: prompt, argument: typed('') }),
      message('completion/complete', { ref: template, argument: typed('espace zq') }),
      message('prompts/get', { name: prompt.name, arguments: { space, subject: 'bougie' } }),
      message('prompts/get', { name: prompt.name, arguments: { space: 'Inconnu', subject: 'bougie' } }),
      message('resources/read', { uri: address }),
      message('resources/read', { uri: `${address}/context?q=bougie` }),
      ...hidden.all.map((id) => message('resources/read', { uri: `atelier://spaces/${id}` })),
      ...hidden.all.map((id) => message('resources/read', { uri: `atelier://memories/${id}` })),
    ];
  if (route.method !== 'GET') return [];
  return ['', '?q=bougie', '?q=cachee', '?recent=' + hidden.all.join(','), '?limit=50'].map((query) => ({
    query,
    params: Object.fromEntries(route.params.map(({ name }) => [name, own.ids.space?.[0] as string])),
  }));
}

/** Everything that is in the Space, as one text. */
async function contents(): Promise<string> {
  const parts: string[] = [];
  for (const [table, column] of [
    ['Space', 'id'],
    ['Memory', 'spaceId'],
    ['MemoryProposal', 'spaceId'],
    ['ImportJob', 'spaceId'],
  ]) {
    const { rows } = await service.pool.query(
      `SELECT t::text AS row FROM "${table}" t WHERE "${column}" = $1 ORDER BY id`,
      [hidden.spaceId],
    );
    parts.push(...rows.map(({ row }) => row as string));
  }
  const { rows } = await service.pool.query(
    'SELECT t::text AS row FROM "MemoryRevision" t WHERE "memoryId" = ANY($1) ORDER BY id',
    [hidden.ids.memory],
  );
  return [...parts, ...rows.map(({ row }) => row as string)].join('\n');
}

describe('a Space that was not given', () => {
  test('answers on every route and to every credential like an unknown one, and no list names or holds it', async () => {
    const before = await contents();
    const failures: string[] = [];
    const opened = new Set<string>();
    let attempts = 0;
    for (const route of routes) {
      const where = `${route.method} ${route.pattern}`;
      if ((await ask(route, { params: {} }, {})).status === 405) continue;
      for (const { name, headers } of restricted) {
        const shut = (await ask(route, { params: {}, headers: { origin: ORIGIN } }, headers)).status === 401;
        if (shut) continue;
        for (const call of listsOf(route)) {
          attempts += 1;
          const { text } = await ask(route, call, headers);
          const leak = named(text, `${call.query ?? ''} ${call.body ?? ''}`);
          if (leak) failures.push(`${where} as ${name} ${call.query ?? call.body}: names ${leak}`);
        }
        // What is said of identifiers of one kind that no row has, in one place.
        const saidOfNone = new Map<string, string>();
        for (const attempt of attemptsOn(route, hidden as unknown as PopulatedAccount, own)) {
          attempts += 1;
          const answer = await ask(route, attempt.call(attempt.value), headers);
          const shown = `${where} as ${name}, ${attempt.what} ${attempt.value}`;
          const leak = named(answer.text, attempt.value);
          if (leak) failures.push(`${shown}: names ${leak}`);
          const said = withoutChance(
            `${answer.status} ${withoutChance(answer.text)}`.replaceAll(attempt.value, '<id>'),
          );
          if (saidOfNone.get(attempt.what) === said) continue;
          const twin = unknownTwin(attempt.value);
          const unknown = await ask(route, attempt.call(twin), headers);
          const none = `${unknown.status} ${withoutChance(unknown.text)}`.replaceAll(twin, '<id>');
          saidOfNone.set(attempt.what, none);
          if (said !== none) failures.push(`${shown}: ${said.slice(0, 200)} ≠ ${none.slice(0, 200)}`);
        }
      }
      // Who has all of it finds it: the matrix bites.
      for (const { headers } of whole)
        for (const call of listsOf(route))
          if (named((await ask(route, call, headers)).text, `${call.query ?? ''} ${call.body ?? ''}`))
            opened.add(where);
    }
    console.log(
      `spaces: ${attempts} attempts, ${calls} calls; lists that hold it for others: ${[...opened]}`,
    );
    expect(failures.slice(0, 12)).toEqual([]);
    expect(await contents()).toBe(before);
    expect([...opened]).toEqual(
      expect.arrayContaining([
        'GET /api/v1/spaces',
        'GET /api/v1/search',
        'GET /api/brain/find',
        'GET /api/generations',
        'GET /api/v1/generations',
        'POST /api/mcp',
      ]),
    );
  });

  test('no server action of a restricted member names it or changes anything of it', async () => {
    const before = await contents();
    const failures: string[] = [];
    for (const action of await discoverActions()) {
      await signInAs(service, person);
      const answer = await action.run(typedBy(hidden));
      const { values: _, ...said } = answer as typeof answer & { values?: unknown };
      const leak = named(JSON.stringify(said), JSON.stringify(typedBy(hidden)));
      if (leak) failures.push(`${action.name} names ${leak}`);
    }
    expect(failures).toEqual([]);
    expect(await contents()).toBe(before);
  });

  test('no page draws it for a restricted member, and its own page is missing', async () => {
    const root = path.join(repositoryRoot, 'app');
    const files = (await readdir(root, { recursive: true })).filter(
      (file) => path.basename(file) === 'page.tsx',
    );
    const failures: string[] = [];
    const drawnFor = async (file: string, id: string) => {
      const { default: page } = (await import(pathToFileURL(path.join(root, file)).href)) as {
        default: (props: object) => Promise<unknown>;
      };
      const seen = new WeakSet<object>();
      try {
        const drawn = await page({ params: Promise.resolve({ id }), searchParams: Promise.resolve({}) });
        return JSON.stringify(drawn, (_, value) => {
          if (typeof value === 'bigint') return String(value);
          if (value instanceof Map) return [...value];
          if (typeof value !== 'object' || value === null) return value;
          if (seen.has(value)) return null;
          seen.add(value);
          return value;
        });
      } catch (error) {
        const { digest } = error as { digest?: unknown };
        if (typeof digest !== 'string' || !digest.startsWith('NEXT_')) throw error;
        return digest;
      }
    };
    let found = 0;
    for (const file of files.filter((one) => one.startsWith('(cockpit)'))) {
      const id = file.includes('journal') ? hidden.generationId : hidden.spaceId;
      await signInAs(service, person);
      const leak = named((await drawnFor(file, id)) ?? '', id);
      if (leak) failures.push(`${file} draws ${leak}`);
      await signInAs(service, { accountId: own.accountId, memberId: own.actor.memberId });
      if (named((await drawnFor(file, id)) ?? '', id)) found += 1;
    }
    expect(failures).toEqual([]);
    expect(found).toBeGreaterThan(3);
    await signInAs(service, person);
    expect(await drawnFor('(cockpit)/espaces/[id]/page.tsx', hidden.spaceId)).toMatch(/404/);
  });
});
