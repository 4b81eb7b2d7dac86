import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { POST as mcp } from '#app/api/mcp/route.ts';
import { capacityUnits } from '#lib/brain/capacity-units.ts';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { updateMemory } from '#lib/brain/memories/update-memory.ts';
import { createId } from '#lib/core/ids.ts';
import { makeAccount, makeSpace, memberActor } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { makeTokens } from '#tests/factories/oauth.ts';
import { untilBlocked } from '#tests/factories/statements/until-blocked.ts';
import { ORIGIN, useApi } from '#tests/setup/api.ts';
import { type HttpServer, startHttpServer } from '#tests/setup/http/http-server.ts';
import { callTool, modern, speak } from '#tests/setup/mcp.ts';
import { until } from '#tests/setup/until.ts';

process.env.SERVICE_PUBLIC_URL = ORIGIN;
const service = useApi();
let server: HttpServer;

beforeAll(async () => {
  server = await startHttpServer((request) => mcp(request));
});
afterAll(() => server.close());

async function setting() {
  const { account, member } = await makeAccount(service);
  const ctx = testContext(service, memberActor(member));
  const space = await makeSpace(service, account.id, { name: 'Maison Élan' });
  const write = async (pillar: 'IDENTITY' | 'GUIDELINES' | 'ITEMS', title: string, body: string) =>
    (
      await addMemory(ctx, {
        spaceId: space.id,
        pillar,
        title,
        body,
        parentId: null,
        source: 'MANUAL',
        idempotencyKey: null,
      })
    ).memory;
  const tone = await write('GUIDELINES', 'Ton', 'Nous vouvoyons, nous ne crions jamais.\u{e0041}');
  const lamp = await write('ITEMS', 'Lampe Aube', 'Laiton brossé, garantie deux ans.');
  const { tokens } = await makeTokens(service, member);
  return { account, member, ctx, space, tone, lamp, write, token: tokens.access_token };
}
type Setting = Awaited<ReturnType<typeof setting>>;

const used = async ({ account }: Pick<Setting, 'account'>) =>
  (await service.db.readMonth.findFirst({ where: { accountId: account.id } }))?.used ?? 0;

async function connect(token: string, era: 'modern' | 'legacy'): Promise<Client> {
  const client = new Client(
    { name: 'tests', version: '1' },
    { versionNegotiation: { mode: era === 'modern' ? 'auto' : 'legacy' } },
  );
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${server.url}/api/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  return client;
}

