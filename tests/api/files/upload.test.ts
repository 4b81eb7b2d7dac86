import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import * as client from '@vercel/blob/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { POST } from '#app/api/references/upload/route.ts';
import { formatOfContentType } from '#lib/storage/media/media-types.ts';
import { referenceFolder } from '#lib/storage/pathnames.ts';
import { confirmReferenceUpload } from '#lib/storage/uploads/confirm-reference-upload.ts';
import { setStorageQuota } from '#lib/storage/uploads/set-storage-quota.ts';
import { uploadImage } from '#lib/storage/uploads/upload-image.ts';
import { makeAccount, makeMember } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { ORIGIN, useApi } from '#tests/setup/api.ts';
import { listenHere } from '#tests/setup/http/listen-here.ts';
import { sessionCookie, useBlobStore } from '#tests/setup/storage/blob.ts';
import { until } from '#tests/setup/until.ts';

const service = useApi();
const blob = useBlobStore();
const media = (name: string) =>
  readFileSync(new URL(`../../fixtures/media/${name}`, import.meta.url)) as Buffer<ArrayBuffer>;
const CLIP = media('clip.mp4');
const PNG = readFileSync(new URL('../../../lib/providers/gateway/recorded/scene-still.png', import.meta.url));

let mine: Awaited<ReturnType<typeof makeAccount>>;
let cookie = '';
let app: Server;
let origin = '';

beforeAll(async () => {
  mine = await makeAccount(service);
  cookie = await sessionCookie(service, mine.member);
  // The application as the store's callback reaches it: over HTTP.
  app = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', async () => {
      const headers = new Headers(request.headers as Record<string, string>);
      const answer = await POST(
        new Request(origin + request.url, { method: 'POST', headers, body: Buffer.concat(chunks) }),
      );
      response.writeHead(answer.status).end(await answer.text());
    });
  });
  await listenHere(app);
  origin = `http://127.0.0.1:${(app.address() as { port: number }).port}`;
});
afterAll(() => void app.close());

const folder = () => referenceFolder(mine.account.id, 'libre');
const ctx = () => ({ ...testContext(service, mine.actor), files: blob.ports });
const rows = (pathname: string) => service.db.upload.findMany({ where: { pathname } });
const audits = (pathname: string) =>
  service.db.auditEntry.findMany({
    where: { action: 'reference.uploaded', data: { path: ['pathname'], equals: pathname } },
  });

