import { expect, test } from 'vitest';
import { GET as search } from '#app/api/v1/search/route.ts';
import { makeKey } from '#tests/factories/account.ts';
import { call, stopClock, useApi } from '#tests/setup/api.ts';
import { read, setting } from './reads.ts';

const service = useApi({ poolMax: 30 });

test('who asks is judged before what is asked: without a credential or its scope, a faulty address is not told of', async () => {
  const { member, token } = await setting(service);
  const { secret: poor } = await makeKey(service, member, { scopes: ['projects:read'] });
  const ask = async (by?: string) => {
    const { status, json } = await call(search, {
      path: '/api/v1/search?q=&limit=0',
      ...(by ? { token: by } : {}),
    });
    return [status, json.error.code, (json.error.problems ?? []).length > 0];
  };
  expect(await ask()).toEqual([401, 'invalid_api_key', false]);
  expect(await ask(`atl_${'0'.repeat(64)}`)).toEqual([401, 'invalid_api_key', false]);
  expect(await ask(poor)).toEqual([403, 'insufficient_scope', false]);
  expect(await ask(token)).toEqual([400, 'invalid_request', true]);
});

test('the reads and the quota ask for brain:read: a key without it is refused each of them, at no cost', async () => {
  const place = await setting(service);
  const { memory } = await place.write('ITEMS', 'Lampe', 'Une lampe.');
  const { secret } = await makeKey(service, place.member, { scopes: ['brain:write', 'projects:read'] });
  const narrow = { ...place, token: secret };
  for (const answer of [
    await read.spaces(narrow),
    await read.space(narrow),
    await read.context(narrow),
    await read.memory(narrow, memory.id),
    await read.search(narrow, '?q=lampe'),
    await read.quota(narrow),
    // Told before the Space or the Memory is looked up: a key that may not read learns of neither.
    await read.space(narrow, {}, 'spc_inconnu'),
    await read.context(narrow, '', {}, 'spc_inconnu'),
    await read.memory(narrow, 'mem_inconnue'),
    await read.search(narrow, '?q=lampe&spaceId=spc_inconnu'),
  ])
    expect([answer.status, answer.json.error.code]).toEqual([403, 'insufficient_scope']);
  expect((await read.projects(narrow)).status).toBe(200);
  expect((await read.quota(place)).json.used).toBe(0);
});

test('every read makes a single round trip to the database, a search two more for its results and what stands beside them', async () => {
  const place = await setting(service);
  const { memory } = await place.write('ITEMS', 'Lampe', 'Une lampe.');
  const trips: Record<string, number> = {};
  for (const [name, go] of Object.entries({
    spaces: () => read.spaces(place),
    space: () => read.space(place),
    context: () => read.context(place),
    search: () => read.search(place, '?q=lampe'),
    memory: () => read.memory(place, memory.id),
    quota: () => read.quota(place),
    projects: () => read.projects(place),
  })) {
    const before = service.connection.roundTrips();
    expect((await go()).status).toBe(200);
    trips[name] = service.connection.roundTrips() - before;
  }
  expect(trips).toEqual({ spaces: 1, space: 1, context: 1, search: 3, memory: 1, quota: 1, projects: 1 });
});

test('429: 120 requests of a minute are answered, the 121st is refused with Retry-After, the next minute answers again', async () => {
  const place = await setting(service);
  const advance = stopClock();
  const answers = await Promise.all(Array.from({ length: 121 }, () => read.quota(place)));
  const limited = answers.filter(({ status }) => status !== 200);
  expect(limited).toHaveLength(1);
  expect([limited[0]?.status, limited[0]?.json.error.code]).toEqual([429, 'rate_limited']);
  expect(limited[0]?.headers.get('retry-after')).toBe('60');
  advance(59);
  expect((await read.quota(place)).headers.get('retry-after')).toBe('1');
  advance(1);
  expect((await read.quota(place)).status).toBe(200);
});
