import { describe, expect, test, vi } from 'vitest';
import { GET as authorize, POST as postAuthorize } from '#app/api/oauth/authorize/route.ts';
import { GET as getConsent } from '#app/api/oauth/consent/route.ts';
import { POST as register } from '#app/api/oauth/register/route.ts';
import { makeAccount, makeMember } from '#tests/factories/account.ts';
import { makeClient, makeCode, pkce, REDIRECT } from '#tests/factories/oauth.ts';
import { ORIGIN, useApi } from '#tests/setup/api.ts';
import { askToken, signIn } from '#tests/setup/oauth.ts';

// Next runs what follows an answer; here nothing does.
vi.mock('next/server', async (original) => ({ ...(await original<object>()), after: () => undefined }));

const service = useApi();

const RESOURCE = `${ORIGIN}/api/mcp`;

async function asking() {
  const client = await makeClient(service);
  const { verifier, challenge } = pkce();
  const params: Record<string, string> = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: REDIRECT,
    state: 'état & plus',
    scope: 'brain:read brain:write',
    resource: RESOURCE,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  };
  return { client, verifier, params };
}

function ask(params: Record<string, string> | [string, string][], cookie?: string) {
  const address = `${ORIGIN}/api/oauth/authorize?${new URLSearchParams(params)}`;
  return authorize(new Request(address, cookie ? { headers: { cookie } } : {}));
}

/** The same, by a member who let the client in before. */
async function askingAgain() {
  const { client, params } = await asking();
  const { member } = await makeAccount(service);
  await makeCode(service, member, { client });
  return { params, cookie: (await signIn(service, member)).cookie };
}

const answer = (response: Response) =>
  Object.fromEntries(new URL(response.headers.get('location') ?? '').searchParams);

