import { describe, expect, it } from 'vitest';
import * as accountExport from '#app/api/exports/[id]/route.ts';
import * as file from '#app/api/files/[...pathname]/route.ts';
import * as one from '#app/api/generations/[id]/route.ts';
import * as preview from '#app/api/generations/preview/route.ts';
import * as journal from '#app/api/generations/route.ts';
import * as upload from '#app/api/references/upload/route.ts';
import * as content from '#app/api/v1/files/[id]/content/route.ts';
import * as aFile from '#app/api/v1/files/[id]/route.ts';
import * as files from '#app/api/v1/files/route.ts';
import * as publicOne from '#app/api/v1/generations/[id]/route.ts';
import * as generations from '#app/api/v1/generations/route.ts';
import * as publicWallet from '#app/api/v1/wallet/route.ts';
import * as wallet from '#app/api/wallet/route.ts';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import type { Scope } from '#lib/core/actor.ts';
import { systemClock } from '#lib/core/clock.ts';
import { microsFromUsd } from '#lib/core/money.ts';
import { revokeKey } from '#lib/identity/keys/revoke-key.ts';
import { sweepGenerations } from '#lib/studio/sweep/sweep-generations.ts';
import { makeKey, makeMember, makeSpace, memberActor } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import { makeTokens } from '#tests/factories/oauth.ts';
import { recordedProviders } from '#tests/factories/studio.ts';
import { call } from '#tests/setup/api.ts';
import { useBlobStore } from '#tests/setup/storage/blob.ts';
import { signedIn, useStudioApi } from '#tests/setup/studio-api.ts';

const service = useStudioApi();
const blob = useBlobStore();
const IMAGE = { kind: 'image', brief: 'Une bougie sur une table' };
const VIDEO = { kind: 'video', case: 'veo', brief: 'Une flamme', durationSeconds: 4 };
const BOTH: Scope[] = ['studio:read', 'studio:generate'];
type Handler = Parameters<typeof call>[0];

let sent = 0;
/** Posts a generation by key, under a key of its own unless one is given. */
function post(
  token: string,
  body: unknown,
  idempotencyKey = `k-${++sent}`,
  handler: Handler = generations.POST,
) {
  return call(handler, {
    path: '/api/v1/generations',
    token,
    body,
    headers: { 'idempotency-key': idempotencyKey },
  });
}

const get = (token: string, handler: Handler, path: string, params: Record<string, string> = {}) =>
  call(handler, { path, token, params });