async function post(body: unknown, headers: Record<string, string> = {}) {
  const response = await POST(
    new Request(`${ORIGIN}/api/references/upload`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  );
  return {
    status: response.status,
    json: await response.json(),
    retryAfter: response.headers.get('retry-after'),
  };
}

const tokenRequest = (pathname: string, productId = 'libre') => ({
  type: 'blob.generate-client-token',
  payload: { pathname, clientPayload: JSON.stringify({ productId }), multipart: false },
});

/** Sends a file as the browser's SDK does: token from us, bytes to the store. */
async function send(name: string, bytes: Buffer<ArrayBuffer>, contentType: string) {
  return client.upload(folder() + name, new Blob([bytes]), {
    access: 'private',
    handleUploadUrl: `${origin}/api/references/upload`,
    clientPayload: JSON.stringify({ productId: 'libre' }),
    contentType,
    headers: { cookie },
  });
}

describe('a direct upload', () => {
  it('is told by the store’s signed callback, measured, recorded once; the confirmation adds nothing', async () => {
    const sent = await send('rush.mp4', CLIP, 'video/mp4');
    expect(sent.pathname).toMatch(new RegExp(`^${folder()}rush-[0-9a-f]+\\.mp4$`));
    await until('the store’s callback', async () => (await rows(sent.pathname)).length === 1);
    const confirmed = await confirmReferenceUpload(ctx(), { productId: 'libre', url: sent.url });
    const [row] = await rows(sent.pathname);
    expect(row).toMatchObject({
      id: confirmed.id,
      accountId: mine.account.id,
      memberId: mine.member.id,
      kind: 'RUSH',
      via: 'client',
      contentType: 'video/mp4',
      bytes: BigInt(CLIP.byteLength),
    });
    expect(row?.durationMs).toBeGreaterThan(100);
    const [entry, ...others] = await audits(sent.pathname);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      accountId: mine.account.id,
      actor: `member:${mine.member.id}`,
      data: { via: 'client', durationMs: row?.durationMs, bytes: CLIP.byteLength },
    });
  });

  it('is recorded by the confirmation when the callback never comes, once however many confirm', async () => {
    const pathname = `${folder()}piste-01.mp3`;
    const stored = await blob.store.put(pathname, media('track.mp3'), { contentType: 'audio/mpeg' });
    const confirmed = await Promise.all(
      Array.from({ length: 8 }, () => confirmReferenceUpload(ctx(), { productId: 'libre', url: stored.url })),
    );
    expect(new Set(confirmed.map((upload) => upload.id)).size).toBe(1);
    expect(confirmed[0]).toMatchObject({ via: 'confirm', kind: 'TRACK' });
    expect(await audits(pathname)).toHaveLength(1);
  });

  it('accepts the cloud’s form of the address for the same file', async () => {
    const pathname = `${folder()}cloud.wav`;
    await blob.store.put(pathname, media('track.wav'), { contentType: 'audio/wav' });
    const url = `https://${blob.server.storeId}.private.blob.vercel-storage.com/${pathname}`;
    expect(await confirmReferenceUpload(ctx(), { productId: 'libre', url })).toMatchObject({ pathname });
  });

  it('of a file that is not what it claims is deleted and refused, and nothing is recorded', async () => {
    const lies: [string, Buffer<ArrayBuffer>, string, string][] = [
      ['page.mp4', Buffer.from('<script>alert(1)</script>'), 'video/mp4', 'type-not-accepted'],
      ['image.mp4', Buffer.from(PNG), 'video/mp4', 'type-not-accepted'],
      ['film.mp3', CLIP, 'audio/mpeg', 'type-mismatch'],
      ['coupe.mp4', CLIP.subarray(0, CLIP.byteLength / 2), 'video/mp4', 'clip-unreadable'],
      [
        'double.mp4',
        Buffer.concat([CLIP, Buffer.from('PK\u0003\u0004<html><script>')]),
        'video/mp4',
        'clip-unreadable|hidden-content',
      ],
    ];
    for (const [name, bytes, contentType, detail] of lies) {
      const pathname = folder() + name;
      const stored = await blob.store.put(pathname, bytes, { contentType });
      const error = await confirmReferenceUpload(ctx(), { productId: 'libre', url: stored.url }).catch(
        (thrown) => thrown,
      );
      expect(error, name).toMatchObject({ code: 'reference-refused', status: 422 });
      expect(detail.split('|'), name).toContain(error.options.detail);
      expect(await blob.store.head(pathname), name).toBeNull();
      expect(await rows(pathname), name).toEqual([]);
    }
  });

  it('may not be confirmed for another account, another product, or from another place', async () => {
    const stored = await blob.store.put(`${folder()}a.mp4`, CLIP, { contentType: 'video/mp4' });
    const stranger = await makeAccount(service);
    const strange = { ...testContext(service, stranger.actor), files: blob.ports };
    const refused = (url: string, as = ctx(), productId = 'libre') =>
      expect(confirmReferenceUpload(as, { productId, url }), url).rejects.toMatchObject({ code: 'invalid' });
    await refused(stored.url, strange as never);
    await refused(stored.url, ctx(), 'lumen-bougies');
    const base = stored.url.slice(0, stored.url.indexOf('references/'));
    for (const path of [
      `references/libre/${mine.account.id}/../../libre/x/a.mp4`,
      `references/libre/${mine.account.id}%2Fa.mp4`,
      `references/libre/${mine.account.id}/%2e%2e/a.mp4`,
      `generations/gen_x/a.mp4`,
      `references/libre/${mine.account.id}/absent.mp4`,
      '',
    ])
      await refused(base + path);
    await refused(`https://exemple.test/${folder()}a.mp4`);
    await refused(`https://autre.private.blob.vercel-storage.com/${folder()}a.mp4`);
    await refused('pas une adresse');
    expect(await blob.store.head(`${folder()}a.mp4`)).not.toBeNull();
  });

  it('needs the permission to generate', async () => {
    const reader = await makeMember(service, mine.account.id, { role: 'MEMBER', permissions: [] });
    const readerCookie = await sessionCookie(service, reader);
    const answer = await post(tokenRequest(`${folder()}a.mp4`), { cookie: readerCookie });
    expect(answer.status).toBe(403);
  });
});