describe.each(['modern', 'legacy'] as const)('the official client, %s era', (era) => {
  test('searches and fetches in the shape of ChatGPT’s connectors, each for one read', async () => {
    const place = await setting();
    const client = await connect(place.token, era);
    const found = await client.callTool({ name: 'search', arguments: { query: 'lampe' } });
    const url = `${ORIGIN}/espaces/${place.space.id}?memoire=${place.lamp.id}`;
    expect(found.structuredContent).toEqual({ results: [{ id: place.lamp.id, title: 'Lampe Aube', url }] });
    expect(found.content).toEqual([{ type: 'text', text: JSON.stringify(found.structuredContent) }]);
    const read = await client.callTool({ name: 'fetch', arguments: { id: place.lamp.id } });
    expect(read.structuredContent).toMatchObject({
      id: place.lamp.id,
      title: 'Lampe Aube',
      text: 'Laiton brossé, garantie deux ans.',
      url,
    });
    const { source, updatedAt } = await service.db.memory.findUniqueOrThrow({ where: { id: place.lamp.id } });
    expect((read.structuredContent as { metadata: object }).metadata).toEqual({
      spaceId: place.space.id,
      pillar: 'ITEMS',
      kind: 'ITEM',
      source,
      updatedAt: updatedAt.toISOString(),
    });
    expect(read.content).toEqual([{ type: 'text', text: JSON.stringify(read.structuredContent) }]);
    expect(await used(place)).toBe(2);
    await client.close();
  });

  test('lists Spaces and Memories for no read, and reads each, and a context by its template, for one', async () => {
    const place = await setting();
    const client = await connect(place.token, era);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri, title }) => [uri, title])).toEqual([
      [`atelier://spaces/${place.space.id}`, 'Maison Élan'],
      [`atelier://memories/${place.tone.id}`, 'Ton'],
      [`atelier://memories/${place.lamp.id}`, 'Lampe Aube'],
    ]);
    expect(await used(place)).toBe(0);
    const textOf = async (uri: string) => {
      const before = await used(place);
      const { contents } = await client.readResource({ uri });
      expect(await used(place)).toBe(before + 1);
      return (contents[0] as { text: string }).text;
    };
    expect(await textOf(resources[2]?.uri ?? '')).toBe('# Lampe Aube\n\nLaiton brossé, garantie deux ans.');
    expect(await textOf(resources[1]?.uri ?? '')).toBe('# Ton\n\nNous vouvoyons, nous ne crions jamais.');
    const whole = await textOf(resources[0]?.uri ?? '');
    expect(whole).toContain('Laiton brossé');
    const context = await callTool('brain_get_context', { spaceId: place.space.id }, { token: place.token });
    expect(whole).toBe(context.result.structuredContent.context);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain(
      'atelier://spaces/{space}/context{?q,maxChars,pillars}',
    );
    const named = encodeURIComponent('maison elan');
    const focused = await textOf(`atelier://spaces/${named}/context?maxChars=400&q=lampe%20garantie`);
    expect(focused).toContain('garantie deux ans');
    expect(focused.length).toBeLessThanOrEqual(400);
    const items = await textOf(`atelier://spaces/${place.space.id}/context?pillars=ITEMS`);
    expect([items.includes('Laiton brossé'), items.includes('vouvoyons')]).toEqual([true, false]);
    await client.close();
  });

  test('has both prompts with the charter and the context of their subject embedded, and completes the names of Spaces', async () => {
    const place = await setting();
    const client = await connect(place.token, era);
    const { prompts } = await client.listPrompts();
    expect(
      prompts.map(({ name, arguments: args }) => [name, args?.map((one) => [one.name, one.required])]),
    ).toEqual([
      [
        'ecrire_ton_marque',
        [
          ['space', true],
          ['subject', true],
        ],
      ],
      [
        'verifier_charte',
        [
          ['space', true],
          ['text', true],
          ['subject', false],
        ],
      ],
    ]);
    const write = await client.getPrompt({
      name: 'ecrire_ton_marque',
      arguments: { space: 'MAISON ELAN', subject: 'la lampe' },
    });
    expect(write.messages.map(({ role, content }) => [role, content.type])).toEqual([
      ['user', 'resource'],
      ['user', 'resource'],
      ['user', 'text'],
    ]);
    expect(JSON.stringify(write.messages[0])).toContain('vouvoyons');
    expect(JSON.stringify(write.messages[1])).toContain('Laiton brossé');
    expect(JSON.stringify(write.messages[2])).toContain('la lampe');
    const check = await client.getPrompt({
      name: 'verifier_charte',
      arguments: { space: place.space.id, text: 'ACHETEZ !!! Tu vas adorer.' },
    });
    expect(JSON.stringify(check.messages[0])).toContain('vouvoyons');
    expect(check.messages[2]?.content).toEqual({ type: 'text', text: 'ACHETEZ !!! Tu vas adorer.' });
    expect(await used(place)).toBe(2);
    for (const ref of [
      { type: 'ref/prompt' as const, name: 'ecrire_ton_marque' },
      { type: 'ref/resource' as const, uri: 'atelier://spaces/{space}/context{?q,maxChars,pillars}' },
    ]) {
      const { completion } = await client.complete({ ref, argument: { name: 'space', value: 'élan' } });
      expect(completion).toMatchObject({ values: ['Maison Élan'], hasMore: false });
    }
    const row = await service.db.space.findUniqueOrThrow({ where: { id: place.space.id } });
    const more = Array.from({ length: 101 }, (_, n) => ({
      ...row,
      id: createId('space'),
      name: `Élan ${n}`,
    }));
    await service.db.space.createMany({ data: more });
    const { completion: most } = await client.complete({
      ref: { type: 'ref/prompt', name: 'ecrire_ton_marque' },
      argument: { name: 'space', value: 'élan' },
    });
    // The answer takes a hundred, and says that there are others.
    expect(most.values).toHaveLength(100);
    expect(most).toMatchObject({ total: 102, hasMore: true });
    expect(await used(place)).toBe(2);
    await client.close();
  });

  test('a prompt gives the rules of the brand however much answers its subject, and each text again at its address', async () => {
    const place = await setting();
    for (let n = 0; n < 30; n++)
      await place.write('ITEMS', `Lampe ${n}`, `La lampe ${n} éclaire une page. ${'Du laiton. '.repeat(60)}`);
    const client = await connect(place.token, era);
    const textsOf = async () => {
      const { messages } = await client.getPrompt({
        name: 'ecrire_ton_marque',
        arguments: { space: place.space.id, subject: 'lampe éclaire page' },
      });
      return messages.flatMap(({ content }) =>
        content.type === 'resource' ? [content.resource as { uri: string; text: string }] : [],
      );
    };
    const [charter, subject] = await textsOf();
    expect([charter?.text.includes('vouvoyons'), charter?.text.includes('Laiton')]).toEqual([true, false]);
    expect([/La lampe \d+ éclaire/.test(subject?.text ?? ''), subject?.text.includes('vouvoyons')]).toEqual([
      true,
      false,
    ]);
    for (const one of [charter, subject]) {
      const { contents } = await client.readResource({ uri: one?.uri ?? '' });
      expect((contents[0] as { text: string }).text).toBe(one?.text);
    }
    // Of a charter too long for its room, the second text gives what answers.
    for (let n = 0; n < 60; n++)
      await place.write('GUIDELINES', `Règle ${n}`, `${'Nous écrivons peu. '.repeat(20)}Page ${n}, éclaire.`);
    const [long, about] = await textsOf();
    expect(long?.text.length).toBeLessThanOrEqual(12_000);
    expect([long?.text.includes('vouvoyons'), about?.text.includes('éclaire.')]).toEqual([true, true]);
    expect(await used(place)).toBe(4);
    await client.close();
  });

  test('hears of progress when it asked for it', async () => {
    const place = await setting();
    const client = await connect(place.token, era);
    const heard: number[] = [];
    const { structuredContent } = await client.callTool(
      { name: 'brain_get_context', arguments: { spaceId: place.space.id, q: 'lampe' } },
      { onprogress: ({ progress }) => heard.push(progress) },
    );
    expect(structuredContent).toMatchObject({ object: 'context' });
    expect(heard).toEqual([0, 1, 2]);
    await client.close();
  });

  test('cancels a call that waits: it is told at once, nothing is left half done, and asking again makes one Memory', async () => {
    const place = await setting();
    const client = await connect(place.token, era);
    const memory = { spaceId: place.space.id, pillar: 'ITEMS', title: 'Lampe Brume', body: 'Verre soufflé.' };
    const call = (signal?: AbortSignal) =>
      client.callTool({ name: 'brain_add_memory', arguments: memory }, signal ? { signal } : {});
    const held = await service.pool.connect();
    try {
      await held.query('BEGIN');
      await held.query('SELECT 1 FROM "Account" WHERE "id" = $1 FOR UPDATE', [place.account.id]);
      const abort = new AbortController();
      const cancelled = call(abort.signal);
      const told = expect(cancelled).rejects.toThrow();
      await untilBlocked(service);
      abort.abort();
      await told;
    } finally {
      await held.query('ROLLBACK');
      held.release();
    }
    const again = await call();
    expect(again.isError, JSON.stringify(again)).toBeFalsy();
    const rows = await service.db.memory.findMany({
      where: { spaceId: place.space.id, title: memory.title },
    });
    expect(rows).toHaveLength(1);
    const { usedCu } = await service.db.account.findUniqueOrThrow({ where: { id: place.account.id } });
    const all = await service.db.memory.findMany({ where: { accountId: place.account.id } });
    expect(usedCu).toBe(all.reduce((sum, { title, body }) => sum + capacityUnits(title, body), 0));
    await client.close();
  });

  test('what is hostile, unknown or a stranger’s is refused in French, and never with a fault of ours', async () => {
    const place = await setting();
    const stranger = await setting();
    const answers: [string, unknown][] = [];
    const ask = async (method: string, params: Record<string, unknown>) => {
      await service.pool.query('DELETE FROM "RateLimitWindow"');
      const message =
        era === 'modern' ? modern(method, params) : ({ jsonrpc: '2.0', id: 1, method, params } as never);
      const { json } = await speak(message, {
        token: place.token,
        ...(method === 'resources/read' ? { headers: { 'mcp-name': String(params.uri) } } : {}),
      });
      answers.push([`${method} ${JSON.stringify(params).slice(0, 120)}`, json]);
      return json;
    };
    const uris = [
      `atelier://memories/${stranger.lamp.id}`,
      `atelier://spaces/${stranger.space.id}`,
      `atelier://spaces/${stranger.space.id}/context?q=x`,
      'atelier://spaces/%2F',
      'atelier://spaces/%00',
      'atelier://memories/%00',
      'atelier://memories/%ZZ',
      'atelier://memories/%ED%A0%80',
      `atelier://spaces/${place.space.id}/context?q=%00`,
      `atelier://spaces/${place.space.id}/context?q=%ZZ`,
      `atelier://spaces/${place.space.id}/context?q=a&q=b`,
      `atelier://spaces/${place.space.id}/context?maxChars=beaucoup`,
      `atelier://spaces/${place.space.id}/context?pillars=NOWHERE`,
      `atelier://spaces/${place.space.id}/context?autre=1`,
      `atelier://spaces/${place.space.id}/context?q=${'a'.repeat(300)}`,
      'atelier://nulle/part',
      'atelier://spaces/../memories/x',
      `atelier://memories/${'a'.repeat(20_000)}`,
      'https://exemple.test/',
      'file:///etc/passwd',
      'rien',
      '',
    ];
    for (const uri of uris) await ask('resources/read', { uri });
    for (const cursor of [
      '',
      'x',
      '%ZZ',
      'W10',
      'a'.repeat(5_000),
      Buffer.from('["2026-01-01T00:00:00Z","\u0000",null,null]').toString('base64url'),
      Buffer.from('["0000-01-01T00:00:00Z","spc_x",null,null]').toString('base64url'),
    ])
      await ask('resources/list', { cursor });
    const prompts: [string, Record<string, unknown>][] = [
      ['ecrire_ton_marque', {}],
      ['ecrire_ton_marque', { space: stranger.space.id, subject: 'x' }],
      ['ecrire_ton_marque', { space: place.space.id, subject: '\u0000' }],
      ['ecrire_ton_marque', { space: place.space.id, subject: 'a'.repeat(201) }],
      ['ecrire_ton_marque', { space: '\ud800', subject: 'x' }],
      ['verifier_charte', { space: place.space.id, text: ' ' }],
      ['verifier_charte', { space: place.space.id, text: 'a\u0000' }],
      ['verifier_charte', { space: place.space.id, text: 'a'.repeat(50_001) }],
      ['inconnue', {}],
      ['__proto__', {}],
    ];
    for (const [name, args] of prompts) await ask('prompts/get', { name, arguments: args });
    const ref = { type: 'ref/prompt', name: 'ecrire_ton_marque' };
    await ask('completion/complete', { ref, argument: { name: 'space', value: '\u0000' } });
    await ask('completion/complete', { ref, argument: { name: 'space', value: 'a'.repeat(500) } });
    await ask('completion/complete', {
      ref: { ...ref, name: 'inconnue' },
      argument: { name: 'space', value: '' },
    });
    await ask('completion/complete', {
      ref: { type: 'ref/resource', uri: 'x://{y}' },
      argument: { name: 'y', value: '' },
    });
    const faults = answers.filter(([, json]) => {
      const { error } = json as { error?: { code: number; message: string; data?: { code?: string } } };
      return (
        !error ||
        error.code === -32_603 ||
        error.data?.code === 'internal_error' ||
        !/[.)]$/.test(error.message) ||
        /not found|Invalid|expected|\\u0000/.test(error.message)
      );
    });
    expect(faults).toEqual([]);
    expect(await used(place)).toBe(0);
    const other = await ask('completion/complete', {
      ref,
      argument: { name: 'space', value: 'x'.repeat(3) },
    });
    expect(other).toMatchObject({ result: { completion: { values: [] } } });
  });
});