describe('a key with the Studio’s scopes', () => {
  it('asks for an image, waits, reads its bytes; the ledger’s lines, the wallet and the cap say the same amount', async () => {
    service.ports({ store: blob.store });
    const { member, account } = await signedIn(service);
    const { secret, key } = await makeKey(service, member, { scopes: BOTH, monthlyCapMicros: 3_000_000n });
    const made = await post(secret, IMAGE, 'one');
    service.ports({});
    expect(made.status).toBe(201);
    const { id } = made.json;
    const read = await get(secret, publicOne.GET, `/api/v1/generations/${id}`, { id });
    expect(read.json).toMatchObject({ status: 'done', charge: 'settled', memberId: member.id });
    expect((await post(secret, IMAGE, 'one')).headers.get('idempotent-replayed')).toBe('true');
    const unchanged = await call(publicOne.GET, {
      path: `/api/v1/generations/${id}`,
      token: secret,
      params: { id },
      headers: { 'if-none-match': read.headers.get('etag') ?? '' },
    });
    expect([unchanged.status, unchanged.text]).toEqual([304, '']);

    const { json: list } = await get(secret, files.GET, '/api/v1/files');
    expect(list.data).toMatchObject([{ object: 'file', generationId: id, type: 'IMAGE' }]);
    const { id: fileId, bytes, contentUrl } = list.data[0];
    expect((await get(secret, aFile.GET, `/api/v1/files/${fileId}`, { id: fileId })).json.bytes).toBe(bytes);
    const whole = await content.GET(
      new Request(`http://atelier.test${contentUrl}`, { headers: { authorization: `Bearer ${secret}` } }),
      { params: Promise.resolve({ id: fileId }) },
    );
    expect((await whole.arrayBuffer()).byteLength).toBe(bytes);
    const current = await content.GET(
      new Request(`http://atelier.test${contentUrl}`, {
        headers: { authorization: `Bearer ${secret}`, 'if-none-match': whole.headers.get('etag') ?? '' },
      }),
      { params: Promise.resolve({ id: fileId }) },
    );
    expect([whole.status, current.status]).toEqual([200, 304]);
    for (const { headers } of [whole, current]) {
      expect(headers.get('content-language')).toBeNull();
      expect(headers.get('request-id')).toMatch(/^req_/);
    }
    const pathname = new URL(read.json.files[0].url, 'http://atelier.test').pathname;
    const same = await file.GET(
      new Request(`http://atelier.test${pathname}`, { headers: { authorization: `Bearer ${secret}` } }),
      { params: Promise.resolve({ pathname: pathname.split('/').slice(3) }) },
    );
    expect(same.status).toBe(200);
    expect((await same.arrayBuffer()).byteLength).toBe(bytes);

    const lines = await service.db.ledgerLine.findMany({
      where: { generationId: id },
      orderBy: { position: 'asc' },
    });
    const cost = microsFromUsd(read.json.costUsd);
    expect(lines.map(({ kind, amountMicros, actor }) => [kind, amountMicros, actor])).toEqual([
      ['RESERVE', 0n, `key:${key.id}`],
      ['SETTLE', -cost, `key:${key.id}`],
    ]);
    for (const handler of [publicWallet.GET, wallet.GET])
      expect((await get(secret, handler, '/api/wallet')).json).toMatchObject({
        availableUsd: 100 - read.json.costUsd,
        credentialCapUsd: 3,
        credentialUsedUsd: read.json.costUsd,
      });
    for (const [handler, path] of [
      [generations.GET, '/api/v1/generations'],
      [files.GET, '/api/v1/files'],
      [publicWallet.GET, '/api/v1/wallet'],
    ] as const) {
      const etag = (await get(secret, handler, path)).headers.get('etag') ?? '';
      const same = await call(handler, { path, token: secret, headers: { 'if-none-match': etag } });
      expect([path, same.status, same.text]).toEqual([path, 304, '']);
    }
    // The queue is filtered by token as by session, at both addresses.
    for (const handler of [generations.GET, journal.GET])
      for (const [review, found] of [
        ['to-review', 1],
        ['approved', 0],
      ] as const) {
        const { json } = await get(secret, handler, `/api/v1/generations?review=${review}`);
        expect(json.data ?? json.generations, review).toHaveLength(found);
      }
    const month = await service.db.readMonth.findFirst({ where: { accountId: account.id } });
    expect(month?.used ?? 0).toBe(0);
    expect(await bookFaults(service)).toEqual([]);
  });

  it('needs no cookie and no origin on the cockpit’s own addresses; a cookie keeps its same-origin rule, a token without the scope opens nothing', async () => {
    const signed = await signedIn(service);
    const { secret } = await makeKey(service, signed.member, { scopes: BOTH });
    const foreign = { origin: 'https://ailleurs.exemple', 'sec-fetch-site': 'cross-site' };
    const body = IMAGE;
    const byKey = await call(journal.POST, {
      path: '/api/generations',
      token: secret,
      body,
      headers: foreign,
    });
    expect(byKey.status).toBe(201);
    const byCookie = await signed.call(journal.POST, { path: '/api/generations', body, headers: foreign });
    expect([byCookie.status, byCookie.json.error.code]).toEqual([403, 'forbidden']);
    // The token is judged where there is one, whoever's cookie goes along.
    const wrong = `atl_${'0'.repeat(64)}`;
    const mixed = await signed.call(journal.GET, {
      path: '/api/generations',
      headers: { authorization: `Bearer ${wrong}` },
    });
    expect([mixed.status, mixed.json.error.code]).toEqual([401, 'invalid_api_key']);
    for (const scopes of [['brain:read', 'brain:write', 'projects:read'], ['studio:read']] as Scope[][]) {
      const { secret: poor } = await makeKey(service, signed.member, { scopes });
      for (const handler of [journal.POST, generations.POST]) {
        const refused = await post(poor, IMAGE, undefined, handler);
        expect([refused.status, refused.json.error.code]).toEqual([403, 'insufficient_scope']);
        expect(refused.headers.get('www-authenticate')).toContain('scope="studio:generate"');
        // Counted as any other, and says what is left.
        expect(refused.headers.get('ratelimit')).toMatch(/^"requests";r=1\d\d;t=/);
      }
      const reads = await get(poor, journal.GET, '/api/generations');
      expect(reads.status).toBe(scopes.includes('studio:read') ? 200 : 403);
    }
    // No scope says « everything »: an export of the account asks for a session, whatever the token.
    const everything = await get(secret, accountExport.GET, '/api/exports/exp_x', { id: 'exp_x' });
    expect(everything.status).toBe(401);
    const priced = await call(preview.POST, { path: '/api/generations/preview', token: secret, body: IMAGE });
    expect(priced.json).toMatchObject({ heldUsd: expect.any(Number), refusal: null });
  });

  it('missing, 401 says how it is shown and the scope that it takes; an Authorization that is written otherwise is told as that, not to who carries a cookie', async () => {
    const { member } = await signedIn(service);
    const { secret } = await makeKey(service, member, { scopes: BOTH });
    const ask = async (headers: Record<string, string>) => {
      const refused = await call(journal.POST, { path: '/api/generations', body: IMAGE, headers });
      expect([refused.status, refused.json.error.code]).toEqual([401, 'unauthenticated']);
      expect(refused.headers.get('www-authenticate')).toMatch(
        /^Bearer resource_metadata="[^"]+\/api\/v1", scope="studio:generate"$/,
      );
      return refused.json.error.message as string;
    };
    const signIn = 'Connectez-vous pour continuer.';
    expect(await ask({})).toBe(signIn);
    expect(await ask({ authorization: secret })).toMatch(/^L’en-tête Authorization n’est pas lu/);
    expect(await ask({ authorization: 'Basic eA==', cookie: 'atelier=x.y.z' })).toBe(signIn);
    const bare = { path: '/api/v1/wallet', headers: { authorization: secret } };
    const refused = await call(publicWallet.GET, bare);
    expect([refused.status, refused.json.error.code]).toEqual([401, 'invalid_api_key']);
    expect(refused.json.error.message).toContain('Bearer');
    // What no key opens invites to show none.
    const session = await call(accountExport.GET, { path: '/api/exports/exp_x', params: { id: 'exp_x' } });
    expect([session.status, session.headers.get('www-authenticate')]).toEqual([401, null]);
  });

  it('asks for a direct upload: a body that is none is told as that, not as a signature that lacks', async () => {
    const { member } = await signedIn(service);
    const { secret } = await makeKey(service, member, { scopes: BOTH });
    for (const body of [{ type: 'autre' }, '{']) {
      const refused = await call(upload.POST, { path: '/api/references/upload', token: secret, body });
      expect([refused.status, refused.json.error.code]).toEqual([400, 'invalid']);
    }
  });

  it('is refused as its member would be: without the right, without credit, in a closed account; 400 names a missing Idempotency-Key', async () => {
    const signed = await signedIn(service, { creditMicros: 0n });
    const { secret } = await makeKey(service, signed.member, { scopes: BOTH });
    const empty = await post(secret, IMAGE);
    expect([empty.status, empty.json.error.code]).toEqual([402, 'balance']);
    const without = await call(generations.POST, { path: '/api/v1/generations', token: secret, body: IMAGE });
    expect([without.status, without.json.error.problems[0].field]).toEqual([400, 'idempotency-key']);
    expect(without.json.error.problems[0].message).toContain('Idempotency-Key');
    const plain = await makeMember(service, signed.account.id, { role: 'MEMBER', permissions: [] });
    const { secret: powerless } = await makeKey(service, plain, { scopes: BOTH });
    for (const answer of [
      await post(powerless, IMAGE),
      await get(powerless, generations.GET, '/api/v1/generations'),
    ])
      expect([answer.status, answer.json.error.code]).toEqual([403, 'forbidden']);
    await service.db.account.update({ where: { id: signed.account.id }, data: { closedAt: new Date() } });
    const closed = await post(secret, IMAGE);
    expect([closed.status, closed.json.error.code]).toEqual([403, 'account_closed']);
    expect((await get(secret, generations.GET, '/api/v1/generations')).status).toBe(200);
  });

  it('never passes its cap however many requests come at once; another key, and the session, of the same member still work', async () => {
    const signed = await signedIn(service);
    const { heldUsd } = (await signed.call(preview.POST, { path: '/api/generations/preview', body: IMAGE }))
      .json;
    const held = microsFromUsd(heldUsd);
    const { secret } = await makeKey(service, signed.member, { scopes: BOTH, monthlyCapMicros: held * 3n });
    const other = await makeKey(service, signed.member, { scopes: BOTH });
    const answers = await Promise.all(Array.from({ length: 12 }, () => post(secret, IMAGE)));
    const made = answers.filter(({ status }) => status === 201);
    expect(made.length).toBeGreaterThanOrEqual(3);
    for (const { status, json } of answers.filter((one) => one.status !== 201))
      expect([status, json.error.code, json.error.detail]).toEqual([402, 'cap', 'credential']);
    const { credentialUsedUsd } = (await get(secret, publicWallet.GET, '/api/v1/wallet')).json;
    expect(microsFromUsd(credentialUsedUsd)).toBeLessThanOrEqual(held * 3n);
    expect((await post(other.secret, IMAGE)).status).toBe(201);
    expect((await signed.call(journal.POST, { path: '/api/generations', body: IMAGE })).status).toBe(201);
    expect(await bookFaults(service)).toEqual([]);
  });

  it('revoked while its video runs: refused from the next request, and the refund still arrives', async () => {
    const signed = await signedIn(service);
    const { secret, key } = await makeKey(service, signed.member, { scopes: BOTH });
    // Not ready when the sweep looks, however long the process is held before.
    service.ports({ providers: recordedProviders(systemClock, 'success', { readyAfterMs: 3_600_000 }) });
    const running = await post(secret, VIDEO);
    expect(running.status).toBe(202);
    expect(running.headers.get('retry-after')).toBe('2');
    await revokeKey(signed.ctx, { accountId: signed.account.id, keyId: key.id });
    const refused = await get(secret, publicOne.GET, '/api/v1/generations/x', { id: running.json.id });
    expect([refused.status, refused.json.error.code]).toEqual([401, 'invalid_api_key']);
    await service.db.generation.update({
      where: { id: running.json.id },
      data: { deadlineAt: new Date(Date.now() - 1_000), dueAt: new Date(Date.now() - 1_000) },
    });
    const shared = globalThis as { atelierStudio?: never };
    const system = testContext(service, { type: 'system', job: 'generations-sweep' } as const);
    await sweepGenerations({ ...system, studio: shared.atelierStudio as never });
    service.ports({});
    const read = await signed.call(one.GET, { path: '/x', params: { id: running.json.id } });
    expect(read.json).toMatchObject({ status: 'failed', charge: 'refunded' });
    expect((await signed.call(wallet.GET, { path: '/api/wallet' })).json).toMatchObject({
      heldUsd: 0,
      availableUsd: 100,
    });
    expect(await bookFaults(service)).toEqual([]);
  });

  it('sees nothing of another account, and lists its own page by page, each once', async () => {
    const signed = await signedIn(service);
    const stranger = await signedIn(service);
    const { secret } = await makeKey(service, signed.member, { scopes: BOTH });
    const { secret: strange } = await makeKey(service, stranger.member, { scopes: BOTH });
    for (let index = 0; index < 3; index += 1) await post(secret, { ...IMAGE, brief: `Bougie ${index}` });
    const { data } = (await get(secret, files.GET, '/api/v1/files')).json;
    const params = { id: data[0].id };
    for (const handler of [aFile.GET, content.GET])
      expect((await get(strange, handler, `/api/v1/files/${params.id}`, params)).json.error.code).toBe(
        'not_found',
      );
    expect((await get(strange, files.GET, '/api/v1/files')).json.data).toEqual([]);
    for (const [handler, path] of [
      [files.GET, '/api/v1/files'],
      [generations.GET, '/api/v1/generations'],
    ] as const) {
      const seen: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const query: string = cursor ? `?limit=1&cursor=${cursor}` : '?limit=1';
        const page = (await get(secret, handler, path + query)).json;
        seen.push(...page.data.map(({ id }: { id: string }) => id));
        cursor = page.nextCursor;
      }
      expect(new Set(seen).size).toBe(3);
      expect(seen).toHaveLength(3);
      const prefix = path.endsWith('files') ? 'ast' : 'gen';
      const before = Buffer.from(`-100000-01-01T00:00:00.000Z|${prefix}_${'0'.repeat(26)}`).toString(
        'base64url',
      );
      for (const none of ['nowhere', before])
        expect((await get(secret, handler, `${path}?cursor=${none}`)).json.error.code).toBe('invalid');
    }
  });
});

