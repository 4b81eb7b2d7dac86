import { describe, expect, test } from 'vitest';
import { manualClock } from '#lib/core/clock.ts';
import { FetchRefusal } from '#lib/core/net/fetch-refusal.ts';
import { type SafeFetch, safeFetch } from '#lib/core/net/safe-fetch.ts';
import { TimeLimit } from '#lib/core/resource-limits/time-limit.ts';
import { checkAuthorization } from '#lib/oauth/check-authorization.ts';
import { findClient } from '#lib/oauth/clients/find-client.ts';
import { purgeClients } from '#lib/oauth/clients/purge-clients.ts';
import { readClientMetadata } from '#lib/oauth/clients/read-client-metadata.ts';
import { registerClient } from '#lib/oauth/clients/register-client.ts';
import { MAX_UNUSED_CLIENTS } from '#lib/oauth/protocol/config.ts';
import { makeAccount } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { makeClient, makeCode, makeTokens, pkce } from '#tests/factories/oauth.ts';
import { explainedQueries } from '#tests/factories/statements/explained-queries.ts';
import { untilBlocked } from '#tests/factories/statements/until-blocked.ts';
import { startHttpsServer, TEST_CA } from '#tests/setup/http/https-server.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 20 });
const START = '2026-11-21T10:00:00.000Z';

function anonymous() {
  const clock = manualClock(START);
  return { clock, ctx: testContext(service, { type: 'anonymous' } as const, { clock }) };
}

const metadata = (name: string) => ({ client_name: name, redirect_uris: [`https://${name}.exemple/retour`] });

