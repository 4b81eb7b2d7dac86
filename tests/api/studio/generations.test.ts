import { describe, expect, it } from 'vitest';
import * as relaunch from '#app/api/generations/[id]/relaunch/route.ts';
import * as one from '#app/api/generations/[id]/route.ts';
import * as journal from '#app/api/generations/route.ts';
import * as several from '#app/api/generations/variants/route.ts';
import { systemClock } from '#lib/core/clock.ts';
import { MEMBER_HEADER } from '#lib/http/security/member-header.ts';
import { setCaps } from '#lib/ledger/set-caps.ts';
import { journalQuery } from '#lib/studio/journal/list-generations.ts';
import { recordedProviders, TEST_CONFIG } from '#tests/factories/studio.ts';
import { call } from '#tests/setup/api.ts';
import { signedIn, useStudioApi } from '#tests/setup/studio-api.ts';

const service = useStudioApi();
const IMAGE = { kind: 'image', brief: 'Une bougie sur une table' };
const PATH = '/api/generations';
type Member = Awaited<ReturnType<typeof signedIn>>;

const post = (member: Member, body: unknown, headers: Record<string, string> = {}) =>
  member.call(journal.POST, { path: PATH, body, headers });
const get = (member: Member, id: string) => member.call(one.GET, { path: `${PATH}/${id}`, params: { id } });
const cursorAt = (at: string) => Buffer.from(`${at}|gen_${'0'.repeat(26)}`).toString('base64url');
const list = (member: Member, query = '') => member.call(journal.GET, { path: `${PATH}${query}` });