it('a key that may not read the Brain joins no Space’s context to a prompt, nor sees it in a preview', async () => {
  const signed = await signedIn(service, { capacityCu: 1_000 });
  const space = await makeSpace(service, signed.account.id);
  const body = { ...IMAGE, spaceId: space.id };
  const { secret: blind } = await makeKey(service, signed.member, { scopes: BOTH });
  const { secret } = await makeKey(service, signed.member, { scopes: [...BOTH, 'brain:read'] });
  expect((await post(blind, body)).json.error.code).toBe('insufficient_scope');
  const shown = await call(preview.POST, { path: '/api/generations/preview', token: blind, body });
  expect(shown.json).toMatchObject({ refused: { code: 'insufficient_scope' } });
  const used = async () =>
    (await service.db.readMonth.findFirst({ where: { accountId: signed.account.id } }))?.used ?? 0;
  expect(await used()).toBe(0);
  expect((await post(secret, body)).status).toBe(201);
  // The one thing here that costs a read of the Brain's quota.
  expect(await used()).toBe(1);
});

it('a key that may not read the Brain is shown neither the Space of what others asked nor the prompt that quotes it; one that may is', async () => {
  const signed = await signedIn(service, { capacityCu: 1_000 });
  const space = await makeSpace(service, signed.account.id);
  await addMemory(testContext(service, memberActor(signed.member)), {
    spaceId: space.id,
    pillar: 'KNOWLEDGE',
    title: 'Figuier',
    body: 'Il vient du Gers.',
    parentId: null,
    source: 'MANUAL',
    idempotencyKey: null,
  });
  const { secret: reader } = await makeKey(service, signed.member, { scopes: [...BOTH, 'brain:read'] });
  const { secret: blind } = await makeKey(service, signed.member, { scopes: ['studio:read'] });
  const { id } = (await post(reader, { ...IMAGE, spaceId: space.id })).json;
  const plain = (await post(reader, IMAGE)).json;
  const shown = async (token: string): Promise<Record<string, unknown>[]> => {
    const rows: { id: string; params: Record<string, unknown> }[] = [
      (await get(token, publicOne.GET, `/api/v1/generations/${id}`, { id })).json,
      (await get(token, one.GET, `/api/generations/${id}`, { id })).json,
      ...(await get(token, generations.GET, '/api/v1/generations')).json.data,
      ...(await get(token, journal.GET, '/api/generations')).json.generations,
    ];
    return rows.filter((row) => row.id === id).map(({ params }) => params);
  };
  for (const params of await shown(reader)) {
    expect(params).toMatchObject({ brief: IMAGE.brief, spaceId: space.id });
    expect(params.prompt).toContain('Il vient du Gers.');
  }
  const seen = await shown(blind);
  expect(seen).toHaveLength(4);
  for (const params of seen) {
    expect([params.brief, params.prompt, params.spaceId]).toEqual([IMAGE.brief, undefined, undefined]);
    expect(JSON.stringify(params)).not.toMatch(/Gers|Figuier/);
  }
  // What quotes no Space is shown whole.
  const own = await get(blind, publicOne.GET, `/api/v1/generations/${plain.id}`, { id: plain.id });
  expect(own.json.params.prompt).toContain(IMAGE.brief);
});