describe('GET /api/oauth/authorize', () => {
  test('a good request goes to the consent page with every parameter', async () => {
    const { params } = await asking();
    const response = await ask(params);
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe(`/oauth/consentement?${new URLSearchParams(params)}`);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('what is sent without a value counts as left out', async () => {
    const { params } = await asking();
    const asked = { ...params, response_mode: '', scope: '' };
    const response = await ask(asked);
    expect(response.headers.get('location')).toBe(`/oauth/consentement?${new URLSearchParams(asked)}`);
  });

  test('a bad client or redirect is told on a page in French, never by a redirect', async () => {
    const { params } = await asking();
    for (const changes of [
      { client_id: '' },
      { client_id: 'inconnu' },
      { client_id: 'cli_00000000000000000000000000' },
      { client_id: '<script>alert(1)</script>' },
      { client_id: 'https://127.0.0.1/client.json' },
      { client_id: 'https://[::1]/client.json' },
      { client_id: 'https://localhost/client.json' },
      { client_id: 'https://169.254.169.254/latest/meta-data' },
      { client_id: 'cli_\u0000' },
      { redirect_uri: '' },
      { redirect_uri: `${REDIRECT}/` },
      { redirect_uri: 'https://ailleurs.exemple/' },
      { redirect_uri: 'javascript:alert(1)' },
      { state: 'x'.repeat(5000) },
    ]) {
      const response = await ask({ ...params, ...(changes as object) });
      expect(response.status).toBe(400);
      expect(response.headers.get('location')).toBeNull();
      expect(response.headers.get('content-type')).toContain('text/html');
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
      const html = await response.text();
      expect(html).toContain('Cette demande de connexion est refusée');
      expect(html).not.toContain('<script>');
    }
    const ofApplication = await (await ask({ ...params, scope: 'everything' })).text();
    expect(ofApplication).toMatch(
      /C’est à son éditeur de la corriger[\s\S]+À lui transmettre.: Les droits possibles/,
    );
    const ofMember = await (await ask({ ...params, client_id: 'cli_00000000000000000000000000' })).text();
    expect(ofMember).toContain('ajoutez-la de nouveau');
    expect(ofMember).not.toContain('À lui transmettre');
    for (const doubled of ['client_id', 'redirect_uri']) {
      const response = await ask([...Object.entries(params), [doubled, params[doubled] as string]]);
      expect(response.status).toBe(400);
      expect(response.headers.get('location')).toBeNull();
    }
  });

  test.each([
    ['without PKCE', { code_challenge: '' }, 'invalid_request'],
    ['with the plain method', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['without a method (which would mean plain)', { code_challenge_method: '' }, 'invalid_request'],
    ['with a challenge that is no SHA-256', { code_challenge: 'court' }, 'invalid_request'],
    ['without response_type', { response_type: '' }, 'invalid_request'],
    ['for a token', { response_type: 'token' }, 'unsupported_response_type'],
    ['with a fragment answer', { response_mode: 'fragment' }, 'invalid_request'],
    ['without a resource', { resource: undefined }, 'invalid_target'],
    ['with an empty resource', { resource: '' }, 'invalid_target'],
    ['for a foreign resource', { resource: 'https://ailleurs.exemple/api/mcp' }, 'invalid_target'],
    ['for the origin itself', { resource: ORIGIN }, 'invalid_target'],
    ['for a scope that applications cannot have', { scope: 'projects:read' }, 'invalid_scope'],
    ['for an unknown scope', { scope: 'brain:read tout' }, 'invalid_scope'],
  ])('%s: a client once let in is told, with state and iss', async (_, changes, error) => {
    const { params, cookie } = await askingAgain();
    const asked = Object.entries({ ...params, ...changes }).filter(([, value]) => value !== undefined);
    const response = await ask(asked as [string, string][], cookie);
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toMatch(/^https:\/\/assistant\.exemple\/retour\?/);
    expect(answer(response)).toEqual({
      error,
      error_description: expect.stringMatching(/^[\x20-\x7e]+$/),
      state: params.state,
      iss: ORIGIN,
    });
  });

  test('a parameter given twice is refused, two resources too', async () => {
    const { params, cookie } = await askingAgain();
    for (const [name, error] of [
      ['scope', 'invalid_request'],
      ['code_challenge', 'invalid_request'],
      ['resource', 'invalid_target'],
    ] as const) {
      const response = await ask([...Object.entries(params), [name, params[name] as string]], cookie);
      expect(answer(response)).toMatchObject({ error, iss: ORIGIN });
    }
    const response = await ask([...Object.entries(params), ['state', 'autre']], cookie);
    expect(answer(response)).toMatchObject({ error: 'invalid_request', iss: ORIGIN });
    expect(answer(response).state).toBeUndefined();
  });
});

describe('POST /api/oauth/consent', () => {
  test('accepting brings the client a code that it exchanges; refusing brings one that was let in before access_denied', async () => {
    const { account, member } = await makeAccount(service);
    const browser = await signIn(service, member);
    const { client, params, verifier } = await asking();
    const query = new URLSearchParams(params).toString();
    expect((await browser.decide(query, 'refuse')).status).toBe(200);
    expect(await service.db.oAuthGrant.count({ where: { accountId: account.id } })).toBe(0);

    const accepted = await browser.decide(query, 'accept');
    const { code, ...rest } = answer(accepted);
    expect(rest).toEqual({ state: params.state, iss: ORIGIN });
    const tokens = await askToken({
      grant_type: 'authorization_code',
      client_id: client.id,
      code: code as string,
      code_verifier: verifier,
      redirect_uri: REDIRECT,
      resource: RESOURCE,
    });
    expect(tokens.status).toBe(200);
    expect(tokens.headers.get('cache-control')).toBe('no-store');
    expect(tokens.json).toMatchObject({
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'brain:read brain:write',
    });
    expect(
      await service.db.auditEntry.findFirst({ where: { accountId: account.id, action: 'oauth.granted' } }),
    ).toMatchObject({ actor: `member:${member.id}`, data: { clientId: client.id, resource: '/api/mcp' } });

    const refused = await browser.decide(query, 'refuse');
    expect(refused.status).toBe(303);
    expect(answer(refused)).toMatchObject({ error: 'access_denied', state: params.state, iss: ORIGIN });
  });

  test('who accepts what writes without having proved lately who is there comes back to the page, which asks for it; nothing is allowed meanwhile', async () => {
    const { account, member } = await makeAccount(service);
    const browser = await signIn(service, member);
    const { params } = await asking();
    await service.db.session.update({
      where: { id: browser.sessionId },
      data: { verifiedAt: new Date(Date.now() - 3_600_000) },
    });
    const query = new URLSearchParams(params).toString();
    const response = await browser.decide(query, 'accept');
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      `/oauth/consentement?${query}`,
    ]);
    expect(await service.db.oAuthGrant.count({ where: { accountId: account.id } })).toBe(0);
    const reading = new URLSearchParams({ ...params, scope: 'brain:read' }).toString();
    expect(answer(await browser.decide(reading, 'accept')).code).toMatch(/^atc_/);
  });

  test('an answer is taken only from our page, shown to this session, for this very request', async () => {
    const { member } = await makeAccount(service);
    const browser = await signIn(service, member);
    const { params } = await asking();
    const query = new URLSearchParams(params).toString();
    const other = await signIn(service, member);
    const { member: elsewhere } = await makeAccount(service);
    const stolen = new URLSearchParams({ ...params, scope: 'brain:read' }).toString();
    const { signConsentTicket } = await import('#lib/oauth/protocol/consent-ticket.ts');
    const secret = process.env.SERVICE_SESSION_SECRET as string;
    const sign = (sessionId: string, about: string, at = new Date(), memberId = member.id) =>
      signConsentTicket({ sessionId, memberId, query: about }, at, secret);
    const refused: Parameters<typeof browser.decide>[2][] = [
      { headers: { origin: 'https://ailleurs.exemple' } },
      { headers: { origin: 'null' } },
      { headers: { origin: 'null', 'sec-fetch-site': 'cross-site' } },
      { ticket: '' },
      { ticket: 'x.y' },
      { ticket: sign(other.sessionId, query) },
      { ticket: sign(browser.sessionId, stolen) },
      { ticket: sign(browser.sessionId, query, new Date(Date.now() - 16 * 60_000)) },
      { ticket: sign(browser.sessionId, query, new Date(), elsewhere.id) },
    ];
    for (const changes of refused) {
      const response = await browser.decide(query, 'accept', changes);
      expect(response.status).toBe(403);
      expect(response.headers.get('location')).toBeNull();
    }
    const signedOut = await browser.decide(query, 'accept', { headers: { cookie: '' } });
    expect(signedOut.headers.get('location')).toBe(
      `/connexion?retour=${encodeURIComponent(`/oauth/consentement?${query}`)}`,
    );
    expect(await service.db.oAuthGrant.count({ where: { memberId: member.id } })).toBe(0);
  });

  test('an answer is taken of a browser that keeps our origin to itself, by its own word that the page is ours', async () => {
    const { member } = await makeAccount(service);
    const browser = await signIn(service, member);
    const query = new URLSearchParams((await asking()).params).toString();
    const headers = { origin: 'null', 'sec-fetch-site': 'same-origin' };
    expect(answer(await browser.decide(query, 'accept', { headers }))).toMatchObject({
      code: expect.any(String),
    });
  });

  test('a page that named one of the person’s accounts lets an application into no other, whichever was chosen since', async () => {
    const { member } = await makeAccount(service);
    const browser = await signIn(service, member);
    const { params } = await asking();
    const query = new URLSearchParams(params).toString();
    const { account } = await makeAccount(service);
    const own = await makeMember(service, account.id);
    const { personId } = await service.db.member.findUniqueOrThrow({ where: { id: member.id } });
    await service.db.member.update({ where: { id: own.id }, data: { personId } });
    const go = (to: { id: string; accountId: string }) =>
      service.db.session.update({
        where: { id: browser.sessionId },
        data: { memberId: to.id, accountId: to.accountId },
      });
    const grants = (to: { id: string }) => service.db.oAuthGrant.count({ where: { memberId: to.id } });
    await go(own);
    const refused = await browser.decide(query, 'accept');
    expect(refused.status).toBe(403);
    expect(refused.headers.get('location')).toBeNull();
    expect([await grants(member), await grants(own)]).toEqual([0, 0]);
    // Back in the account that the page named, it lets the application into that one.
    await go(member);
    expect((await browser.decide(query, 'accept')).status).toBe(303);
    expect([await grants(member), await grants(own)]).toEqual([1, 0]);
  });

  test('nobody lets an application into an account that was closed since the page was drawn', async () => {
    const { account, member } = await makeAccount(service);
    const browser = await signIn(service, member);
    const { params } = await asking();
    await service.db.account.update({ where: { id: account.id }, data: { closedAt: new Date() } });
    const response = await browser.decide(new URLSearchParams(params).toString(), 'accept');
    expect([response.status, response.headers.get('location')]).toEqual([409, null]);
    expect(await response.text()).toContain('Ce compte est fermé');
    expect(await service.db.oAuthGrant.count({ where: { memberId: member.id } })).toBe(0);
  });

  test('a member whose browsers ask too often is told on the page’s answer when to come back', async () => {
    const { member } = await makeAccount(service);
    const browser = await signIn(service, member);
    const { params } = await asking();
    // This minute and the next, should one turn meanwhile.
    await service.pool.query(
      `INSERT INTO "RateLimitWindow" (key, "startsAt", requests, writes)
        SELECT $1, date_trunc('minute', now()) + n * interval '1 minute', 1000000, 0
        FROM generate_series(0, 1) n`,
      [member.id],
    );
    const response = await browser.decide(new URLSearchParams(params).toString(), 'accept');
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
    // An answer is a write: what is left to read does not let it through.
    await service.pool.query('UPDATE "RateLimitWindow" SET requests = 0, writes = 1000000 WHERE key = $1', [
      member.id,
    ]);
    expect((await browser.decide(new URLSearchParams(params).toString(), 'accept')).status).toBe(429);
  });

  test('another method than theirs is refused by a page to a browser, in the OAuth dialect to a program', async () => {
    for (const [handler, path, method, allow] of [
      [getConsent, '/api/oauth/consent', 'GET', 'POST, OPTIONS'],
      [postAuthorize, '/api/oauth/authorize', 'POST', 'GET, HEAD, OPTIONS'],
    ] as const)
      for (const accept of ['text/html,*/*;q=0.8', '*/*']) {
        const response = await handler(new Request(ORIGIN + path, { method, headers: { accept } }));
        const text = await response.text();
        expect([path, response.status, response.headers.get('allow')]).toEqual([path, 405, allow]);
        if (accept === '*/*') expect(JSON.parse(text)).toMatchObject({ error: 'invalid_request' });
        else expect(text).toContain('Relancez la connexion depuis l’application.');
      }
  });

  test('an answer that is announced as compressed ends on a page that says so', async () => {
    const { member } = await makeAccount(service);
    const browser = await signIn(service, member);
    const { params } = await asking();
    const headers = { 'content-encoding': 'gzip' };
    const response = await browser.decide(new URLSearchParams(params).toString(), 'accept', { headers });
    expect([response.status, response.headers.get('accept-encoding')]).toEqual([415, 'identity']);
    expect(await response.text()).toContain('sans compression');
  });

  test('a request whose client was purged meanwhile ends on a page', async () => {
    const { member } = await makeAccount(service);
    const browser = await signIn(service, member);
    const { client, params } = await asking();
    await service.db.oAuthClient.delete({ where: { id: client.id } });
    const response = await browser.decide(new URLSearchParams(params).toString(), 'accept');
    expect(response.status).toBe(400);
    expect(response.headers.get('location')).toBeNull();
  });
});

describe('POST /api/oauth/register', () => {
  const send = (body: unknown, headers: Record<string, string> = {}) =>
    register(
      new Request(`${ORIGIN}/api/oauth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    );

  test('201 without a secret; again, the same client; from a browser anywhere', async () => {
    const metadata = {
      client_name: 'Mon assistant',
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: 'none',
    };
    const first = await send(metadata);
    expect(first.status).toBe(201);
    expect(first.headers.get('access-control-allow-origin')).toBe('*');
    const client = await first.json();
    expect(client).toEqual({
      client_id: expect.stringMatching(/^cli_/),
      client_id_issued_at: expect.any(Number),
      client_name: 'Mon assistant',
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
    expect(await (await send(metadata)).json()).toEqual({
      ...client,
      client_id_issued_at: expect.any(Number),
    });
  });

  test('a client that asks for a secret gets none, and is told so: the same client as without', async () => {
    const metadata = { client_name: 'Avec secret', redirect_uris: [REDIRECT] };
    const { client_id } = await (await send(metadata)).json();
    for (const method of ['client_secret_post', 'client_secret_basic']) {
      const response = await send({ ...metadata, token_endpoint_auth_method: method });
      const client = await response.json();
      expect([response.status, client.client_id]).toEqual([201, client_id]);
      expect(client.token_endpoint_auth_method).toBe('none');
      expect(client).not.toHaveProperty('client_secret');
    }
  });

  test('the address of whoever registers is kept nowhere in clear', async () => {
    const metadata = { client_name: 'Compté', redirect_uris: [REDIRECT] };
    expect((await send(metadata, { 'x-atelier-peer': '198.51.100.77' })).status).toBe(201);
    const windows = await service.db.rateLimitWindow.findMany();
    expect(windows.some(({ key }) => key.startsWith('oauth-register:'))).toBe(true);
    expect(JSON.stringify(windows)).not.toContain('198.51.100');
  });

  test('400 in the OAuth dialect for bad metadata, 413 for a body past 16 KiB', async () => {
    for (const [body, error] of [
      [{ redirect_uris: ['http://exemple.fr/r'] }, 'invalid_redirect_uri'],
      [{ client_name: 'x' }, 'invalid_redirect_uri'],
      [
        { redirect_uris: [REDIRECT], token_endpoint_auth_method: 'private_key_jwt' },
        'invalid_client_metadata',
      ],
      ['{', 'invalid_client_metadata'],
      ['[]', 'invalid_client_metadata'],
    ] as const) {
      const response = await send(body);
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({ error, error_description: expect.any(String) });
    }
    expect((await send({ redirect_uris: [REDIRECT], x: 'x'.repeat(20_000) })).status).toBe(413);
    expect((await send('a=b', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(400);
  });
});