describe('POST /api/references/upload, a token request', () => {
  it('200: a token that holds for its path, 50 MB, six types and 15 minutes', async () => {
    const answer = await post(tokenRequest(`${folder()}a.mov`), { cookie });
    expect(answer.status).toBe(200);
    const payload = client.getPayloadFromClientToken(answer.json.clientToken);
    expect(payload).toMatchObject({ pathname: `${folder()}a.mov`, maximumSizeInBytes: 50 * 1024 * 1024 });
    expect(payload.allowedContentTypes).not.toContain('image/png');
    expect(new Set(payload.allowedContentTypes?.map(formatOfContentType))).toEqual(
      new Set(['mp4', 'mov', 'webm', 'mp3', 'wav', 'm4a']),
    );
    const minutes = ((payload.validUntil ?? 0) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(14.5);
    expect(minutes).toBeLessThanOrEqual(15);
  });

  it('409 storage-full before any byte is sent, 429 when too many files are on their way; a token lets in what was declared', async () => {
    const { account, member } = await makeAccount(service);
    const headers = { cookie: await sessionCookie(service, member) };
    const ask = (bytes: number) => {
      const pathname = `${referenceFolder(account.id, 'libre')}b.mp4`;
      const asked = tokenRequest(pathname);
      asked.payload.clientPayload = JSON.stringify({ productId: 'libre', bytes });
      return post(asked, headers);
    };
    await setStorageQuota(
      { ...ctx(), actor: { type: 'admin' } },
      { accountId: account.id, bytes: 3_000_000n },
    );
    const granted = await ask(2_000_000);
    expect(client.getPayloadFromClientToken(granted.json.clientToken).maximumSizeInBytes).toBe(2_000_000);
    const refused = await ask(2_000_000);
    expect([refused.status, refused.json.error.code, refused.json.error.detail]).toEqual([
      409,
      'conflict',
      'storage-full',
    ]);
    const statuses = [];
    for (let n = 0; n < 10; n += 1) statuses.push((await ask(1)).status);
    expect(statuses).toEqual([...Array.from({ length: 9 }, () => 200), 429]);
    expect((await ask(60 * 1024 * 1024)).status).toBe(400);
  });

  it('401 without a session, 403 from another site', async () => {
    expect((await post(tokenRequest(`${folder()}a.mp4`))).status).toBe(401);
    const foreign = await post(tokenRequest(`${folder()}a.mp4`), { cookie, origin: 'https://mal.example' });
    expect(foreign.status).toBe(403);
  });

  it.each([
    ['another account’s folder', 'references/libre/acc_autre/a.mp4'],
    ['another top folder', 'generations/gen_x/a.mp4'],
    ['a deeper folder', 'FOLDER/sous/a.mp4'],
    ['a dot segment', 'FOLDER/../a.mp4'],
    ['a type that is no clip', 'FOLDER/a.html'],
    ['two extensions', 'FOLDER/a.mp4.html'],
    ['an encoded slash', 'FOLDER/a%2Fb.mp4'],
    ['no name', 'FOLDER/'],
  ])('400 for %s', async (_, pathname) => {
    const answer = await post(tokenRequest(pathname.replace('FOLDER/', folder())), { cookie });
    expect([answer.status, answer.json.error.code]).toEqual([400, 'invalid']);
  });

  it('400 for a product of another account or unreadable client payload', async () => {
    expect((await post(tokenRequest(`${folder()}a.mp4`, 'lumen-bougies'), { cookie })).status).toBe(400);
    const body = tokenRequest(`${folder()}a.mp4`);
    body.payload.clientPayload = '{';
    expect((await post(body, { cookie })).status).toBe(400);
  });
});

describe('POST /api/references/upload, a completion callback', () => {
  const callback = (pathname: string, owner: object = {}) => ({
    type: 'blob.upload-completed',
    payload: {
      blob: { pathname, url: `https://x/${pathname}`, contentType: 'video/mp4', etag: 'e' },
      tokenPayload: JSON.stringify({
        accountId: mine.account.id,
        memberId: mine.member.id,
        productId: 'libre',
        ...owner,
      }),
    },
  });
  const signed = (body: unknown, secret = blob.server.token) => ({
    'x-vercel-signature': createHmac('sha256', secret).update(JSON.stringify(body)).digest('hex'),
  });

  it('200: records once; a replay, however often, records nothing twice', async () => {
    const pathname = `${folder()}rejoue.mp4`;
    await blob.store.put(pathname, CLIP, { contentType: 'video/mp4' });
    const body = callback(pathname);
    for (let n = 0; n < 3; n += 1) expect((await post(body, signed(body))).status).toBe(200);
    await Promise.all(Array.from({ length: 5 }, () => post(body, signed(body))));
    expect(await rows(pathname)).toHaveLength(1);
    expect(await audits(pathname)).toHaveLength(1);
  });

  it('200 « refused »: a lying file is deleted and the store need not call again', async () => {
    const pathname = `${folder()}menteur.mp4`;
    await blob.store.put(pathname, Buffer.from('rien'), { contentType: 'video/mp4' });
    const body = callback(pathname);
    const answer = await post(body, signed(body));
    expect([answer.status, answer.json.response]).toEqual([200, 'refused']);
    expect(await blob.store.head(pathname)).toBeNull();
    expect(await rows(pathname)).toEqual([]);
  });

  it('200 « refused »: of a file that comes once its member lost the right to send it, nothing is kept, and a colleague’s is recorded', async () => {
    const sends = { role: 'MEMBER', permissions: ['generate'] } as const;
    const [removed, reduced, colleague] = await Promise.all([
      makeMember(service, mine.account.id, { ...sends, permissions: [...sends.permissions] }),
      makeMember(service, mine.account.id, { ...sends, permissions: [...sends.permissions] }),
      makeMember(service, mine.account.id, { ...sends, permissions: [...sends.permissions] }),
    ]);
    const send = async (name: string, member: { id: string }) => {
      const pathname = `${folder()}${name}.mp4`;
      await blob.store.put(pathname, CLIP, { contentType: 'video/mp4' });
      const body = callback(pathname, { memberId: member.id });
      const answer = await post(body, signed(body));
      const isStored = (await blob.store.head(pathname)) !== null;
      return [answer.status, answer.json.response, isStored, (await rows(pathname)).length];
    };
    // Recorded while it had the right: the store may call again, and nothing is taken back.
    expect(await send('avant', removed)).toEqual([200, 'ok', true, 1]);
    await service.db.member.update({ where: { id: removed.id }, data: { status: 'SUSPENDED' } });
    await service.db.member.update({ where: { id: reduced.id }, data: { permissions: [] } });
    expect(await send('avant', removed)).toEqual([200, 'ok', true, 1]);
    expect(await send('suspendu', removed)).toEqual([200, 'refused', false, 0]);
    expect(await send('sans-droit', reduced)).toEqual([200, 'refused', false, 0]);
    expect(await send('collegue', colleague)).toEqual([200, 'ok', true, 1]);
    const closed = (closedAt: Date | null) =>
      service.db.account.update({ where: { id: mine.account.id }, data: { closedAt } });
    await closed(new Date());
    const late = await send('ferme', colleague).finally(() => closed(null));
    expect(late).toEqual([200, 'refused', false, 0]);
  });

  it('200 « refused »: of a file for which the account has no room, nothing is kept, and the store does not call again', async () => {
    const ctx = testContext(service, { type: 'admin' } as const);
    const setRoom = (bytes: bigint | null) => setStorageQuota(ctx, { accountId: mine.account.id, bytes });
    const pathname = `${folder()}sans-place.mp4`;
    await blob.store.put(pathname, CLIP, { contentType: 'video/mp4' });
    const body = callback(pathname);
    await setRoom(0n);
    const answer = await post(body, signed(body)).finally(() => setRoom(null));
    expect([answer.status, answer.json.response]).toEqual([200, 'refused']);
    expect([await blob.store.head(pathname), await rows(pathname)]).toEqual([null, []]);
  });

  it('401 and nothing recorded: unsigned, wrong, odd-length, not hexadecimal, of another body, malformed', async () => {
    const pathname = `${folder()}faux.mp4`;
    await blob.store.put(pathname, CLIP, { contentType: 'video/mp4' });
    const body = callback(pathname);
    const good = signed(body)['x-vercel-signature'];
    const attempts: [string, unknown, Record<string, string>][] = [
      ['unsigned', body, {}],
      ['wrong secret', body, signed(body, 'vercel_blob_rw_local_autre')],
      ['odd length', body, { 'x-vercel-signature': good.slice(1) }],
      [
        'one digit off',
        body,
        { 'x-vercel-signature': `${good.slice(0, -1)}${good.endsWith('0') ? '1' : '0'}` },
      ],
      ['not hexadecimal', body, { 'x-vercel-signature': 'zz'.repeat(32) }],
      ['empty', body, { 'x-vercel-signature': '' }],
      ['of another body', callback(`${folder()}autre.mp4`), { 'x-vercel-signature': good }],
      ['not JSON', '{', { 'x-vercel-signature': good }],
      ['another event', { type: 'blob.deleted' }, signed({ type: 'blob.deleted' })],
      ['no event', null, signed(null)],
      ['too large', { ...body, more: 'x'.repeat(70_000) }, signed(body)],
    ];
    for (const [what, sent, headers] of attempts) expect((await post(sent, headers)).status, what).toBe(401);
    expect(await rows(pathname)).toEqual([]);
    expect(await blob.store.head(pathname)).not.toBeNull();
  });

  it('401 when signed but outside the folder of its token, or without a token payload', async () => {
    const outside = callback('references/libre/acc_autre/a.mp4');
    expect((await post(outside, signed(outside))).status).toBe(401);
    const bare = callback(`${folder()}a.mp4`);
    bare.payload.tokenPayload = 'null';
    expect((await post(bare, signed(bare))).status).toBe(401);
  });

  /** Answers while the process's ports are these, and the events that its log told. */
  const withPorts = async (ports: Partial<typeof blob.ports>, body: unknown) => {
    const shared = globalThis as { atelierFiles?: unknown };
    const before = shared.atelierFiles;
    const events: string[] = [];
    const spy = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
      for (const line of String(chunk).split('\n'))
        if (line.startsWith('{')) events.push((JSON.parse(line) as { event: string }).event);
      return true;
    });
    shared.atelierFiles = { ...blob.ports, ...ports };
    try {
      return { ...(await post(body, signed(body))), events };
    } finally {
      shared.atelierFiles = before;
      spy.mockRestore();
    }
  };

  it('5xx when signed and the fault is ours: the store calls again, and the file is then recorded', async () => {
    const pathname = `${folder()}panne.mp4`;
    await blob.store.put(pathname, CLIP, { contentType: 'video/mp4' });
    const body = callback(pathname);
    const silent = { ...blob.store, read: () => Promise.reject(new Error('the store is silent')) };
    const failed = await withPorts({ store: silent }, body);
    expect(failed).toMatchObject({ status: 500, json: { error: { code: 'internal-error' } } });
    expect(failed.events).toContain('request.failed');
    expect(failed.events).not.toContain('upload.callback.rejected');
    const lost = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const down = { ...blob.store, head: () => Promise.reject(lost) };
    expect((await withPorts({ store: down }, body)).status).toBe(503);
    expect(await rows(pathname)).toEqual([]);
    expect((await post(body, signed(body))).status).toBe(200);
    expect(await rows(pathname)).toHaveLength(1);
  });

  it('503 with Retry-After when signed and the store does not show the file yet; never taken for a forgery', async () => {
    const absent = callback(`${folder()}jamais-arrive.mp4`);
    const answer = await withPorts({}, absent);
    expect(answer).toMatchObject({
      status: 503,
      json: { error: { code: 'unavailable', detail: 'upload-missing' } },
      events: [],
    });
    expect(answer.retryAfter).toBe('5');
  });

  it('a forgery is 401 and logged upload.callback.rejected', async () => {
    const body = callback('references/libre/acc_autre/a.mp4');
    expect(await withPorts({}, body)).toMatchObject({ status: 401, events: ['upload.callback.rejected'] });
  });
});