test('a long account is listed whole by pages, nothing twice and nothing left out; an archived Space and a deleted Memory are not there', async () => {
  const place = await setting();
  const rows = Array.from({ length: 230 }, (_, n) => n);
  const second = await makeSpace(service, place.account.id, { name: 'Deuxième' });
  const empty = await makeSpace(service, place.account.id, { name: 'Vide' });
  const template = await service.db.memory.findUniqueOrThrow({ where: { id: place.lamp.id } });
  await service.db.memory.createMany({
    data: rows.map((n) => ({
      ...template,
      id: `mem_${String(n).padStart(26, '0')}`,
      spaceId: second.id,
      title: `M ${n}`,
      file: undefined,
      idempotencyKey: null,
      deletedAt: n === 7 ? new Date() : null,
    })) as never,
  });
  const seen: string[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const { json } = await speak(modern('resources/list', cursor ? { cursor } : {}), { token: place.token });
    seen.push(...json.result.resources.map(({ uri }: { uri: string }) => uri));
    cursor = json.result.nextCursor;
    pages += 1;
  } while (cursor);
  expect(pages).toBe(3);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toHaveLength(3 + 2 + 229);
  expect(seen.at(-1)).toBe(`atelier://spaces/${empty.id}`);
  expect(seen).not.toContain(`atelier://memories/mem_${'7'.padStart(26, '0')}`);
  await service.db.space.update({ where: { id: second.id }, data: { archivedAt: new Date() } });
  const { json } = await speak(modern('resources/list'), { token: place.token });
  expect(json.result.resources).toHaveLength(4);
});