describe('registration', () => {
  test('the same metadata give the same client, even all at once', async () => {
    const { ctx } = anonymous();
    const input = { metadata: metadata('meme'), network: '198.51.100.1' };
    const clients = await Promise.all(Array.from({ length: 8 }, () => registerClient(ctx, input)));
    expect(new Set(clients.map((client) => client.id)).size).toBe(1);
    const other = await registerClient(ctx, {
      ...input,
      metadata: { ...input.metadata, client_name: 'autre' },
    });
    expect(other.id).not.toBe(clients[0]?.id);
  });

  test('every try of a network counts, for a known client or refused too; other networks and the next minute are free', async () => {
    const { ctx, clock } = anonymous();
    const input = { metadata: metadata('encore'), network: '192.0.2.15' };
    const refused = { ...input, metadata: { redirect_uris: [] } };
    const { id } = await registerClient(ctx, input);
    for (let n = 0; n < 10; n += 1) expect((await registerClient(ctx, input)).id).toBe(id);
    for (let n = 0; n < 9; n += 1)
      await expect(registerClient(ctx, refused)).rejects.toMatchObject({ code: 'invalid_redirect_uri' });
    await expect(registerClient(ctx, input)).rejects.toMatchObject({
      code: 'temporarily_unavailable',
      status: 429,
    });
    expect((await registerClient(ctx, { ...input, network: '192.0.2.16' })).id).toBe(id);
    clock.advance(60_000);
    expect((await registerClient(ctx, input)).id).toBe(id);
  });

  test('10,000 registrations leave a bounded table, and never fail but with 429', async () => {
    const { ctx, clock } = anonymous();
    const { member } = await makeAccount(service);
    const used = await makeTokens(service, member, { clock });
    // The rows that a patient flood from many addresses would have left, then the flood itself.
    await service.pool.query(
      `INSERT INTO "OAuthClient" (id, "metadataHash", name, "redirectUris", "createdAt")
       SELECT 'cli_flood' || i, decode(md5(i::text), 'hex'), 'Robot', ARRAY['https://robot.exemple'], $1::timestamptz - (i || ' ms')::interval
       FROM generate_series(1, 10000) i`,
      [START],
    );
    let limited = 0;
    const registered: string[] = [];
    for (let round = 0; round < 30; round += 1)
      await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          registerClient(ctx, {
            metadata: metadata(`flot-${round}-${index}`),
            network: `203.0.113.${round % 5}`,
          }).then(
            ({ id }) => void registered.push(id),
            (error) => {
              expect(error).toMatchObject({ code: 'temporarily_unavailable', status: 429 });
              expect(error.headers['Retry-After']).toMatch(/^\d+$/);
              limited += 1;
            },
          ),
        ),
      );
    expect(limited).toBe(200);
    const unused = await service.db.oAuthClient.count({ where: { usedAt: null } });
    expect(unused).toBeLessThanOrEqual(MAX_UNUSED_CLIENTS + 10);
    // The newest stay, and a client that someone uses is never pushed out.
    expect(registered).toHaveLength(100);
    expect(await service.db.oAuthClient.count({ where: { id: { in: registered } } })).toBe(100);
    expect(await findClient(ctx, used.client.id, null)).not.toBeNull();
    clock.advance(60_000);
    await expect(
      registerClient(ctx, { metadata: metadata('apres'), network: '203.0.113.1' }),
    ).resolves.toMatchObject({ name: 'apres' });
  });

  test('a client that registers again during its last minutes is there for its consent, whether it was ever used or not', async () => {
    const { ctx, clock } = anonymous();
    const unused = { metadata: metadata('revient'), network: '192.0.2.11' };
    const first = await registerClient(ctx, unused);
    const idle = { metadata: metadata('revient-plus-tard'), network: '192.0.2.12' };
    const other = await registerClient(ctx, idle);
    await service.db.oAuthClient.update({ where: { id: other.id }, data: { usedAt: clock.now() } });
    clock.advance(90 * 86_400_000 - 60_000);
    expect((await registerClient(ctx, unused)).id).toBe(first.id);
    expect((await registerClient(ctx, idle)).id).toBe(other.id);
    // Nobody let it in all the same: it stays among those of which only so many are kept.
    expect((await service.db.oAuthClient.findUniqueOrThrow({ where: { id: first.id } })).usedAt).toBeNull();
    clock.advance(120_000);
    for (let run = 0; run < 6; run += 1) await purgeClients(ctx);
    expect(await findClient(ctx, first.id, null)).not.toBeNull();
    expect(await findClient(ctx, other.id, null)).not.toBeNull();
    clock.advance(90 * 86_400_000);
    for (let run = 0; run < 6; run += 1) await purgeClients(ctx);
    expect(await findClient(ctx, first.id, null)).toBeNull();
    expect(await findClient(ctx, other.id, null)).toBeNull();
  });

  test('a client that somebody lets in again while the purge runs is not forgotten, and the purge does not fail', async () => {
    const { ctx, clock } = anonymous();
    const idle = await registerClient(ctx, {
      metadata: metadata('au-dernier-moment'),
      network: '192.0.2.14',
    });
    await service.db.oAuthClient.update({ where: { id: idle.id }, data: { usedAt: clock.now() } });
    clock.advance(90 * 86_400_000 + 1);
    const consenting = await service.pool.connect();
    try {
      await consenting.query('BEGIN');
      await consenting.query('UPDATE "OAuthClient" SET "usedAt" = $1 WHERE id = $2', [clock.now(), idle.id]);
      const purging = purgeClients(ctx);
      // One that waits for the row waits for the consent; one that leaves it has ended by now.
      await Promise.race([purging, untilBlocked(service)]);
      await consenting.query('COMMIT');
      await purging;
    } finally {
      consenting.release();
    }
    expect(await findClient(ctx, idle.id, null)).not.toBeNull();
  });

  test('a client that nobody let in yet is kept for 90 days, as one whose last grant ended: an assistant registers once, and asks days later', async () => {
    const { ctx, clock } = anonymous();
    const { member } = await makeAccount(service);
    const unused = await registerClient(ctx, { metadata: metadata('jamais'), network: '192.0.2.9' });
    const used = await makeTokens(service, member, { clock });
    // Let in by somebody, long after it registered, though nothing came for the code.
    const client = await makeClient(service, { now: new Date(clock.now().getTime() - 60 * 86_400_000) });
    await makeCode(service, member, { clock, client });
    clock.advance(86_400_001);
    // Each run takes a bounded number of rows; the flood above left more than one.
    for (let run = 0; run < 6; run += 1) await purgeClients(ctx);
    expect(await service.db.oAuthGrant.count({ where: { clientId: client.id } })).toBe(0);
    clock.advance(88 * 86_400_000);
    for (let run = 0; run < 6; run += 1) await purgeClients(ctx);
    expect(await findClient(ctx, unused.id, null)).not.toBeNull();
    expect(await findClient(ctx, client.id, null)).not.toBeNull();
    clock.advance(86_400_000);
    for (let run = 0; run < 6; run += 1) await purgeClients(ctx);
    expect(await findClient(ctx, unused.id, null)).toBeNull();
    expect(await findClient(ctx, client.id, null)).toBeNull();
    expect(await service.db.oAuthGrant.count({ where: { clientId: used.client.id } })).toBe(0);
    expect(await service.db.oAuthToken.count()).toBe(0);
    expect(await findClient(ctx, used.client.id, null)).toBeNull();
  });

  test('a night removes as many ended tokens as there are; who registers a client waits for one batch', async () => {
    const { ctx, clock } = anonymous();
    const { member } = await makeAccount(service);
    await makeTokens(service, member, { clock });
    await service.pool.query(
      `INSERT INTO "OAuthToken" (id, "grantId", kind, "tokenHash", scopes, "createdAt", "expiresAt")
       SELECT 'ended' || i, g.id, 'ACCESS'::"OAuthTokenKind", decode(md5('ended' || i), 'hex'), ARRAY['brain:read'], $2::timestamptz, $2::timestamptz
       FROM generate_series(1, 1200) i, "OAuthGrant" g WHERE g."memberId" = $1`,
      [member.id, new Date('2026-10-01T00:00:00Z')],
    );
    const left = () => service.db.oAuthToken.count({ where: { id: { startsWith: 'ended' } } });
    clock.advance(2 * 86_400_000);
    await purgeClients(ctx);
    expect(await left()).toBe(700);
    await purgeClients(ctx, new TimeLimit(60_000, () => performance.now()));
    expect(await left()).toBe(0);
  });

  test('what ended of connections is found by the index of each end, however many live on, and nothing else goes', async () => {
    const { ctx, clock } = anonymous();
    const { account, member } = await makeAccount(service);
    const { client } = await makeTokens(service, member, { clock });
    const now = clock.now().getTime();
    const [second, day] = [1_000, 86_400_000] as const;
    const at = (ms: number) => new Date(now + ms);
    type Given = { createdAt: Date; activatedAt?: Date; expiresAt: Date; revokedAt?: Date };
    const grant = (id: string, given: Given) => ({
      id,
      accountId: account.id,
      memberId: member.id,
      clientId: client.id,
      resource: '/api/mcp',
      scopes: ['brain:read'],
      ...given,
    });
    const used = { createdAt: at(-100 * day), activatedAt: at(-100 * day) };
    await service.db.oAuthGrant.createMany({
      data: [
        grant('ended-expired', { ...used, expiresAt: at(-30 * day - second) }),
        grant('ended-revoked', { ...used, expiresAt: at(day), revokedAt: at(-30 * day - second) }),
        grant('ended-unused', { createdAt: at(-day - second), expiresAt: at(29 * day) }),
        grant('left-expired', { ...used, expiresAt: at(-30 * day + second) }),
        grant('left-revoked', { ...used, expiresAt: at(day), revokedAt: at(-30 * day + second) }),
        grant('left-unused', { createdAt: at(-day + second), expiresAt: at(29 * day) }),
      ],
    });
    await service.pool.query(
      `INSERT INTO "OAuthGrant" (id, "accountId", "memberId", "clientId", resource, scopes, "createdAt", "activatedAt", "expiresAt")
       SELECT 'living' || i, g."accountId", g."memberId", g."clientId", g.resource, g.scopes, g."createdAt", g."createdAt", $1::timestamptz
       FROM generate_series(1, 20000) i, "OAuthGrant" g WHERE g.id = 'left-expired'`,
      [at(20 * day)],
    );
    await service.pool.query('ANALYZE "OAuthGrant"');
    const { kysely, plans } = explainedQueries(service, {
      of: ({ label }) => label === 'oauth-purge-grants',
    });
    await purgeClients({ ...ctx, kysely });
    expect(plans).toHaveLength(1);
    for (const index of ['OAuthGrant_expiresAt_idx', 'OAuthGrant_revoked', 'OAuthGrant_unused'])
      expect(plans[0]).toContain(`"${index}"`);
    expect(plans[0]).not.toContain('Seq Scan');
    const left = await service.db.oAuthGrant.findMany({
      where: { OR: [{ id: { startsWith: 'ended' } }, { id: { startsWith: 'left' } }] },
      orderBy: { id: 'asc' },
      select: { id: true },
    });
    expect(left.map(({ id }) => id)).toEqual(['left-expired', 'left-revoked', 'left-unused']);
    expect(await service.db.oAuthGrant.count({ where: { id: { startsWith: 'living' } } })).toBe(20_000);
  });
});