describe('an image sent through the service', () => {
  it('is kept under the account’s folder with its measured type and size', async () => {
    const upload = await uploadImage(ctx(), { productId: 'libre', bytes: PNG, fileName: 'face.png' });
    expect(upload.pathname).toBe(`${folder()}${upload.id}.png`);
    expect(upload).toMatchObject({
      kind: 'IMAGE',
      via: 'server',
      contentType: 'image/png',
      durationMs: null,
    });
    expect(upload.width).toBeGreaterThan(0);
    expect((await blob.store.head(upload.pathname))?.contentType).toBe('image/png');
    expect(await audits(upload.pathname)).toHaveLength(1);
  });

  it('is refused when its bytes are not one of four types, not what its name says, or too heavy', async () => {
    const before = await service.db.upload.count();
    const refused = (
      input: { bytes: Uint8Array; fileName?: string; declaredType?: string },
      detail: string,
    ) =>
      expect(uploadImage(ctx(), { productId: 'libre', ...input })).rejects.toMatchObject({
        code: 'reference-refused',
        options: { detail },
      });
    await refused({ bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') }, 'type-not-accepted');
    await refused({ bytes: PNG, fileName: 'photo.jpg' }, 'type-mismatch');
    await refused({ bytes: PNG, declaredType: 'image/gif' }, 'type-mismatch');
    await refused({ bytes: CLIP, fileName: 'clip.png' }, 'type-not-accepted');
    await refused({ bytes: Buffer.concat([PNG, Buffer.from('PK\u0003\u0004<html>')]) }, 'hidden-content');
    await refused({ bytes: new Uint8Array(4 * 1024 * 1024 + 1) }, 'too-large');
    await refused({ bytes: new Uint8Array() }, 'empty');
    expect(await service.db.upload.count()).toBe(before);
  });
});