describe('POST /api/generations', () => {
  it('201: an image delivered, as GET shows it, at its address', async () => {
    const member = await signedIn(service);
    const { status, json, headers } = await post(member, IMAGE);
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`${PATH}/${json.id}`);
    expect(json).toMatchObject({ status: 'done', label: 'Terminé', charge: 'settled', kind: 'IMAGE' });
    expect((await get(member, json.id)).json).toEqual(json);
    expect(JSON.stringify(json)).not.toMatch(/secret|errorMessage|providerOperation/i);
  });

  it('403 from a page of an account that was left in another tab: no row, no line of the ledger; from one of this account it is delivered', async () => {
    const [member, left] = [await signedIn(service), await signedIn(service)];
    const memberId = member.member.id;
    const books = () =>
      Promise.all([
        service.db.wallet.findUniqueOrThrow({ where: { memberId } }),
        service.db.ledgerLine.count({ where: { memberId } }),
        service.db.generation.count({ where: { accountId: member.account.id } }),
      ]);
    const before = await books();
    const refused = await post(member, IMAGE, { [MEMBER_HEADER]: left.member.id });
    expect(refused).toMatchObject({
      status: 403,
      json: { error: { code: 'forbidden', detail: 'other-account' } },
    });
    expect(refused.json.error.message).toContain(`«\u00a0${member.account.name}\u00a0»`);
    expect(await books()).toEqual(before);
    expect((await post(member, IMAGE, { [MEMBER_HEADER]: memberId })).status).toBe(201);
  });

  it('202: a video runs; 200: the same key gives the same row', async () => {
    const member = await signedIn(service);
    const body = { kind: 'video', case: 'veo', brief: 'Une flamme', durationSeconds: 4 };
    const first = await post(member, body, { 'idempotency-key': 'k-1' });
    expect(first.status).toBe(202);
    expect(first.headers.get('retry-after')).toBe('2');
    expect(first.json).toMatchObject({
      status: 'running',
      pollUrl: `${PATH}/${first.json.id}`,
      heldUsd: expect.any(Number),
    });
    const again = await post(member, body, { 'idempotency-key': 'k-1' });
    expect(again).toMatchObject({ status: 200, json: { id: first.json.id } });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.headers.get('retry-after')).toBeNull();
    const other = await post(member, { ...body, brief: 'Autre' }, { 'idempotency-key': 'k-1' });
    expect(other).toMatchObject({ status: 409, json: { error: { code: 'idempotency_conflict' } } });
  });

  it('several of one request: 202 with when to read again while one runs, 201 without it', async () => {
    const member = await signedIn(service);
    const ask = (request: object, key: string) =>
      member.call(several.POST, {
        path: `${PATH}/variants`,
        body: { request, variants: 2 },
        headers: { 'idempotency-key': key },
      });
    const video = { kind: 'video', case: 'veo', brief: 'Une flamme', durationSeconds: 4 };
    const running = await ask(video, 'v-1');
    expect([running.status, running.headers.get('retry-after')]).toEqual([202, '2']);
    const again = await ask(video, 'v-1');
    expect([again.status, again.headers.get('retry-after')]).toEqual([200, null]);
    const delivered = await ask(IMAGE, 'v-2');
    expect([delivered.status, delivered.headers.get('retry-after')]).toEqual([201, null]);
  });

  it('a key whose generation failed answers what the first request did, told as replayed, and asks nobody again', async () => {
    const member = await signedIn(service);
    const providers = recordedProviders(systemClock, 'provider-error');
    let calls = 0;
    const image: typeof providers.image = {
      generate: (...asked) => {
        calls += 1;
        return providers.image.generate(...asked);
      },
    };
    service.ports({ providers: { ...providers, image } });
    const send = () => post(member, IMAGE, { 'idempotency-key': 'k-failed' });
    const first = await send();
    const again = await send();
    service.ports({});
    expect(first).toMatchObject({ status: 502, json: { error: { code: 'provider-failure' } } });
    expect(again.status).toBe(first.status);
    const wordsOf = ({ code, message, subject }: Record<string, unknown>) => ({ code, message, subject });
    expect(wordsOf(again.json.error)).toEqual(wordsOf(first.json.error));
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(calls).toBe(1);
  });

  it.each<[string, unknown, string]>([
    ['an unknown field', { ...IMAGE, surprise: 1 }, 'surprise'],
    ['no kind', { brief: 'x' }, 'kind'],
    ['an empty brief', { ...IMAGE, brief: '  ' }, 'brief'],
    ['a foreign product', { ...IMAGE, productId: 'lumen-bougies' }, 'productId'],
    ['a ratio that the model has not', { ...IMAGE, aspectRatio: '7:5' }, 'aspectRatio'],
    [
      'too many references',
      { ...IMAGE, references: Array(7).fill('https://cdn.shopify.com/a.png') },
      'references',
    ],
    [
      'six references and a start image',
      { ...IMAGE, references: Array(6).fill('https://cdn.shopify.com/a.png'), startImage: 'a' },
      'references',
    ],
    ['two start images', { kind: 'video', case: 'veo', brief: 'x', startImage: ['a', 'b'] }, 'startImage'],
    ['a duration', { kind: 'video', case: 'veo', brief: 'x', durationSeconds: 5 }, 'durationSeconds'],
    [
      'frames and references',
      { kind: 'video', case: 'veo', brief: 'x', startImage: 'a', characters: ['b'] },
      'frames-and-references',
    ],
    ['a clip that is missing', { kind: 'video', case: 'omni', brief: 'x' }, 'clip'],
    ['a character that is missing', { kind: 'lipsync', voiceGenerationId: 'gen_x' }, 'character'],
    ['an unknown template', { kind: 'render', template: 'none', size: '1x1', fields: {} }, 'template'],
  ])('400 invalid for %s, naming it', async (_, body, detail) => {
    const member = await signedIn(service);
    const { status, json } = await post(member, body);
    expect(status).toBe(400);
    expect(json.error).toMatchObject({ code: 'invalid', detail, problems: expect.any(Array) });
    expect((await list(member)).json.generations).toEqual([]);
  });

  it('an unknown template is refused under the name by which it was sent', async () => {
    const member = await signedIn(service);
    const { json } = await post(member, { kind: 'render', template: 'none', size: '1x1', fields: {} });
    expect(json.error.problems.map(({ field }: { field: string }) => field)).toEqual(['template']);
  });

  it('400 invalid names every field at fault, not the first alone', async () => {
    const member = await signedIn(service);
    const { status, json } = await post(member, { ...IMAGE, productId: 7, seed: 'x' });
    expect(status).toBe(400);
    const fields = json.error.problems.map(({ field }: { field: string }) => field);
    expect(fields.sort()).toEqual(['productId', 'seed']);
  });

  it.each([
    ['http://127.0.0.1/a.png'],
    ['https://0x7f000001/a.png'],
    ['https://evil.example/a.png'],
    ['https://other.private.blob.vercel-storage.com/products/x/a.png'],
    ['https://local.private.blob.vercel-storage.com/generations/gen_x/a.png'],
    ['https://local.private.blob.vercel-storage.com/libre/%2e%2e/products/a.png'],
  ])('422 reference-refused for %s, with no row', async (ref) => {
    const member = await signedIn(service);
    const { status, json } = await post(member, { ...IMAGE, startImage: ref });
    expect(status).toBe(422);
    expect(json.error).toMatchObject({ code: 'reference-refused', detail: 'host-not-allowed', subject: ref });
    expect((await list(member)).json.generations).toEqual([]);
  });

  it('422 reference-refused for an asset of another account', async () => {
    const member = await signedIn(service);
    const owner = await signedIn(service);
    await post(owner, IMAGE);
    const asset = await service.db.asset.findFirstOrThrow({ where: { accountId: owner.account.id } });
    const { json } = await post(member, { ...IMAGE, startImage: asset.id });
    expect(json.error).toMatchObject({ code: 'reference-refused', detail: 'not-found' });
    expect((await post(owner, { ...IMAGE, startImage: asset.id })).status).toBe(201);
  });

  it('422 voice-length and voice-unverified', async () => {
    const member = await signedIn(service);
    for (const text of ['a'.repeat(5_001), '  '])
      expect(await post(member, { kind: 'voice', text })).toMatchObject({
        status: 422,
        json: { error: { code: 'voice-length' } },
      });
    const unknown = await post(member, { kind: 'voice', text: 'Bonjour', voiceId: 'inconnue' });
    expect(unknown).toMatchObject({
      status: 422,
      json: {
        error: {
          code: 'voice-unverified',
          subject: 'inconnue',
          detail: 'not-found',
          problems: [{ field: 'voiceId', message: expect.stringContaining('choisissez-en une autre') }],
        },
      },
    });
  });

  it('402 balance and cap: the row exists and is shown cancelled', async () => {
    const poor = await signedIn(service, { creditMicros: 0n });
    const { status, json } = await post(poor, IMAGE);
    expect(status).toBe(402);
    expect(json.error).toMatchObject({ code: 'balance', subject: expect.stringMatching(/^gen_/) });
    expect((await get(poor, json.error.subject)).json).toMatchObject({
      status: 'cancelled',
      charge: 'none',
      code: 'balance',
    });
    const capped = await signedIn(service);
    await setCaps(capped.ctx, { memberId: capped.member.id, perGenerationCapMicros: 10n });
    const refused = await post(capped, IMAGE);
    expect(refused).toMatchObject({
      status: 402,
      json: {
        error: { code: 'cap', detail: 'per-generation', subject: expect.stringMatching(/^gen_/) },
      },
    });
    expect((await get(capped, refused.json.error.subject)).json).toMatchObject({
      status: 'cancelled',
      charge: 'none',
      code: 'cap',
      files: [],
    });
  });

  it('401 without a session, 403 without the permission or from another site, 405, 413, 415', async () => {
    expect(await call(journal.POST, { path: PATH, body: IMAGE })).toMatchObject({
      status: 401,
      json: { error: { code: 'unauthenticated' } },
    });
    expect((await call(journal.GET, { path: PATH })).status).toBe(401);
    const plain = await signedIn(service, { role: 'MEMBER', permissions: [], creditMicros: 0n });
    expect(await post(plain, IMAGE)).toMatchObject({
      status: 403,
      json: { error: { code: 'forbidden' } },
    });
    const member = await signedIn(service);
    expect((await post(member, IMAGE, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await member.call(journal.PUT, { path: PATH, body: {} })).status).toBe(405);
    expect((await post(member, { ...IMAGE, brief: 'x'.repeat(300_000) })).status).toBe(413);
    expect((await post(member, 'x', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post(member, '{', { 'content-type': 'application/json' })).json.error.code).toBe('invalid');
    expect((await post(member, IMAGE, { 'idempotency-key': 'deux mots' })).status).toBe(400);
  });

  it('502 provider-failure names the row, refunded; 503 not_configured makes none', async () => {
    const member = await signedIn(service);
    service.ports({ providers: recordedProviders(systemClock, 'provider-error') });
    const failed = await post(member, IMAGE);
    expect(failed).toMatchObject({ status: 502, json: { error: { code: 'provider-failure' } } });
    expect((await get(member, failed.json.error.subject)).json).toMatchObject({
      status: 'failed',
      charge: 'refunded',
    });
    expect((await list(member)).json.generations).toMatchObject([
      { status: 'failed', label: 'Échec', message: expect.stringContaining('n’a pas livré') },
    ]);
    service.ports({ config: { ...TEST_CONFIG, rendersConfigured: false } });
    const render = { kind: 'render', template: 'quote-card', size: '1080x1080', fields: {} };
    const absent = { status: 503, json: { error: { code: 'not_configured' } } };
    expect(await post(member, render)).toMatchObject(absent);
    service.ports({ store: null });
    expect(await post(member, IMAGE)).toMatchObject(absent);
    service.ports({});
    const rows = (await list(member)).json.generations.map((row: { id: string }) => row.id);
    expect(rows).toEqual([failed.json.error.subject]);
  });
});

