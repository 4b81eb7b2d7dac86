import { gzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { GET as mcpGet } from '#app/api/mcp/route.ts';
import { GET as memoryRoute } from '#app/api/v1/memories/[id]/route.ts';
import { GET as quotaRoute } from '#app/api/v1/quota/route.ts';
import { GET as searchRoute } from '#app/api/v1/search/route.ts';
import { GET as contextRoute } from '#app/api/v1/spaces/[id]/context/route.ts';
import { GET as spacesRoute } from '#app/api/v1/spaces/route.ts';
import { deleteMemory } from '#lib/brain/memories/delete-memory.ts';
import { undoDelete } from '#lib/brain/memories/undo-delete.ts';
import { MAX_MCP_REQUEST_BYTES } from '#lib/http/middleware/with-mcp.ts';
import { TOOLS } from '#lib/mcp/register-tools.ts';
import { makeAccount, makeKey, makeMember, makeSpace, memberActor } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { makeTokens } from '#tests/factories/oauth.ts';
import { call, ORIGIN, stopClock, useApi } from '#tests/setup/api.ts';
import { callTool, modern, speak } from '#tests/setup/mcp.ts';

process.env.SERVICE_PUBLIC_URL = ORIGIN;
const service = useApi();

async function setting(options: Parameters<typeof makeAccount>[1] = {}) {
  const { account, member } = await makeAccount(service, options);
  const space = await makeSpace(service, account.id);
  const { tokens, client } = await makeTokens(service, member);
  const { secret } = await makeKey(service, member);
  return { account, member, space, client, token: tokens.access_token, key: secret };
}

type Setting = Awaited<ReturnType<typeof setting>>;

const used = async ({ account }: Pick<Setting, 'account'>) =>
  (await service.db.readMonth.findFirst({ where: { accountId: account.id } }))?.used ?? 0;

const NOTES = [
  ['IDENTITY', 'Promesse « Éclairer »', 'Éclairer sans éblouir.\r\nToujours. 🌿\u2028Fin'],
  ['ITEMS', 'Lampe Aube', 'Laiton brossé, 42 cm.'],
  ['PEOPLE', 'Camille', 'Dirige l’atelier <depuis> 2019 & "signe" tout.'],
] as const;

async function fill(place: Setting) {
  for (const [pillar, title, body] of NOTES) {
    const { result } = await callTool(
      'brain_add_memory',
      { spaceId: place.space.id, pillar, title, body },
      { token: place.token },
    );
    expect(result.isError).toBeFalsy();
  }
}

describe.each(['modern', 'legacy'] as const)('the tools, %s era', (era) => {
  test('answer the very bytes of the REST twins, as text and as structure', async () => {
    const place = await setting();
    await fill(place);
    const id = place.space.id;
    const { id: memoryId } = await service.db.memory.findFirstOrThrow({ where: { spaceId: id } });
    const rest = async (handler: Parameters<typeof call>[0], path: string) =>
      (await call(handler, { path, params: { id }, token: place.key })).text;
    for (const [name, args, expected] of [
      ['brain_list_spaces', {}, () => rest(spacesRoute, '/api/v1/spaces')],
      [
        'brain_get_memory',
        { memoryId },
        async () =>
          (
            await call(memoryRoute, {
              path: `/api/v1/memories/${memoryId}`,
              params: { id: memoryId },
              token: place.key,
            })
          ).text,
      ],
      ['brain_get_context', { spaceId: id }, () => rest(contextRoute, `/api/v1/spaces/${id}/context`)],
      [
        'brain_get_context',
        { spaceId: id, pillars: ['PEOPLE', 'IDENTITY'], maxChars: 300 },
        () => rest(contextRoute, `/api/v1/spaces/${id}/context?pillars=PEOPLE,IDENTITY&maxChars=300`),
      ],
      [
        'brain_get_context',
        { spaceId: id, q: 'lampe', maxChars: 400 },
        () => rest(contextRoute, `/api/v1/spaces/${id}/context?q=lampe&maxChars=400`),
      ],
      [
        'brain_search',
        { q: 'eclairer', limit: 5 },
        () => rest(searchRoute, '/api/v1/search?q=eclairer&limit=5'),
      ],
      [
        'brain_search',
        { q: 'lampe', spaceId: id, pillar: 'ITEMS' },
        () => rest(searchRoute, `/api/v1/search?q=lampe&spaceId=${id}&pillar=ITEMS`),
      ],
    ] as const) {
      const before = await used(place);
      const answer = await callTool(name, args, { token: place.token, era });
      expect(answer.status).toBe(200);
      expect(await used(place)).toBe(before + 1);
      const text = await expected();
      expect(answer.result.content).toEqual([{ type: 'text', text }]);
      expect(JSON.stringify(answer.result.structuredContent)).toBe(text);
      // In the answer's own bytes, not only once parsed.
      expect(answer.text).toContain(`"structuredContent":${text}`);
      expect(await used(place)).toBe(before + 2);
    }
    const quota = await callTool('brain_quota', {}, { token: place.token, era });
    expect(quota.result.content[0].text).toBe(await rest(quotaRoute, '/api/v1/quota'));
    expect(quota.result.structuredContent.used).toBe(await used(place));
  });

  test('adding is idempotent, by key or by content; the Memory says it came by MCP', async () => {
    const place = await setting();
    const args = {
      spaceId: place.space.id,
      pillar: 'KNOWLEDGE',
      title: '  Marché ',
      body: 'Trois salons par an.',
    };
    const first = await callTool('brain_add_memory', args, { token: place.token, era });
    expect(first.result.structuredContent).toMatchObject({
      object: 'memory',
      source: 'MCP',
      title: 'Marché',
      kind: 'NOTE',
    });
    const again = await callTool('brain_add_memory', args, { token: place.token, era });
    expect(again.result.structuredContent).toEqual(first.result.structuredContent);
    const keyed = { ...args, title: 'Autre', idempotencyKey: 'ma-cle' };
    const one = await callTool('brain_add_memory', keyed, { token: place.token, era });
    const two = await callTool('brain_add_memory', keyed, { token: place.key, era });
    expect(two.result.structuredContent).toEqual(one.result.structuredContent);
    const clash = await callTool(
      'brain_add_memory',
      { ...keyed, body: 'Autre chose.' },
      { token: place.token, era },
    );
    expect(clash.result).toMatchObject({
      isError: true,
      _meta: { 'atelier/error': { code: 'idempotency_conflict', retryable: false } },
    });
    expect(await service.db.memory.count({ where: { spaceId: place.space.id } })).toBe(2);
    const repeated = { ...args, idempotencyKey: 'autre-cle' };
    const double = await callTool('brain_add_memory', repeated, { token: place.token, era });
    const { id } = first.result.structuredContent;
    const same = { id, spaceId: place.space.id, title: 'Marché', similarity: 1 };
    expect(double.result.structuredContent.similar[0]).toEqual(same);
    expect(await used(place)).toBe(0);
    expect(
      await service.db.auditEntry.findFirst({
        where: { accountId: place.account.id, action: 'memory.added' },
      }),
    ).toMatchObject({ actor: expect.stringMatching(/^oauth:grt_/) });
  });

  test('a text whose Memory was deleted is written again; undoing that deletion then brings the first one back beside it', async () => {
    const place = await setting();
    const ctx = testContext(service, memberActor(place.member));
    const args = { spaceId: place.space.id, pillar: 'KNOWLEDGE', title: 'Salon', body: 'Trois par an.' };
    const write = async (over: Record<string, unknown> = {}) =>
      (await callTool('brain_add_memory', { ...args, ...over }, { token: place.token, era })).result
        .structuredContent.id as string;
    const first = await write();
    const { deletionId } = await deleteMemory(ctx, { memoryId: first });
    const second = await write();
    expect(second).not.toBe(first);
    expect(await write()).toBe(second);
    expect(await undoDelete(ctx, { deletionId })).toMatchObject({ memoryId: first, restored: 1 });
    expect(await write()).toBe(second);
    const live = await service.db.memory.findMany({ where: { spaceId: place.space.id, deletedAt: null } });
    expect(live.map(({ id }) => id).sort()).toEqual([first, second].sort());

    // A key that the caller chose is a promise about that one request: it never writes twice.
    const keyed = await write({ title: 'Avec clé', idempotencyKey: 'choisie' });
    await deleteMemory(ctx, { memoryId: keyed });
    expect(await write({ title: 'Avec clé', idempotencyKey: 'choisie' })).toBe(keyed);
  });

  test('a refusal is a French sentence that says whether to retry, and costs nothing', async () => {
    const place = await setting({ capacityCu: 1 });
    const good = { spaceId: place.space.id, pillar: 'IDENTITY', title: 'T', body: 'x' };
    const failing = async (name: string, args: Record<string, unknown>) => {
      const answer = await callTool(name, args, { token: place.token, era });
      expect(answer.status).toBe(200);
      expect(answer.result.isError).toBe(true);
      expect(answer.result.structuredContent).toBeUndefined();
      const said = answer.result._meta['atelier/error'];
      expect(answer.result.content[0].text).toMatch(new RegExp(`\\. \\(${said.code}\\)$`));
      return { ...said, text: answer.result.content[0].text };
    };
    expect(await failing('brain_get_context', { spaceId: 'spc_inconnu' })).toMatchObject({
      code: 'not_found',
      retryable: false,
    });
    expect(await failing('brain_get_context', {})).toMatchObject({
      code: 'invalid_request',
      problems: [{ field: 'spaceId', message: 'Ce champ est obligatoire.' }],
    });
    expect(await failing('brain_get_context', { spaceId: place.space.id, pillars: ['AUTRE'] })).toMatchObject(
      { code: 'pillar_invalid' },
    );
    expect(await failing('brain_get_context', { spaceId: place.space.id, maxChars: 1.5 })).toMatchObject({
      code: 'invalid_request',
    });
    expect(await failing('brain_search', { q: '   ' })).toMatchObject({ code: 'invalid_request' });
    expect(await failing('brain_search', { q: 'a', limit: 51 })).toMatchObject({ code: 'invalid_request' });
    expect(await failing('brain_quota', { inconnu: 1 })).toMatchObject({
      code: 'invalid_request',
      problems: [{ field: 'inconnu' }],
    });
    expect(await failing('brain_add_memory', { ...good, body: `a${'\u0000'}` })).toMatchObject({
      code: 'invalid_request',
    });
    expect(await failing('brain_add_memory', { ...good, body: 'x'.repeat(131_072) })).toMatchObject({
      code: 'payload_too_large',
    });
    expect(await failing('brain_add_memory', { ...good, body: 'x'.repeat(5000) })).toMatchObject({
      code: 'capacity_full',
      text: expect.stringContaining('Ne réessayez pas'),
    });
    expect(await used(place)).toBe(0);
    for (let read = 0; read < 10; read += 1)
      await callTool('brain_list_spaces', {}, { token: place.token, era });
    expect(await failing('brain_list_spaces', {})).toMatchObject({
      code: 'quota_exceeded',
      retryable: false,
      retryAfterSeconds: expect.any(Number),
    });
  });
});

test('an addition that is tried again after midnight is one Memory; once deleted, or an hour later, it is written again', async () => {
  const place = await setting();
  const write = async (title: string, over: Record<string, unknown> = {}) => {
    const args = { spaceId: place.space.id, pillar: 'ITEMS', title, body: 'Laiton.', ...over };
    const { result } = await callTool('brain_add_memory', args, { token: place.key });
    return result.structuredContent.id as string;
  };
  stopClock();
  const midnightMs = Math.ceil(Date.now() / 86_400_000) * 86_400_000;
  vi.setSystemTime(midnightMs - 10_000);
  const [kept, gone] = [await write('Lampe Aube'), await write('Lampe Brume')];
  vi.setSystemTime(midnightMs + 10_000);
  expect(await write('Lampe Aube')).toBe(kept);
  // Other words are another Memory, and a key of one’s own says which is meant.
  expect(await write('Lampe Aube', { body: 'Verre.' })).not.toBe(kept);
  expect(await write('Lampe Aube', { idempotencyKey: 'une-autre' })).not.toBe(kept);
  // So is the same text elsewhere in the tree.
  expect(await write('Lampe Aube', { parentId: kept })).not.toBe(kept);
  await deleteMemory(testContext(service, memberActor(place.member)), { memoryId: gone });
  const again = await write('Lampe Brume');
  expect(again).not.toBe(gone);
  expect(await write('Lampe Brume')).toBe(again);
  vi.setSystemTime(midnightMs + 3_600_000);
  expect(await write('Lampe Aube')).not.toBe(kept);
  // Written again since midnight, it is of that day.
  expect(await write('Lampe Brume')).toBe(again);
});

test('what nobody sees in a text stays out of what tools answer, and in what programs read', async () => {
  const place = await setting();
  const body = 'Une lampe.\u{e0049}\u{e0047}\u202e\u0007 Fin.';
  const added = await callTool(
    'brain_add_memory',
    { spaceId: place.space.id, pillar: 'ITEMS', title: 'Lampe\u200b', body },
    { token: place.token },
  );
  const { id } = added.result.structuredContent;
  for (const [name, args] of [
    ['brain_get_memory', { memoryId: id }],
    ['brain_search', { q: 'lampe' }],
    ['brain_get_context', { spaceId: place.space.id }],
  ] as const) {
    const { result } = await callTool(name, args, { token: place.token });
    const text = result.content[0].text as string;
    expect(text).toContain('Une lampe. Fin.');
    expect(text).not.toMatch(/[\u{e0000}-\u{e007f}\u202e\u200b]|\\u0007/u);
  }
  const rest = await call(memoryRoute, { path: `/api/v1/memories/${id}`, params: { id }, token: place.key });
  expect(rest.json).toMatchObject({ title: 'Lampe\u200b', body });
});

describe('the list of tools', () => {
  test('has French titles and descriptions, closed schemas both ways, and honest annotations', async () => {
    const { token } = await setting();
    const { json } = await speak(modern('tools/list'), { token });
    const { tools } = json.result;
    expect(tools.map((tool: { name: string }) => tool.name)).toEqual([
      'brain_list_spaces',
      'brain_get_context',
      'brain_search',
      'brain_get_memory',
      'search',
      'fetch',
      'brain_quota',
      'brain_add_memory',
      'brain_propose_memory',
    ]);
    for (const tool of tools) {
      expect(tool.title).toMatch(/^[A-ZÉ]/);
      expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      // What connectors expect has no name for what it is.
      if (!['search', 'fetch'].includes(tool.name))
        expect(tool.outputSchema.properties.object).toMatchObject({ const: expect.any(String) });
      expect(tool.outputSchema.type).toBe('object');
      expect(tool.annotations).toMatchObject({
        title: tool.title,
        readOnlyHint: !['brain_add_memory', 'brain_propose_memory'].includes(tool.name),
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
      // Spellings that some model providers cannot read (what `inspector --strict` warns about).
      for (const foreign of ['override', '"type":[', '$ref', '$defs', '9007199254740991'])
        expect(JSON.stringify(tool)).not.toContain(foreign);
    }
    const add = tools.at(-2).inputSchema;
    expect(add.required).toEqual(['pillar', 'title', 'body', 'spaceId']);
    expect(add.properties.pillar).toMatchObject({
      type: 'string',
      enum: expect.arrayContaining(['IDENTITY', 'PEOPLE']),
    });
    expect(json.result).toMatchObject({ ttlMs: 300_000, cacheScope: 'private' });
  });

  test('both eras greet: initialize for 2025-11-25, server/discover for 2026-07-28; neither costs a read', async () => {
    const place = await setting();
    const hello = await speak(
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: '2025-11-25',
          capabilities: {},
          clientInfo: { name: 'tests', version: '1' },
        },
      } as never,
      { token: place.token },
    );
    expect(hello.json.result).toMatchObject({
      protocolVersion: '2025-11-25',
      serverInfo: { name: 'atelier' },
      instructions: expect.stringContaining('brain_list_spaces'),
    });
    const discover = await speak(modern('server/discover'), { token: place.token });
    expect(discover.json.result).toMatchObject({ supportedVersions: expect.arrayContaining(['2026-07-28']) });
    expect(await used(place)).toBe(0);
  });
});

describe('who may speak', () => {
  test('no token: 401 and a challenge without error; a bad one: with error; always JSON-RPC', async () => {
    const place = await setting();
    const api = await makeTokens(service, place.member, { resource: '/api/v1' });
    const none = await speak(modern('tools/list'));
    expect(none.status).toBe(401);
    expect(none.headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${ORIGIN}/.well-known/oauth-protected-resource/api/mcp", scope="brain:read brain:write"`,
    );
    expect(none.json).toEqual({
      jsonrpc: '2.0',
      error: {
        code: -32_000,
        message: expect.stringMatching(/^Clé de développeur/),
        data: { code: 'invalid_api_key', retryable: false },
      },
      id: null,
    });
    for (const token of [
      'n’importe',
      `ata_${'0'.repeat(64)}`,
      `atl_${'0'.repeat(64)}`,
      api.tokens.access_token,
      api.tokens.refresh_token,
      `${place.token}x`,
    ].map((one) => encodeURIComponent(one))) {
      const bad = await speak(modern('tools/list', {}, 'req-7'), { token });
      expect(bad.status).toBe(401);
      expect(bad.headers.get('www-authenticate')).toMatch(
        /^Bearer error="invalid_token", resource_metadata=/,
      );
      expect(bad.json).toMatchObject({
        jsonrpc: '2.0',
        id: 'req-7',
        error: { data: { code: 'invalid_api_key' } },
      });
    }
    const bare = await speak(modern('tools/list'), { headers: { authorization: place.key } });
    expect([bare.status, bare.json.error.message]).toEqual([
      401,
      expect.stringMatching(/^L’en-tête Authorization n’est pas lu/),
    ]);
    const query = await speak(modern('tools/list'), { path: `/api/mcp?access_token=${place.token}` });
    expect(query.status).toBe(401);
    const get = await mcpGet(new Request(`${ORIGIN}/api/mcp`));
    expect(get.status).toBe(401);
    const open = await mcpGet(
      new Request(`${ORIGIN}/api/mcp`, { headers: { authorization: `Bearer ${place.token}` } }),
    );
    expect(open.status).toBe(405);
    expect(open.headers.get('allow')).toBe('POST, OPTIONS');
  });

  test('a developer key works as well', async () => {
    const place = await setting();
    expect((await callTool('brain_quota', {}, { token: place.key })).result.isError).toBeFalsy();
  });

  test('a tool whose scope is missing: HTTP 403 with the challenge; no challenge when the member lacks the right', async () => {
    const place = await setting();
    const args = { spaceId: place.space.id, pillar: 'IDENTITY', title: 'T', body: 'B' };
    const readOnly = await makeTokens(service, place.member, { scopes: ['brain:read'] });
    const scope = await callTool('brain_add_memory', args, { token: readOnly.tokens.access_token });
    expect(scope.status).toBe(403);
    expect(scope.headers.get('www-authenticate')).toBe(
      `Bearer error="insufficient_scope", resource_metadata="${ORIGIN}/.well-known/oauth-protected-resource/api/mcp", scope="brain:write"`,
    );
    expect(scope.json).toMatchObject({
      jsonrpc: '2.0',
      id: 1,
      error: { data: { code: 'insufficient_scope', retryable: false } },
    });
    expect((await speak(modern('tools/list'), { token: readOnly.tokens.access_token })).status).toBe(200);
    const writeOnly = await makeTokens(service, place.member, { scopes: ['brain:write'] });
    for (const [name, asked] of [
      ['brain_search', { q: 'x' }],
      ['search', { query: 'x' }],
      ['fetch', { id: 'mem_x' }],
      ['brain_get_memory', { memoryId: 'mem_x' }],
      ['brain_get_context', { spaceId: place.space.id }],
      ['brain_list_spaces', {}],
      ['brain_quota', {}],
    ] as const)
      expect((await callTool(name, asked, { token: writeOnly.tokens.access_token })).status, name).toBe(403);

    const reader = await makeMember(service, place.account.id, { role: 'MEMBER', permissions: [] });
    const narrow = await makeTokens(service, reader, { scopes: ['brain:read'] });
    const right = await callTool('brain_add_memory', args, { token: narrow.tokens.access_token });
    expect(right.status).toBe(403);
    expect(right.headers.get('www-authenticate')).toBeNull();
    const wide = await makeTokens(service, reader);
    const refused = await callTool('brain_add_memory', args, { token: wide.tokens.access_token });
    expect(refused.result).toMatchObject({
      isError: true,
      _meta: { 'atelier/error': { code: 'insufficient_scope', retryable: false } },
    });
  });

  test('before the 2026 revision a challenge names the granted scopes too, so that a client which asks for its scopes loses none', async () => {
    const place = await setting();
    const { tokens } = await makeTokens(service, place.member, { scopes: ['brain:read', 'studio:read'] });
    const args = { spaceId: place.space.id, pillar: 'IDENTITY', title: 'T', body: 'B' };
    const challenged = async (era: 'modern' | 'legacy') => {
      const refused = await callTool('brain_add_memory', args, { token: tokens.access_token, era });
      expect(refused.status).toBe(403);
      return /scope="([^"]*)"/.exec(refused.headers.get('www-authenticate') ?? '')?.[1];
    };
    expect(await challenged('legacy')).toBe('brain:read studio:read brain:write');
    expect(await challenged('modern')).toBe('brain:write');
  });

  test('another site’s page is refused even with a valid token, and so is a foreign Host', async () => {
    const { token } = await setting();
    for (const headers of [
      { origin: 'https://ailleurs.exemple' },
      { origin: 'null' },
      { origin: 'https://atelier.test.ailleurs.exemple' },
      { host: 'ailleurs.exemple' },
      { host: 'atelier.test.ailleurs.exemple:80' },
    ]) {
      const answer = await speak(modern('tools/list'), {
        token,
        headers: Object.fromEntries(Object.entries(headers)),
      });
      expect(answer.status).toBe(403);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      expect(answer.json).toMatchObject({
        jsonrpc: '2.0',
        error: { data: { code: 'forbidden', retryable: false } },
      });
    }
    for (const headers of [{ origin: ORIGIN }, { host: 'atelier.test' }, { host: 'localhost:3000' }])
      expect(
        (await speak(modern('tools/list'), { token, headers: Object.fromEntries(Object.entries(headers)) }))
          .status,
      ).toBe(200);
  });

  test('20 writes and 120 requests of a minute pass; one more is 429 in JSON-RPC, with when to come back, and writes nothing', async () => {
    const place = await setting();
    stopClock();
    const write = (n: number) =>
      callTool(
        'brain_add_memory',
        { spaceId: place.space.id, pillar: 'IDENTITY', title: `T ${n}`, body: 'B' },
        { token: place.token },
      );
    for (let n = 0; n < 20; n += 1) {
      const { status, result, headers } = await write(n);
      expect([status, result.isError ?? false]).toEqual([200, false]);
      expect(headers.get('ratelimit-policy')).toContain('"writes";q=20;w=60');
    }
    const expectRefusal = (answer: Awaited<ReturnType<typeof speak>>) => {
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '60']);
      expect(answer.json).toMatchObject({
        jsonrpc: '2.0',
        id: 1,
        error: { data: { code: 'rate_limited', retryable: true } },
      });
    };
    const last = await write(20);
    expectRefusal(last);
    expect(last.headers.get('ratelimit')).toContain('"writes";r=0');
    expect(await service.db.memory.count({ where: { spaceId: place.space.id } })).toBe(20);
    // The writes were requests too: 99 of the 120 are left.
    for (let n = 0; n < 99; n += 1)
      expect((await speak(modern('tools/list'), { token: place.token })).status).toBe(200);
    expectRefusal(await speak(modern('tools/list'), { token: place.token }));
  });
});

