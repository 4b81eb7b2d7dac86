import { beforeAll, describe, expect, test } from 'vitest';
import { GET as search } from '#app/api/v1/search/route.ts';
import { POST as add } from '#app/api/v1/spaces/[id]/memories/route.ts';
import { memoryTitle } from '#lib/brain/schemas/memories.ts';
import { makeAccount, makeKey, makeSpace } from '#tests/factories/account.ts';
import { makeTokens } from '#tests/factories/oauth.ts';
import { call, freshIdempotencyKey, useApi } from '#tests/setup/api.ts';
import { callTool } from '#tests/setup/mcp.ts';

const service = useApi();
const LAMP = '🪔'; // Two UTF-16 units.

let token = '';
let mcpToken = '';
let spaceId = '';

beforeAll(async () => {
  const { account, member } = await makeAccount(service);
  token = (await makeKey(service, member)).secret;
  mcpToken = (await makeTokens(service, member)).tokens.access_token;
  spaceId = (await makeSpace(service, account.id)).id;
});

const messageOf = (json: { error: { problems: { message: string }[] } }) => json.error.problems[0]?.message;

async function addTitled(title: string, text = 'Corps') {
  const { status, json } = await call(add, {
    path: `/api/v1/spaces/${spaceId}/memories`,
    params: { id: spaceId },
    token,
    headers: { 'idempotency-key': freshIdempotencyKey() },
    body: { pillar: 'ITEMS', title, body: text },
  });
  return { status, json };
}

const searchFor = (q: string) => call(search, { path: `/api/v1/search?q=${encodeURIComponent(q)}`, token });

describe('lengths are UTF-16 code units, and a length that is wrong is told as a length', () => {
  test('a title of 200 units is written, in any script; one of 201 or more is refused (B-132)', async () => {
    expect((await addTitled('a'.repeat(200))).status).toBe(201);
    expect((await addTitled(LAMP.repeat(100))).status).toBe(201);
    expect((await addTitled(` ${'a'.repeat(200)}\t`)).status).toBe(201);
    expect((await addTitled('a', 'x')).status).toBe(201);
    for (const title of ['a'.repeat(201), LAMP.repeat(101), `a${LAMP.repeat(100)}`]) {
      const { status, json } = await addTitled(title);
      expect([status, messageOf(json)]).toEqual([400, 'Il faut au plus 200 caractères.']);
      expect(memoryTitle.safeParse(title).success).toBe(false);
    }
  });

  test('a search of 201 characters is told that it is too long, not that it is missing; an absent one, that it is mandatory', async () => {
    expect((await searchFor('a'.repeat(200))).status).toBe(200);
    for (const q of ['a'.repeat(201), LAMP.repeat(101)])
      expect(messageOf((await searchFor(q)).json)).toBe('Il faut au plus 200 caractères.');
    const { json } = await call(search, { path: '/api/v1/search', token });
    expect(messageOf(json)).toBe('Ce champ est obligatoire.');
  });

  test('an assistant is told the same: the bound that its limit passes, the length of its search, what is no integer', async () => {
    const refusal = async (args: Record<string, unknown>) => {
      const { result } = await callTool('brain_search', args, {
        token: mcpToken,
        headers: { host: '127.0.0.1' },
      });
      return result._meta['atelier/error'].problems[0].message;
    };
    expect(await refusal({ q: 'a', limit: 0 })).toBe('La valeur doit être d’au moins 1.');
    expect(await refusal({ q: 'a', limit: 51 })).toBe('La valeur doit être d’au plus 50.');
    expect(await refusal({ q: 'a', limit: 1.5 })).toBe('Il faut un nombre entier.');
    expect(await refusal({ q: 'a', limit: 'x' })).toBe('Il faut un nombre entier.');
    expect(await refusal({ q: 'a'.repeat(201) })).toBe('Il faut au plus 200 caractères.');
    expect(await refusal({ q: 'a', spaceId: 'x'.repeat(201) })).toBe('Il faut au plus 200 caractères.');
  });

  test('an addition by an assistant has 131,072 bytes of arguments at most, those of accents counted', async () => {
    const adding = async (bytes: number) => {
      const given = { spaceId, pillar: 'ITEMS', title: 'Élan', parentId: null };
      const room = bytes - Buffer.byteLength(JSON.stringify({ ...given, body: '' }));
      const args = { ...given, body: 'x'.repeat(room) };
      const { result } = await callTool('brain_add_memory', args, {
        token: mcpToken,
        headers: { host: '127.0.0.1' },
      });
      return result._meta?.['atelier/error']?.code ?? result.structuredContent?.object;
    };
    expect([await adding(131_072), await adding(131_073)]).toEqual(['memory', 'payload_too_large']);
  });

  test('a NUL in what an assistant sends is a fault of the request, not to be tried again', async () => {
    for (const [tool, args] of [
      ['brain_search', { q: 'a\u0000b' }],
      ['brain_search', { q: 'a', spaceId: 'spc_\u0000' }],
      ['brain_get_context', { spaceId: 'spc_\u0000' }],
    ] as const) {
      const { result } = await callTool(tool, args, { token: mcpToken, headers: { host: '127.0.0.1' } });
      const error = result._meta?.['atelier/error'];
      expect([tool, result.isError, error?.retryable]).toEqual([tool, true, false]);
      expect(error?.code).toMatch(/^(invalid_request|not_found)$/);
    }
  });
});