test('a credential without the right to read reaches no resource, no prompt and no name', async () => {
  const { member } = await setting();
  const { tokens } = await makeTokens(service, member, { scopes: ['brain:write'] });
  for (const [method, params] of [
    ['resources/list', {}],
    ['resources/read', { uri: 'atelier://spaces/x' }],
    ['prompts/get', { name: 'ecrire_ton_marque', arguments: {} }],
    [
      'completion/complete',
      { ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'space', value: '' } },
    ],
    ['subscriptions/listen', { notifications: { resourcesListChanged: true } }],
  ] as const)
    expect((await speak(modern(method, params), { token: tokens.access_token })).status).toBe(403);
});

/** A stream of changes, once it is open: what it has said so far. */
async function subscribed(token: string, uris: readonly string[]) {
  const message = modern('subscriptions/listen', {
    notifications: { resourcesListChanged: true, resourceSubscriptions: uris },
  });
  const abort = new AbortController();
  const response = await fetch(`${server.url}/api/mcp`, {
    method: 'POST',
    signal: abort.signal,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'subscriptions/listen',
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify(message),
  });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const reader = (response.body as ReadableStream<Uint8Array<ArrayBuffer>>)
    .pipeThrough(new TextDecoderStream())
    .getReader();
  let said = '';
  const untilHeard = async (text: string) => {
    while (!said.includes(text)) {
      const { done, value } = await reader.read();
      if (done) throw new Error(`ended before ${text}: ${said}`);
      said += value;
    }
  };
  const untilEnded = async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) said += part.value;
  };
  await untilHeard('notifications/subscriptions/acknowledged');
  return { heard: () => said, untilHeard, untilEnded, end: () => abort.abort() };
}