const ADDRESS = 'https://client.atelier.example/oauth/client.json';
const DOCUMENT = {
  client_id: ADDRESS,
  client_name: 'Assistant publié',
  redirect_uris: ['http://127.0.0.1/retour'],
};

/** A fetcher that answers a document and counts how often it was asked. */
function published(document: unknown): { safeFetch: SafeFetch; reads: () => number; break(): void } {
  let reads = 0;
  let broken = false;
  return {
    reads: () => reads,
    break: () => {
      broken = true;
    },
    safeFetch: async () => {
      reads += 1;
      if (broken) throw new FetchRefusal('timeout');
      const bytes = new TextEncoder().encode(
        typeof document === 'string' ? document : JSON.stringify(document),
      );
      return { bytes, contentType: 'application/json', charset: undefined, finalUrl: ADDRESS };
    },
  };
}

describe('a client-id metadata document', () => {
  test('is read once an hour; while it cannot be read, the last copy serves for a day', async () => {
    const { ctx, clock } = anonymous();
    const site = published(DOCUMENT);
    const read = () =>
      readClientMetadata(ctx, { address: ADDRESS, network: '192.0.2.1', safeFetch: site.safeFetch });
    expect(await read()).toMatchObject({
      id: ADDRESS,
      name: 'Assistant publié',
      provenHost: 'client.atelier.example',
    });
    await read();
    expect(site.reads()).toBe(1);
    clock.advance(3_600_000);
    await read();
    expect(site.reads()).toBe(2);
    site.break();
    clock.advance(23 * 3_600_000);
    expect((await read()).name).toBe('Assistant publié');
    clock.advance(2 * 3_600_000);
    await expect(read()).rejects.toMatchObject({ code: 'invalid_client' });
  });

  test('of ChatGPT, which prefers a key and offers to do without one, is the one of a public client', async () => {
    const { ctx } = anonymous();
    const address = 'https://client.atelier.example/oauth/IbUR3zxyNQ16/client.json';
    const { safeFetch } = published({
      client_id: address,
      client_uri: 'https://client.atelier.example/',
      redirect_uris: ['https://client.atelier.example/connector/oauth/IbUR3zxyNQ16'],
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      client_name: 'ChatGPT',
      token_endpoint_auth_signing_alg: 'RS256',
      jwks_uri: 'https://client.atelier.example/oauth/jwks.json',
    });
    expect(await readClientMetadata(ctx, { address, network: '192.0.2.31', safeFetch })).toMatchObject({
      id: address,
      name: 'ChatGPT',
    });
  });

  test('holds as it was read last: an address that it names no more receives no answer', async () => {
    const { ctx, clock } = anonymous();
    const address = 'https://client.atelier.example/oauth/deplace.json';
    const read = (back: string) => {
      const { safeFetch } = published({ ...DOCUMENT, client_id: address, redirect_uris: [back] });
      return readClientMetadata(ctx, { address, network: '192.0.2.21', safeFetch });
    };
    await read('https://client.atelier.example/avant');
    clock.advance(3_600_000);
    const after = 'https://client.atelier.example/apres';
    expect((await read(after)).redirectUris).toEqual([after]);
    expect((await findClient(ctx, address, null))?.redirectUris).toEqual([after]);
  });

  test('is refused when it is not its own, holds a secret, is not public, or is no JSON object', async () => {
    const { ctx } = anonymous();
    let n = 0;
    for (const document of [
      { ...DOCUMENT, client_id: 'https://client.atelier.example/autre.json' },
      { ...DOCUMENT, client_secret: 'x' },
      { ...DOCUMENT, token_endpoint_auth_method: 'client_secret_basic' },
      { ...DOCUMENT, redirect_uris: [] },
      { ...DOCUMENT, redirect_uris: ['javascript:alert(1)'] },
      '<!doctype html>',
      'null',
      '[]',
    ]) {
      n += 1;
      const address = `https://client.atelier.example/refus/${n}.json`;
      const said =
        typeof document === 'object' && document.client_id === ADDRESS
          ? { ...document, client_id: address }
          : document;
      await expect(
        readClientMetadata(ctx, { address, network: '192.0.2.2', safeFetch: published(said).safeFetch }),
      ).rejects.toMatchObject({ code: 'invalid_client' });
      expect(await findClient(ctx, address, null)).toBeNull();
    }
  });

  test('is never read from an address that is not plain https, and at most 20 times a minute for one network', async () => {
    const { ctx } = anonymous();
    const site = published(DOCUMENT);
    for (const address of [
      'https://client.atelier.example',
      'https://client.atelier.example/',
      'https://client.atelier.example/a/../b.json',
      'https://client.atelier.example/c.json#x',
      'https://moi:secret@client.atelier.example/c.json',
      'HTTPS://client.atelier.example/c.json',
      `https://client.atelier.example/${'a'.repeat(500)}`,
    ])
      await expect(
        readClientMetadata(ctx, { address, network: '192.0.2.3', safeFetch: site.safeFetch }),
      ).rejects.toMatchObject({ code: 'invalid_client' });
    expect(site.reads()).toBe(0);
    site.break();
    const codes = [];
    for (let n = 0; n < 22; n += 1)
      codes.push(
        await readClientMetadata(ctx, {
          address: `https://client.atelier.example/${n}.json`,
          network: '192.0.2.4',
          safeFetch: site.safeFetch,
        }).catch((error) => error.code),
      );
    expect(codes.filter((code) => code === 'invalid_client')).toHaveLength(20);
    expect(codes.filter((code) => code === 'temporarily_unavailable')).toHaveLength(2);
    expect(site.reads()).toBe(20);
  });

  test('serves by its last copy of the day to a network that asked for too many others', async () => {
    const { ctx, clock } = anonymous();
    const address = 'https://client.atelier.example/copie.json';
    const site = published({ ...DOCUMENT, client_id: address });
    const other = published('null');
    const read = (of: string, { safeFetch }: typeof site) =>
      readClientMetadata(ctx, { address: of, network: '192.0.2.6', safeFetch });
    await read(address, site);
    clock.advance(3_600_000);
    for (let n = 0; n < 20; n += 1)
      await read(`https://client.atelier.example/autre-${n}.json`, other).catch(() => undefined);
    expect([other.reads(), await read(address, site)]).toMatchObject([20, { id: address }]);
    expect(site.reads()).toBe(1);
    await expect(read('https://client.atelier.example/autre-20.json', other)).rejects.toMatchObject({
      code: 'temporarily_unavailable',
    });
  });

  test('documents that strangers publish without end leave as bounded a table as registrations do', async () => {
    const { ctx } = anonymous();
    await service.pool.query(
      `INSERT INTO "OAuthClient" (id, name, "redirectUris", "createdAt", "fetchedAt")
       SELECT 'https://robot.exemple/' || i, 'Robot', ARRAY['https://robot.exemple'], m.read, m.read
       FROM generate_series(1, 2400) i, LATERAL (SELECT $1::timestamptz - (i || ' ms')::interval AS read) m`,
      [START],
    );
    // Each takes a bounded number of rows.
    for (let n = 0; n < 10; n += 1) {
      const address = `https://client.atelier.example/flot/${n}.json`;
      const { safeFetch } = published({ ...DOCUMENT, client_id: address });
      await readClientMetadata(ctx, { address, network: '192.0.2.7', safeFetch });
    }
    const unused = await service.db.oAuthClient.count({ where: { usedAt: null } });
    expect(unused).toBeLessThanOrEqual(MAX_UNUSED_CLIENTS);
  });

  test('on a private address, behind a redirect, or too large, it is a page for the person and nothing is asked of the machine', async () => {
    let asked = 0;
    const server = await startHttpsServer((request, response) => {
      asked += 1;
      if (request.url === '/ailleurs.json')
        return response.writeHead(302, { location: '/client.json' }).end();
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        request.url === '/gros.json'
          ? JSON.stringify({ ...DOCUMENT, x: 'x'.repeat(20_000) })
          : JSON.stringify(DOCUMENT),
      );
    });
    try {
      const { ctx } = anonymous();
      const host = `client.atelier.example:${server.port}`;
      const resolve = async () => [{ address: '127.0.0.1', family: 4 as const }];
      const ask = (path: string, trusted: boolean) =>
        checkAuthorization(ctx, {
          issuer: 'http://atelier.test',
          params: new URLSearchParams({
            response_type: 'code',
            client_id: `https://${host}${path}`,
            redirect_uri: 'http://127.0.0.1:9/retour',
            resource: 'http://atelier.test/api/mcp',
            code_challenge: pkce().challenge,
            code_challenge_method: 'S256',
          }),
          reader: {
            network: '192.0.2.5',
            safeFetch: (address, options) =>
              safeFetch(address, {
                ...options,
                resolve,
                ...(trusted ? { testTrust: { addresses: ['127.0.0.1'], ca: TEST_CA } } : {}),
              }),
          },
        });
      expect(await ask('/client.json', false)).toMatchObject({ kind: 'page', status: 400 });
      expect(asked).toBe(0);
      for (const path of ['/ailleurs.json', '/gros.json', '/client.json'])
        expect(await ask(path, true)).toMatchObject({ kind: 'page', status: 400 });
    } finally {
      await server.close();
    }
  });
});
