import { beforeAll, describe, expect, it } from 'vitest';
import { GET } from '#app/api/files/[...pathname]/route.ts';
import { createId } from '#lib/core/ids.ts';
import { byteRange } from '#lib/storage/serving/byte-range.ts';
import { fileUrl } from '#lib/studio/journal/view.ts';
import { makeAccount } from '#tests/factories/account.ts';
import { ORIGIN, useApi } from '#tests/setup/api.ts';
import { sessionCookie, useBlobStore } from '#tests/setup/storage/blob.ts';

const service = useApi();
const blob = useBlobStore();

const CONTENT = '0123456789'.repeat(100);
let mine: Awaited<ReturnType<typeof makeAccount>>;
let cookie = '';
let strangerCookie = '';

beforeAll(async () => {
  mine = await makeAccount(service);
  cookie = await sessionCookie(service, mine.member);
  strangerCookie = await sessionCookie(service, (await makeAccount(service)).member);
});

async function file(pathname: string, contentType = 'image/png', content = CONTENT) {
  const stored = await blob.store.put(pathname, Buffer.from(content), { contentType });
  const now = new Date();
  await service.db.asset.create({
    data: {
      id: createId('asset'),
      accountId: mine.account.id,
      memberId: mine.member.id,
      productId: 'libre',
      type: 'IMAGE',
      pathname,
      contentType,
      bytes: BigInt(content.length),
      etag: stored.etag,
      createdAt: now,
      updatedAt: now,
    },
  });
  return { pathname, etag: stored.etag };
}