describe('malformed requests', () => {
  test.each([
    ['no JSON', '{', 400, -32_700],
    ['bad UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 400, -32_700],
    ['an empty body', '', 400, -32_700],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]', 400, -32_600],
  ])('%s answers %i in JSON-RPC', async (_, raw, status, code) => {
    const { token } = await setting();
    const answer = await speak(null, { token, raw: raw as BodyInit });
    expect(answer).toMatchObject({
      status,
      json: { jsonrpc: '2.0', id: null, error: { code, data: { code: 'invalid_request' } } },
    });
  });

  test.each([
    'null',
    '1',
    '"texte"',
    '{}',
    '{"jsonrpc":"1.0","id":1,"method":"tools/list"}',
    '{"jsonrpc":"2.0","id":{},"method":"tools/list"}',
    '{"jsonrpc":"2.0","id":1,"method":5}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call"}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":5}}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"inconnu","arguments":{}}}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"__proto__","arguments":{}}}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"brain_quota","arguments":[]}}',
    '{"jsonrpc":"2.0","id":1,"method":"nimporte/quoi"}',
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"1999-01-01"}}',
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'x',
      params: JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`),
    }),
  ])('%s is no 5xx and leaks nothing', async (raw) => {
    const { token } = await setting();
    const answer = await speak(null, { token, raw });
    expect(answer.status).toBeLessThan(500);
    expect(answer.text).not.toMatch(/\bat .*\.(m?js|ts):\d+/);
    expect(answer.text).not.toContain('node_modules');
  });

  test('a body that is announced as compressed is refused for that, not as bad JSON, and told how to send it', async () => {
    const { token } = await setting();
    const message = modern('tools/list');
    const raw = gzipSync(JSON.stringify(message)) as BodyInit;
    for (const coding of ['gzip', 'br', 'deflate']) {
      const answer = await speak(message, { token, raw, headers: { 'content-encoding': coding } });
      expect(answer).toMatchObject({
        status: 415,
        json: {
          jsonrpc: '2.0',
          id: null,
          error: {
            code: -32_000,
            message: 'Le corps doit être envoyé sans compression (Content-Encoding).',
            data: { code: 'unsupported_media_type', retryable: false },
          },
        },
      });
      expect(answer.headers.get('accept-encoding')).toBe('identity');
    }
    const plain = await speak(message, { token, headers: { 'content-encoding': 'identity' } });
    expect(plain.status).toBe(200);
  });

  test('an oversized body is refused on the stream, whatever it declares; another media type too', async () => {
    const { token } = await setting();
    const big = JSON.stringify(modern('tools/list', { x: 'x'.repeat(MAX_MCP_REQUEST_BYTES) }));
    expect(await speak(null, { token, raw: big })).toMatchObject({
      status: 413,
      json: { jsonrpc: '2.0', error: { data: { code: 'payload_too_large' } } },
    });
    let sent = 0;
    const endless = new ReadableStream({
      pull(controller) {
        sent += 1;
        controller.enqueue(new Uint8Array(16_384));
      },
    });
    expect((await speak(null, { token, raw: endless })).status).toBe(413);
    expect(sent).toBeLessThan(20);
    expect(
      (await speak(modern('tools/list'), { token, headers: { 'content-type': 'text/plain' } })).status,
    ).toBe(415);
    expect(TOOLS).toHaveLength(12);
  });
});