describe('an application with the Studio’s scopes', () => {
  it('spends under its own cap at the API’s resource; a token of the assistant’s resource opens none of it', async () => {
    const signed = await signedIn(service);
    const scopes = ['studio:read', 'studio:generate'] as const;
    const api = await makeTokens(service, signed.member, { scopes: [...scopes], resource: '/api/v1' });
    const mcp = await makeTokens(service, signed.member, { scopes: [...scopes], resource: '/api/mcp' });
    const made = await post(api.tokens.access_token, IMAGE);
    expect(made.status).toBe(201);
    const own = (await get(api.tokens.access_token, publicWallet.GET, '/api/v1/wallet')).json;
    expect([own.credentialCapUsd, own.credentialUsedUsd]).toEqual([5, made.json.costUsd]);
    for (const handler of [generations.GET, journal.GET])
      expect((await get(mcp.tokens.access_token, handler, '/api/generations')).status).toBe(401);
  });
});

// A provider that fails asks for nothing more of the cap than it asked of the wallet.
it('a generation that its provider refuses gives its whole reserve back to the cap', async () => {
  const signed = await signedIn(service);
  const { secret } = await makeKey(service, signed.member, { scopes: BOTH });
  service.ports({ providers: recordedProviders(systemClock, 'provider-error') });
  expect((await post(secret, IMAGE)).status).toBe(502);
  service.ports({});
  expect((await get(secret, publicWallet.GET, '/api/v1/wallet')).json.credentialUsedUsd).toBe(0);
});

it('asks for a file to be saved by `download=1` alone: any other value is refused by name, at both addresses', async () => {
  const { member } = await signedIn(service);
  const { secret } = await makeKey(service, member, { scopes: ['studio:read'] });
  const [id, pathname] = [`ast_${'0'.repeat(26)}`, 'generations/gen_none/image-1.png'];
  const addresses = [
    [content.GET, `/api/v1/files/${id}/content`, { id }],
    [file.GET, `/api/files/${pathname}`, {}],
  ] as const;
  for (const [handler, path, params] of addresses) {
    for (const value of ['true', '0', 'oui', '']) {
      const refused = (await get(secret, handler, `${path}?download=${value}`, params)).json.error;
      expect([refused.code, refused.detail], `${path} ${value}`).toEqual(['invalid', 'download']);
      expect(refused.problems[0].message).toContain('La seule valeur est 1');
    }
    // What is right is judged next.
    expect((await get(secret, handler, `${path}?download=1`, params)).json.error.code).toBe('not_found');
  }
});