async function get(address: string, headers: Record<string, string> = {}, method = 'GET') {
  const request = new Request(ORIGIN + address, { method, headers: { cookie, ...headers } });
  const response = await GET(request, { params: Promise.resolve({ pathname: [] }) });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe('GET /api/files/<pathname>', () => {
  it('makes a thumbnail for who asks for one by its word alone', async () => {
    const { pathname } = await file('generations/gen_vignette/image-1.png');
    const madeFor = async (thumbnail: string) => {
      expect((await get(`${fileUrl(pathname)}?thumbnail=${thumbnail}`)).status).toBe(200);
      return (await service.db.asset.findUniqueOrThrow({ where: { pathname } })).thumbnail;
    };
    for (const other of ['0', 'true', '']) expect(await madeFor(other)).toBeNull();
    // No picture can be made of these bytes: that it was tried is kept.
    expect(await madeFor('1')).toBe('');
  });

  it('200: gives a file of the account whole, under headers that let it do nothing', async () => {
    const { pathname, etag } = await file('generations/gen_a/image-1.png');
    const answer = await get(fileUrl(pathname));
    expect([answer.status, answer.text]).toEqual([200, CONTENT]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': '1000',
      'content-disposition': 'inline; filename="image-1.png"',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, no-cache, no-transform',
      'accept-ranges': 'bytes',
      etag: etag.startsWith('"') ? etag : `"${etag}"`,
    });
    const saved = await get(`${fileUrl(pathname)}?download=1`);
    expect(saved.headers.get('content-disposition')).toBe('attachment; filename="image-1.png"');
    const head = await get(fileUrl(pathname), {}, 'HEAD');
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', '1000']);
    for (const range of ['bytes=0-9', 'bytes=1000-']) {
      const asked = await get(fileUrl(pathname), { range }, 'HEAD');
      expect([range, asked.status, asked.headers.get('content-length')]).toEqual([range, 200, '1000']);
      expect(asked.headers.get('content-range')).toBeNull();
    }
  });

  it('refuses whoever followed a link by a page that leads on, and a program in the house shape', async () => {
    const reads = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
    const address = `${fileUrl('generations/gen_none/image-1.png')}?download=1`;
    const missing = await get(address, { ...reads, referer: `${ORIGIN}/journal?vue=table` });
    expect([missing.status, missing.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(missing.headers.get('cache-control')).toBe('private, no-store');
    expect(missing.text).toContain('<h1>Rien n’a été téléchargé</h1>');
    expect(missing.text).toContain('href="/journal?vue=table"');
    expect(missing.headers.get('request-id')).toMatch(/^req_/);
    const over = await get(address, { ...reads, cookie: '', referer: `${ORIGIN}/journal?vue=table` });
    expect([over.status, over.headers.get('content-type')]).toEqual([401, 'text/html; charset=utf-8']);
    expect(over.text).toContain('href="/connexion?retour=%2Fjournal%3Fvue%3Dtable"');
    // A page elsewhere says nothing of where one was here.
    const elsewhere = await get(address, { ...reads, referer: 'https://exemple.test/journal' });
    expect(elsewhere.text).toContain('href="/"');
    for (const asked of [{ accept: '*/*' }, { accept: 'image/avif,image/webp,*/*;q=0.8' }]) {
      const answer = await get(address, asked);
      expect([answer.status, JSON.parse(answer.text).error.code]).toEqual([404, 'not_found']);
    }
  });

  it('says no size that the store does not tell', async () => {
    const { pathname } = await file('generations/gen_n/image-1.png');
    const { open } = blob.store;
    blob.store.open = async (...asked) => {
      const opened = await open(...asked);
      return opened && { ...opened, bytes: null };
    };
    const answer = await get(fileUrl(pathname));
    blob.store.open = open;
    expect([answer.status, answer.text, answer.headers.get('content-length')]).toEqual([200, CONTENT, null]);
  });

  it('gives a type that could run as bytes to save, and a pictogram without any script', async () => {
    const page = await file('generations/gen_b/page.html', 'text/html', '<script>alert(1)</script>');
    const answer = await get(fileUrl(page.pathname));
    expect(answer.headers.get('content-type')).toBe('application/octet-stream');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="page.html"');
    const svg = await get(
      fileUrl((await file('generations/gen_b/p.svg', 'image/svg+xml', '<svg/>')).pathname),
    );
    expect(svg.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    );
  });

  it('304 to a reader that has it, weak or in a list; 200 to one that has another', async () => {
    const { pathname, etag } = await file('generations/gen_c/a.png');
    const bare = etag.replaceAll('"', '');
    for (const known of [`"${bare}"`, `W/"${bare}"`, `"x", "${bare}"`, '*']) {
      const answer = await get(fileUrl(pathname), { 'if-none-match': known });
      expect([known, answer.status, answer.text]).toEqual([known, 304, '']);
    }
    expect((await get(fileUrl(pathname), { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it.each([
    ['bytes=0-9', 206, '0123456789', 'bytes 0-9/1000'],
    ['bytes=995-', 206, '56789', 'bytes 995-999/1000'],
    ['bytes=-3', 206, '789', 'bytes 997-999/1000'],
    ['bytes=-5000', 206, CONTENT, 'bytes 0-999/1000'],
    ['bytes=990-4000', 206, '0123456789', 'bytes 990-999/1000'],
    ['bytes=999-999', 206, '9', 'bytes 999-999/1000'],
    ['bytes=1000-', 416, '', 'bytes */1000'],
    ['bytes=-0', 416, '', 'bytes */1000'],
    ['bytes=9-5', 200, CONTENT, null],
    ['bytes=0-1,4-5', 200, CONTENT, null],
    ['items=0-1', 200, CONTENT, null],
    ['bytes=-', 200, CONTENT, null],
    ['bytes=99999999999999999999-', 200, CONTENT, null],
  ])('Range « %s » → %i', async (range, status, text, contentRange) => {
    const pathname = 'generations/gen_d/range.png';
    if (!(await service.db.asset.findUnique({ where: { pathname } }))) await file(pathname);
    const answer = await get(fileUrl(pathname), { range });
    expect([answer.status, answer.text, answer.headers.get('content-range')]).toEqual([
      status,
      text,
      contentRange,
    ]);
  });

  it('gives the whole file when If-Range names another version, and the range when it names this one', async () => {
    const { pathname, etag } = await file('generations/gen_e/a.png');
    const ask = (ifRange: string) => get(fileUrl(pathname), { range: 'bytes=0-1', 'if-range': ifRange });
    expect((await ask(`"${etag.replaceAll('"', '')}"`)).status).toBe(206);
    expect((await ask('"other"')).status).toBe(200);
    expect((await ask(`W/"${etag.replaceAll('"', '')}"`)).status).toBe(200);
    expect((await ask('Wed, 21 Oct 2026 07:28:00 GMT')).status).toBe(200);
  });

  it('judges If-Range by the bytes that the store has now: a reader never puts two versions together', async () => {
    const { pathname, etag: recorded } = await file('generations/gen_i/a.png');
    const other = 'abcdefghij'.repeat(100);
    await blob.store.put(pathname, Buffer.from(other), { contentType: 'image/png' });
    const served = (await get(fileUrl(pathname))).headers.get('etag') ?? '';
    expect(served).not.toBe(`"${recorded.replaceAll('"', '')}"`);
    const ask = async (ifRange: string, range = 'bytes=2-4') => {
      const { status, text, headers } = await get(fileUrl(pathname), { range, 'if-range': ifRange });
      return [status, text, headers.get('etag')];
    };
    expect(await ask(served)).toEqual([206, 'cde', served]);
    expect(await ask(`"${recorded.replaceAll('"', '')}"`)).toEqual([200, other, served]);
    expect(await ask(served, 'bytes=1000-')).toEqual([416, '', served]);
    expect(await ask('"other"', 'bytes=1000-')).toEqual([200, other, served]);
  });

  it('goes on, and says 304, by the ETag that the store told where none was recorded', async () => {
    const { pathname } = await file('generations/gen_j/a.png');
    await service.db.asset.update({ where: { pathname }, data: { etag: null } });
    const served = (await get(fileUrl(pathname))).headers.get('etag') ?? '';
    expect(served).toMatch(/^".+"$/);
    const part = await get(fileUrl(pathname), { range: 'bytes=0-1', 'if-range': served });
    expect([part.status, part.text]).toEqual([206, '01']);
    expect((await get(fileUrl(pathname), { range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200);
    const current = await get(fileUrl(pathname), { 'if-none-match': served });
    expect([current.status, current.text, current.headers.get('etag')]).toEqual([304, '', served]);
  });

  it('401 without a session; 404 to another account, exactly as for a file that is not', async () => {
    const { pathname } = await file('generations/gen_f/secret.png');
    const anonymous = await get(fileUrl(pathname), { cookie: '' });
    expect(anonymous.status).toBe(401);
    const stranger = await get(fileUrl(pathname), { cookie: strangerCookie });
    const missing = await get(fileUrl('generations/gen_f/none.png'), { cookie: strangerCookie });
    expect([stranger.status, missing.status]).toEqual([404, 404]);
    expect(JSON.parse(stranger.text).error.message).toBe(JSON.parse(missing.text).error.message);
    expect(stranger.text).not.toContain(CONTENT.slice(0, 20));
  });

  it('404 once its row says deleted, or while retention deletes it; when the store lost it too', async () => {
    const { pathname } = await file('generations/gen_g/a.png');
    await service.db.asset.update({ where: { pathname }, data: { expiringAt: new Date() } });
    expect((await get(fileUrl(pathname))).status).toBe(404);
    await service.db.asset.update({ where: { pathname }, data: { expiringAt: null } });
    expect((await get(fileUrl(pathname))).status).toBe(200);
    await blob.store.delete([pathname]);
    expect((await get(fileUrl(pathname))).status).toBe(404);
  });

  it.each([
    '/api/files/generations/gen_a/../gen_a/image-1.png',
    '/api/files/generations%2Fgen_a%2Fimage-1.png',
    '/api/files/generations/gen_a/%2e%2e/%2e%2e/secret',
    '/api/files/generations/gen_a/%252e%252e/image-1.png',
    '/api/files/generations//gen_a/image-1.png',
    '/api/files//etc/passwd',
    '/api/files/generations/gen_a/image-1.png%00.png',
    '/api/files/generations/gen_a/..%5cimage-1.png',
    '/api/files/%',
    '/api/files/',
  ])('404 or a plain path, never another file: %s', async (address) => {
    const answer = await get(address);
    // The parser has folded plain dot segments before we see them: what is left is an ordinary path of this account.
    const folded = new URL(ORIGIN + address).pathname === '/api/files/generations/gen_a/image-1.png';
    expect(answer.status).toBe(folded ? 200 : 404);
  });

  it('503 with Retry-After when the store does not answer', async () => {
    const { pathname } = await file('generations/gen_h/a.png');
    const { store } = blob;
    const open = store.open;
    store.open = () => Promise.reject(new Error('timeout'));
    const answer = await get(fileUrl(pathname)).finally(() => {
      store.open = open;
    });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
  });
});

it('an empty file has no satisfiable range', () => {
  expect(byteRange('bytes=0-0', 0)).toBe('unsatisfiable');
  expect(byteRange('bytes=-1', 0)).toBe('unsatisfiable');
});
