import { describe, expect, test } from 'vitest';
import { GET as mcpGet } from '#app/api/mcp/route.ts';
import { makeMember } from '#tests/factories/account.ts';
import { makeTokens } from '#tests/factories/oauth.ts';
import { ORIGIN, stopClock, useApi } from '#tests/setup/api.ts';
import { callTool, modern, speak } from '#tests/setup/mcp.ts';
import { setting } from './setting.ts';

process.env.SERVICE_PUBLIC_URL = ORIGIN;
const service = useApi();

describe('who may speak', () => {
  test('no token: 401 and a challenge without error; a bad one: with error; always JSON-RPC', async () => {
    const place = await setting(service);
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
    const place = await setting(service);
    expect((await callTool('brain_quota', {}, { token: place.key })).result.isError).toBeFalsy();
  });

  test('a tool whose scope is missing: HTTP 403 with the challenge; no challenge when the member lacks the right', async () => {
    const place = await setting(service);
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
    const place = await setting(service);
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
    const { token } = await setting(service);
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
    const place = await setting(service);
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
