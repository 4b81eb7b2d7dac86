import { describe, expect, test } from 'vitest';
import { GET as nothingHere } from '#app/.well-known/[...path]/route.ts';
import {
  GET as serverMetadata,
  OPTIONS as serverPreflight,
} from '#app/.well-known/oauth-authorization-server/route.ts';
import { GET as resourceMetadata } from '#app/.well-known/oauth-protected-resource/[[...path]]/route.ts';
import { POST as register } from '#app/api/oauth/register/route.ts';
import { POST as revoke } from '#app/api/oauth/revoke/route.ts';
import { POST as token, GET as tokenGet, OPTIONS as tokenPreflight } from '#app/api/oauth/token/route.ts';
import { GET as projects } from '#app/api/v1/projects/route.ts';
import { GET as quota } from '#app/api/v1/quota/route.ts';
import { POST as addMemory } from '#app/api/v1/spaces/[id]/memories/route.ts';
import { withOAuth } from '#lib/http/middleware/with-oauth.ts';
import { makeAccount, makeMember, makeSpace } from '#tests/factories/account.ts';
import { makeClient, makeCode, makeTokens } from '#tests/factories/oauth.ts';
import { call, freshIdempotencyKey, ORIGIN, useApi } from '#tests/setup/api.ts';
import { modern, speak } from '#tests/setup/mcp.ts';
import { askToken, post } from '#tests/setup/oauth.ts';

const service = useApi();

async function withCode() {
  const { member } = await makeAccount(service);
  const made = await makeCode(service, member);
  const form: Record<string, string> = {
    grant_type: 'authorization_code',
    client_id: made.client.id,
    code: made.code,
    code_verifier: made.verifier,
    redirect_uri: made.redirectUri,
    resource: `${ORIGIN}/api/mcp`,
  };
  return { member, made, form };
}