describe('GET /api/generations', () => {
  it('filters by every word of the specification, and pages without repeating or hiding a row', async () => {
    const member = await signedIn(service);
    const ids: string[] = [];
    for (const brief of ['Été à Nice', 'Hiver', 'Été à Lyon'])
      ids.push((await post(member, { ...IMAGE, brief })).json.id);
    const vector = (await post(member, { kind: 'vector', brief: 'Une feuille' })).json.id;
    const found = async (query: string) =>
      (await list(member, query)).json.generations.map((row: { id: string }) => row.id);
    expect(await found('')).toEqual([vector, ...ids.toReversed()]);
    expect(await found('?kind=vector')).toEqual([vector]);
    expect(await found('?case=image-fast')).toEqual(ids.toReversed());
    expect(await found('?q=ete')).toEqual([ids[2], ids[0]]);
    expect(await found('?q=%25')).toEqual([]);
    expect(await found('?status=done')).toHaveLength(4);
    expect(await found('?status=failed')).toEqual([]);
    expect(await found('?status=no-callback')).toEqual([]);
    expect(await found('?productId=libre')).toHaveLength(4);
    expect(await found('?productId=autre')).toEqual([]);
    expect(await found(`?memberId=${member.member.id}`)).toHaveLength(4);
    expect(await found('?memberId=mem_autre')).toEqual([]);
    expect(await found('?to=2020-01-01')).toEqual([]);
    expect(await found('?from=2020-01-01T00:00:00Z')).toHaveLength(4);
    expect(await found('?from=2100-01-01')).toEqual([]);
    expect(await found('?productId=lumen-bougies')).toEqual([]);
    expect(await found('?memberId=mem_nobody')).toEqual([]);
    expect(await found('?limit=100')).toHaveLength(4);
    expect(await found('?limit=1')).toEqual([vector]);
    expect(journalQuery.parse({}).limit).toBe(50);
    const first = (await list(member, '?limit=3')).json;
    await post(member, IMAGE);
    const rest = (await list(member, `?limit=3&cursor=${first.nextCursor}`)).json;
    expect([...first.generations, ...rest.generations].map((row) => row.id)).toEqual([
      vector,
      ...ids.toReversed(),
    ]);
    expect(rest.nextCursor).toBeNull();
  });

  it.each([
    '?limit=0',
    '?limit=101',
    '?status=nope',
    '?cursor=abc',
    // Taken for none, it gave the first page again, for ever, to a program that sends « nextCursor ?? "" ».
    '?cursor=',
    '?unknown=1',
    '?from=hier',
    // Instants that PostgreSQL does not have, or writes in another way.
    '?from=0000-01-01',
    '?to=0001-01-01T00:30:00%2B01:00',
    '?to=9999-12-31',
    `?cursor=${cursorAt('-100000-01-01T00:00:00.000Z')}`,
    `?cursor=${cursorAt('0000-06-01T00:00:00.000Z')}`,
    '?limit=1&limit=2',
    '?memberId=%00',
  ])('400 for %s', async (query) => {
    const member = await signedIn(service);
    expect((await list(member, query)).status).toBe(400);
  });
});

describe('GET /api/generations/<id> and relaunch', () => {
  it('404 for a row that does not exist or is another account’s; 409 for a row that is not to be relaunched', async () => {
    const owner = await signedIn(service);
    const stranger = await signedIn(service);
    const { id } = (await post(owner, IMAGE)).json;
    expect((await get(stranger, id)).status).toBe(404);
    expect((await get(owner, 'gen_x')).status).toBe(404);
    const again = (member: Member) =>
      member.call(relaunch.POST, { path: `${PATH}/${id}/relaunch`, params: { id }, method: 'POST' });
    expect((await again(owner)).status).toBe(409);
    expect((await again(stranger)).status).toBe(404);
  });
});