test('a stream tells nothing more once its credential was revoked, and ends at the first change', async () => {
  const place = await setting();
  await service.pool.query(`UPDATE "Memory" SET "updatedAt" = now() - interval '1 hour'`);
  await service.pool.query(`UPDATE "Space" SET "updatedAt" = now() - interval '1 hour'`);
  const stream = await subscribed(place.token, [`atelier://memories/${place.lamp.id}`]);
  await service.db.oAuthGrant.updateMany({
    where: { memberId: place.member.id },
    data: { revokedAt: new Date() },
  });
  const { version } = await updateMemory(place.ctx, {
    memoryId: place.lamp.id,
    expectedVersion: null,
    title: 'Lampe Aube',
    body: 'Laiton, garantie cinq ans.',
  });
  expect(version).toBe(2);
  await stream.untilEnded();
  expect(stream.heard()).not.toContain('notifications/resources/');
});

test('subscriptions are announced where they hold: the 2026 revision tells of changes on a stream, the older one announces none', async () => {
  const place = await setting();
  const legacy = await connect(place.token, 'legacy');
  expect(legacy.getServerCapabilities()?.resources).toEqual({ subscribe: false, listChanged: false });
  await legacy.close();
  const client = await connect(place.token, 'modern');
  expect(client.getServerCapabilities()?.resources).toEqual({ subscribe: true, listChanged: true });
  await client.close();
  const uri = `atelier://memories/${place.lamp.id}`;
  const quiet = `atelier://memories/${place.tone.id}`;
  // What was written before counts as settled.
  await service.pool.query(`UPDATE "Memory" SET "updatedAt" = now() - interval '1 hour'`);
  await service.pool.query(`UPDATE "Space" SET "updatedAt" = now() - interval '1 hour'`);
  const stream = await subscribed(place.token, [uri, quiet]);
  expect(stream.heard()).not.toContain('resources/updated');
  await updateMemory(place.ctx, {
    memoryId: place.lamp.id,
    expectedVersion: null,
    title: 'Lampe Aube',
    body: 'Laiton, garantie trois ans.',
  });
  await stream.untilHeard('notifications/resources/updated');
  expect(stream.heard()).toContain('notifications/resources/list_changed');
  expect(stream.heard()).toContain(uri);
  expect(stream.heard()).not.toContain(`"uri":"${quiet}"`);
  stream.end();
  const stranger = await setting();
  for (const hostile of [
    `atelier://memories/${stranger.lamp.id}`,
    'atelier://memories/%ZZ',
    'atelier://memories/%00',
    'rien',
  ]) {
    const refused = await speak(
      modern('subscriptions/listen', { notifications: { resourceSubscriptions: [hostile] } }),
      { token: place.token },
    );
    expect(refused.json.error.data).toMatchObject({ retryable: false });
  }
});