describe('POST /api/oauth/token', () => {
  test('while the database is away, a client is told in its dialect that it may ask again, and when', async () => {
    const away = Object.assign(new Error('SECRET'), { name: 'error', code: '08006' });
    const path = withOAuth({ id: 'askToken', summary: '', tag: 'OAuth', answers: {} }, () =>
      Promise.reject(away),
    );
    const response = await path(new Request(`${ORIGIN}/api/oauth/token`, { method: 'POST' }));
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await response.json()).toMatchObject({ error: 'temporarily_unavailable' });
  });

  test('answers each fault in the OAuth dialect, never stored, and leaves the code usable', async () => {
    const { form } = await withCode();
    const other = await makeClient(service);
    for (const [changes, status, error] of [
      [{ grant_type: '' }, 400, 'invalid_request'],
      [{ grant_type: 'password' }, 400, 'unsupported_grant_type'],
      [{ grant_type: 'client_credentials' }, 400, 'unsupported_grant_type'],
      [{ code: '' }, 400, 'invalid_request'],
      [{ code_verifier: '' }, 400, 'invalid_request'],
      [{ code_verifier: 'faux'.repeat(12) }, 400, 'invalid_grant'],
      [{ redirect_uri: 'https://assistant.exemple/autre' }, 400, 'invalid_grant'],
      [{ client_id: '' }, 400, 'invalid_request'],
      [{ client_id: 'cli_00000000000000000000000000' }, 401, 'invalid_client'],
      [{ client_id: 'https://inconnu.exemple/client.json' }, 401, 'invalid_client'],
      [{ client_id: other.id }, 400, 'invalid_grant'],
      [{ client_secret: 'x' }, 401, 'invalid_client'],
      [{ resource: `${ORIGIN}/api/v1` }, 400, 'invalid_target'],
      [{ resource: 'https://ailleurs.exemple' }, 400, 'invalid_target'],
    ] as const) {
      const answer = await askToken({ ...form, ...changes });
      expect({ changes, status: answer.status, error: answer.json.error }).toEqual({
        changes,
        status,
        error,
      });
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.json.error_description).toMatch(/^[\x20-\x7e]+$/);
    }
    const basic = await askToken(form, { authorization: 'Basic eDp5' });
    expect(basic.status).toBe(401);
    expect(basic.headers.get('www-authenticate')).toMatch(/^Basic /);
    expect((await askToken([...Object.entries(form), ['code', form.code as string]])).json.error).toBe(
      'invalid_request',
    );
    expect((await askToken(form)).status).toBe(200);
  });

  test('a client of OAuth 2.1 leaves the redirect out when it exchanges its code: PKCE binds it, and nothing else opens it', async () => {
    const { form } = await withCode();
    const { redirect_uri: _, ...bare } = form;
    const guessed = await askToken({ ...bare, code_verifier: 'faux'.repeat(12) });
    expect([guessed.status, guessed.json.error]).toEqual([400, 'invalid_grant']);
    expect((await askToken(bare)).status).toBe(200);
  });

  test('a connection is renewed by a form that is announced as JSON too, as MCP Inspector writes it', async () => {
    const { member } = await makeAccount(service);
    const { client, tokens } = await makeTokens(service, member);
    const refresh = {
      grant_type: 'refresh_token',
      client_id: client.id,
      refresh_token: tokens.refresh_token,
    };
    const type = 'application/json, application/x-www-form-urlencoded';
    expect((await askToken(refresh, { 'content-type': type })).status).toBe(200);
  });

  test('a client that names itself by Basic with an empty password is the public client of that name, and no other', async () => {
    const { form } = await withCode();
    const { client_id: id = '', ...rest } = form;
    const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
    const other = await makeClient(service);
    for (const [fields, text] of [
      [form, `${other.id}:`],
      [rest, `${id}:secret`],
      [rest, ':'],
      [rest, '%:'],
      [{ ...rest, client_secret: 'x' }, `${id}:`],
    ] as const) {
      const refused = await askToken(fields, basic(text));
      expect([text, refused.status, refused.json.error]).toEqual([text, 401, 'invalid_client']);
    }
    const first = await askToken(rest, basic(`${id}:`));
    expect(first.status).toBe(200);
    const refresh = { grant_type: 'refresh_token', refresh_token: first.json.refresh_token };
    expect((await askToken({ ...refresh, client_id: id }, basic(`${id}:`))).status).toBe(200);
    const revoked = await post(
      revoke,
      '/api/oauth/revoke',
      { token: first.json.access_token },
      basic(`${id}:`),
    );
    expect(revoked.status).toBe(200);
  });

  test('a code that comes twice: the second is refused, and the access and refresh tokens of the first are dead', async () => {
    const { form } = await withCode();
    const first = await askToken(form);
    const headers = { host: 'localhost:3000' };
    const read = () => speak(modern('tools/list'), { token: first.json.access_token, headers });
    expect((await read()).status).toBe(200);
    const second = await askToken(form);
    expect(second).toMatchObject({ status: 400, json: { error: 'invalid_grant' } });
    const refreshed = await askToken({
      grant_type: 'refresh_token',
      client_id: form.client_id as string,
      refresh_token: first.json.refresh_token,
    });
    expect(refreshed).toMatchObject({ status: 400, json: { error: 'invalid_grant' } });
    expect((await read()).status).toBe(401);
  });

  test('reads a form only: JSON, the query string, other methods, bad UTF-8 and oversized bodies are refused', async () => {
    const { form } = await withCode();
    const json = await askToken(JSON.stringify(form), { 'content-type': 'application/json' });
    expect(json).toMatchObject({ status: 400, json: { error: 'invalid_request' } });
    const query = await post(token, `/api/oauth/token?${new URLSearchParams(form)}`, '');
    expect(query.status).toBe(400);
    expect((await tokenGet(new Request(`${ORIGIN}/api/oauth/token`))).status).toBe(405);
    expect((await askToken({ ...form, x: 'x'.repeat(20_000) })).status).toBe(413);
    const bytes = await token(
      new Request(`${ORIGIN}/api/oauth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new Uint8Array([0x61, 0x3d, 0xff, 0xfe]),
      }),
    );
    expect(bytes.status).toBe(400);
    const preflight = await tokenPreflight(new Request(`${ORIGIN}/api/oauth/token`, { method: 'OPTIONS' }));
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('POST');
    expect(preflight.headers.get('allow')).toBe('POST, OPTIONS');
  });

  test('a body that is announced as compressed is 415, with how to send it, wherever a program posts', async () => {
    const form = 'application/x-www-form-urlencoded';
    for (const [handler, path, type] of [
      [token, '/api/oauth/token', form],
      [revoke, '/api/oauth/revoke', form],
      [register, '/api/oauth/register', 'application/json'],
    ] as const) {
      const headers = { 'content-type': type, 'content-encoding': 'gzip' };
      const answer = await post(handler, path, 'x', headers);
      expect([answer.status, answer.headers.get('accept-encoding')], path).toEqual([415, 'identity']);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(await answer.json()).toEqual({
        error: 'invalid_request',
        error_description: 'Le corps doit etre envoye sans compression (Content-Encoding).',
      });
    }
  });

  test('concurrent refreshes get one and the same successor; a NUL or a lone surrogate is no 5xx', async () => {
    const { member } = await makeAccount(service);
    const { client, tokens } = await makeTokens(service, member);
    const form = { grant_type: 'refresh_token', client_id: client.id, refresh_token: tokens.refresh_token };
    const answers = await Promise.all(Array.from({ length: 5 }, () => askToken(form)));
    // Five refusals would be alike too.
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(answers[0]?.json.refresh_token).toMatch(/^atr_/);
    expect(new Set(answers.map((answer) => answer.json.refresh_token)).size).toBe(1);
    for (const changes of [
      { client_id: '\u0000' },
      { refresh_token: 'atr_\u0000' },
      { scope: '\u0000' },
      { client_id: 'https://a.exemple/\u0000' },
    ])
      expect((await askToken({ ...form, ...(changes as object) })).status).toBeLessThan(500);
  });
});

describe('POST /api/oauth/revoke', () => {
  test('200 even for an unknown token; 401 for an unknown client; a refresh token ends the family', async () => {
    const { member } = await makeAccount(service);
    const { client, tokens } = await makeTokens(service, member, { resource: '/api/v1' });
    const send = (form: Record<string, string>) => post(revoke, '/api/oauth/revoke', form);
    expect((await send({ client_id: client.id, token: 'inconnu' })).status).toBe(200);
    const unknown = await send({ client_id: 'cli_00000000000000000000000000', token: tokens.refresh_token });
    expect(unknown.status).toBe(401);
    expect((await unknown.json()).error).toBe('invalid_client');
    expect((await send({ client_id: client.id })).status).toBe(400);
    const read = () => call(quota, { path: '/api/v1/quota', token: tokens.access_token });
    expect((await read()).status).toBe(200);
    expect(
      (await send({ client_id: client.id, token: tokens.refresh_token, token_type_hint: 'refresh_token' }))
        .status,
    ).toBe(200);
    expect((await read()).status).toBe(401);
  });
});

describe('an access token at /api/v1', () => {
  const read = (token: string, path = '/api/v1/quota', headers?: Record<string, string>) =>
    call(quota, { path, ...(token ? { token } : {}), ...(headers ? { headers } : {}) });

  test('opens what its scopes allow; one bound to /api/mcp is no token here', async () => {
    const { member } = await makeAccount(service);
    const own = await makeTokens(service, member, { resource: '/api/v1' });
    const foreign = await makeTokens(service, member, { resource: '/api/mcp' });
    expect((await read(own.tokens.access_token)).status).toBe(200);
    const refused = await read(foreign.tokens.access_token);
    expect(refused.status).toBe(401);
    expect(refused.json.error.code).toBe('invalid_api_key');
    expect(refused.headers.get('www-authenticate')).toBe(
      `Bearer error="invalid_token", resource_metadata="${ORIGIN}/.well-known/oauth-protected-resource/api/v1", scope="brain:read brain:write"`,
    );
    expect((await read(own.tokens.refresh_token)).status).toBe(401);
    const none = await read('');
    expect(none.status).toBe(401);
    expect(none.headers.get('www-authenticate')).not.toContain('error=');
    expect((await read('', `/api/v1/quota?access_token=${own.tokens.access_token}`)).status).toBe(401);
  });

  test('403 with a challenge when the token lacks the scope; without one when the member lacks the right', async () => {
    const { account, member } = await makeAccount(service);
    const space = await makeSpace(service, account.id);
    const add = (token: string) =>
      call(addMemory, {
        path: `/api/v1/spaces/${space.id}/memories`,
        params: { id: space.id },
        token,
        headers: { 'idempotency-key': freshIdempotencyKey() },
        body: { pillar: 'IDENTITY', title: 'T', body: 'B' },
      });
    const readOnly = await makeTokens(service, member, { resource: '/api/v1', scopes: ['brain:read'] });
    const scope = await add(readOnly.tokens.access_token);
    expect(scope).toMatchObject({ status: 403, json: { error: { code: 'insufficient_scope' } } });
    expect(scope.headers.get('www-authenticate')).toContain('error="insufficient_scope"');
    expect(scope.headers.get('www-authenticate')).toContain('scope="brain:write"');

    const reader = await makeMember(service, account.id, { role: 'MEMBER', permissions: [] });
    for (const scopes of [['brain:read', 'brain:write'], ['brain:read']] as const) {
      const { tokens } = await makeTokens(service, reader, { resource: '/api/v1', scopes: [...scopes] });
      const right = await add(tokens.access_token);
      expect(right).toMatchObject({ status: 403, json: { error: { code: 'insufficient_scope' } } });
      expect(right.headers.get('www-authenticate')).toBeNull();
    }
    const full = await makeTokens(service, member, { resource: '/api/v1' });
    expect((await add(full.tokens.access_token)).status).toBe(201);
    const list = await call(projects, { path: '/api/v1/projects', token: full.tokens.access_token });
    expect(list.status).toBe(403);
    expect(list.headers.get('www-authenticate')).toBeNull();
  });

  test('suspended, revoked or stripped: refused at the very next request', async () => {
    const { account } = await makeAccount(service);
    const writer = await makeMember(service, account.id, { role: 'MEMBER', permissions: ['brain.write'] });
    const { client, tokens } = await makeTokens(service, writer, { resource: '/api/v1' });
    expect((await read(tokens.access_token)).status).toBe(200);
    await service.db.member.update({ where: { id: writer.id }, data: { status: 'SUSPENDED' } });
    expect((await read(tokens.access_token)).status).toBe(401);
    await service.db.member.update({ where: { id: writer.id }, data: { status: 'ACTIVE' } });
    expect((await read(tokens.access_token)).status).toBe(200);
    await service.db.oAuthGrant.updateMany({
      where: { clientId: client.id },
      data: { revokedAt: new Date() },
    });
    expect((await read(tokens.access_token)).status).toBe(401);
  });
});

describe('metadata documents', () => {
  test('name this very issuer and only what is supported, for any origin to read', async () => {
    const response = await serverMetadata(new Request(`${ORIGIN}/.well-known/oauth-authorization-server`));
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    // Kept for five minutes, and nothing beside it says that it must not be.
    expect(['cache-control', 'pragma'].map((name) => response.headers.get(name))).toEqual([
      'public, max-age=300',
      null,
    ]);
    expect(await response.json()).toMatchObject({
      issuer: ORIGIN,
      authorization_endpoint: `${ORIGIN}/api/oauth/authorize`,
      token_endpoint: `${ORIGIN}/api/oauth/token`,
      registration_endpoint: `${ORIGIN}/api/oauth/register`,
      revocation_endpoint: `${ORIGIN}/api/oauth/revoke`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      // Several assistants renew nothing unless it is announced here; of a resource it is no scope.
      scopes_supported: [
        'brain:read',
        'brain:write',
        'brain:propose',
        'studio:read',
        'studio:generate',
        'offline_access',
      ],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    });
    expect((await serverPreflight(new Request(`${ORIGIN}/x`, { method: 'OPTIONS' }))).status).toBe(204);
  });

  test('each resource has its own; another path has none', async () => {
    const read = async (path: string) => {
      const response = await resourceMetadata(
        new Request(`${ORIGIN}/.well-known/oauth-protected-resource${path}`),
      );
      return { status: response.status, json: await response.json() };
    };
    for (const [path, resource, documentation] of [
      ['', '/api/mcp', '/docs/mcp'],
      ['/api/mcp', '/api/mcp', '/docs/mcp'],
      ['/api/v1', '/api/v1', '/docs/api'],
    ] as const)
      expect(await read(path)).toMatchObject({
        status: 200,
        json: {
          resource: ORIGIN + resource,
          authorization_servers: [ORIGIN],
          scopes_supported: ['brain:read', 'brain:write', 'brain:propose', 'studio:read', 'studio:generate'],
          bearer_methods_supported: ['header'],
          resource_name: expect.stringContaining('Atelier'),
          resource_documentation: ORIGIN + documentation,
        },
      });
    expect((await read('/api/autre')).status).toBe(404);
    const other = await nothingHere(new Request(`${ORIGIN}/.well-known/openid-configuration`));
    expect(other.status).toBe(404);
    expect(other.headers.get('access-control-allow-origin')).toBe('*');
  });
});