test('an account has four streams open on an instance, each of 64 addresses at most; another has its own, and one that ends makes room', async () => {
  const place = await setting();
  const stranger = await setting();
  const uri = `atelier://memories/${place.lamp.id}`;
  const theirs = `atelier://memories/${stranger.lamp.id}`;
  const refused = (uris: string[]) =>
    speak(modern('subscriptions/listen', { notifications: { resourceSubscriptions: uris } }), {
      token: place.token,
    });
  const tooMany = await refused(Array<string>(65).fill(theirs));
  expect(tooMany.json.error.data).toMatchObject({ code: 'invalid_request', retryable: false });
  expect(tooMany.text).toContain('64 adresses');
  // So many are looked for, and are nobody's here.
  expect((await refused(Array<string>(64).fill(theirs))).text).not.toContain('64 adresses');
  const streams: Awaited<ReturnType<typeof subscribed>>[] = [];
  for (let n = 0; n < 4; n += 1) streams.push(await subscribed(place.token, [uri]));
  const fifth = await refused([uri]);
  expect([fifth.status, fifth.json.error.data.code]).toEqual([429, 'rate_limited']);
  expect(fifth.text).toContain('Trop d’abonnements');
  streams.push(await subscribed(stranger.token, [theirs]));
  streams[0]?.end();
  // The credential's own rate leaves room for a hundred tries.
  const again = await until('the place of a stream that ended', () => subscribed(place.token, [uri]), 1_000);
  for (const stream of [...streams, again]) stream.end();
});
