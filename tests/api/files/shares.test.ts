import { beforeAll, describe, expect, it, vi } from 'vitest';
import { DELETE as deleteFile, GET as readFile } from '#app/partage/[token]/fichier/route.ts';
import { POST as postPage, GET as showPage } from '#app/partage/[token]/route.ts';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { archiveSpace } from '#lib/brain/spaces/change-space.ts';
import type { MemberActor, Permission } from '#lib/core/actor.ts';
import { createId } from '#lib/core/ids.ts';
import { removeMember } from '#lib/identity/members/remove-member.ts';
import { updateMember } from '#lib/identity/members/update-member.ts';
import { createShare } from '#lib/storage/shares/create-share.ts';
import { countShares, listShares } from '#lib/storage/shares/list-shares.ts';
import { withdrawShare } from '#lib/storage/shares/withdraw-share.ts';
import { makeAccount, makeMember, makeSpace, memberActor } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { untilBlocked } from '#tests/factories/statements/until-blocked.ts';
import { ORIGIN, stopClock, useApi } from '#tests/setup/api.ts';
import { useBlobStore } from '#tests/setup/storage/blob.ts';

const service = useApi();
const blob = useBlobStore();

const CONTENT = '0123456789'.repeat(100);
const NAME = 'ZQMAISONZQ';
let home: Awaited<ReturnType<typeof makeAccount>>;
let ctx: ReturnType<typeof testContext<MemberActor>>;

beforeAll(async () => {
  home = await makeAccount(service, { name: NAME });
  ctx = testContext(service, home.actor);
});

async function asset(contentType = 'image/png') {
  const id = createId('asset');
  const pathname = `generations/${id}/image-1.png`;
  const stored = await blob.store.put(pathname, Buffer.from(CONTENT), { contentType });
  const now = new Date();
  await service.db.asset.create({
    data: {
      id,
      accountId: home.account.id,
      memberId: home.member.id,
      productId: 'libre',
      type: 'IMAGE',
      pathname,
      contentType,
      bytes: BigInt(CONTENT.length),
      etag: stored.etag,
      createdAt: now,
      updatedAt: now,
    },
  });
  return id;
}

async function space(text = 'La cire vient du Gers.') {
  const { id } = await makeSpace(service, home.account.id, { name: 'Bougies <d’hiver>' });
  await addMemory(ctx, {
    spaceId: id,
    pillar: 'KNOWLEDGE',
    title: 'Cire',
    body: text,
    parentId: null,
    source: 'MANUAL',
    idempotencyKey: null,
  });
  return id;
}

const share = (target: Parameters<typeof createShare>[1]['target'], as = ctx) =>
  createShare(as, { target, days: 7 });

async function ask(handler: typeof showPage, token: string, more = '', headers: Record<string, string> = {}) {
  await service.pool.query('DELETE FROM "RateLimitWindow"');
  const request = new Request(`${ORIGIN}/partage/${token}${more}`, { headers });
  const response = await handler(request, { params: Promise.resolve({ token }) });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
const page = (token: string) => ask(showPage, token);
const bytes = (token: string, more = '/fichier', headers = {}) => ask(readFile, token, more, headers);
const counts = async (id: string) => {
  const { views, downloads } = await service.db.shareLink.findUniqueOrThrow({ where: { id } });
  return { views, downloads };
};

describe('a share', () => {
  it('of a file: a page without session, counted, that nobody keeps nor finds, and its bytes under safe headers', async () => {
    const assetId = await asset();
    const { id, token } = await share({ kind: 'file', assetId });
    const shown = await page(token);
    expect(shown.status).toBe(200);
    expect(shown.text).toContain(`<img src="/partage/${token}/fichier"`);
    expect(shown.text).toContain('<meta name="robots" content="noindex, nofollow">');
    expect(shown.text).not.toMatch(/<script|<link/);
    const file = await bytes(token);
    expect([file.status, file.text]).toEqual([200, CONTENT]);
    expect((await bytes(token, '/fichier', { range: 'bytes=2-4' })).text).toBe('234');
    const saved = await bytes(token, '/fichier?download=1');
    expect(saved.headers.get('content-disposition')).toBe('attachment; filename="image-1.png"');
    for (const { headers, text } of [shown, file, saved]) {
      expect(Object.fromEntries(headers)).toMatchObject({
        'cache-control': expect.stringContaining('no-store'),
        'x-robots-tag': expect.stringContaining('noindex'),
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      });
      expect(headers.get('set-cookie')).toBeNull();
      for (const hidden of [
        NAME,
        home.account.id,
        home.member.id,
        home.member.name,
        home.member.email,
        assetId,
      ])
        expect(text + JSON.stringify([...headers])).not.toContain(hidden);
    }
    expect(await counts(id)).toEqual({ views: 1, downloads: 1 });
    const row = await service.pool.query('SELECT t::text AS row FROM "ShareLink" t');
    expect(JSON.stringify(row.rows)).not.toContain(token);
  });

  it('counts what somebody opened or saved whole: neither a look by HEAD, nor the file in its page, nor a part of it', async () => {
    const { id, token } = await share({ kind: 'file', assetId: await asset() });
    const look = (handler: typeof showPage, more = '') =>
      handler(new Request(`${ORIGIN}/partage/${token}${more}`, { method: 'HEAD' }), {
        params: Promise.resolve({ token }),
      });
    expect((await look(showPage)).status).toBe(200);
    expect((await look(readFile, '/fichier?download=1')).status).toBe(200);
    expect((await bytes(token)).status).toBe(200);
    expect((await bytes(token, '/fichier?download=1', { range: 'bytes=2-4' })).status).toBe(206);
    expect(await counts(id)).toEqual({ views: 0, downloads: 0 });
    await page(token);
    await bytes(token, '/fichier?download=1');
    expect(await counts(id)).toEqual({ views: 1, downloads: 1 });
  });

  it('refuses any other method by a page to a browser and in JSON to a program, and counts nothing', async () => {
    const { id, token } = await share({ kind: 'file', assetId: await asset() });
    for (const handler of [postPage, deleteFile])
      for (const [accept, type] of [
        ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html'],
        ['application/json, text/html;q=0', 'application/json'],
        ['*/*', 'application/json'],
        [undefined, 'application/json'],
      ] as const) {
        const answer = await ask(handler, token, '', accept === undefined ? {} : { accept });
        expect([accept, answer.status, answer.headers.get('content-type')?.split(';')[0]]).toEqual([
          accept,
          405,
          type,
        ]);
        expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
        expect(answer.headers.get('vary')).toBe('Accept');
        expect(answer.headers.get('request-id')).toMatch(/^req_/);
        expect(answer.text).toContain(
          type === 'text/html' ? 'Un partage se lit, et ne reçoit rien' : '"code":"method_not_allowed"',
        );
      }
    expect(await counts(id)).toEqual({ views: 0, downloads: 0 });
  });

  it('of a Space: its context as a prompt has it, and no other thing of the account', async () => {
    const other = await space('Un secret d’un autre espace.');
    const spaceId = await space();
    const { token } = await share({ kind: 'space', spaceId });
    const shown = await page(token);
    expect(shown.status).toBe(200);
    expect(shown.text).toContain('La cire vient du Gers.');
    expect(shown.text).toContain('Bougies &#60;d’hiver&#62;');
    expect(shown.text).not.toMatch(/<d’hiver>/);
    for (const hidden of [NAME, home.account.id, home.member.name, 'Un secret', other, spaceId])
      expect(shown.text).not.toContain(hidden);
    expect((await bytes(token)).status).toBe(404);
  });

  it('that is withdrawn, expired or unknown, or whose file, Space or author’s right is gone, looks the same', async () => {
    const { account, member } = home;
    const make = async (permissions: Permission[] = ['generate', 'brain.write']) => {
      const author = await makeMember(service, account.id, { role: 'MEMBER', permissions });
      return { author, as: testContext(service, memberActor(author)) };
    };
    const assetId = await asset();
    const withdrawn = await share({ kind: 'file', assetId });
    await withdrawShare(ctx, { shareId: withdrawn.id });
    await withdrawShare(ctx, { shareId: withdrawn.id });
    const expired = await share({ kind: 'file', assetId });
    const past = new Date(Date.now() - 1);
    await service.db.shareLink.update({ where: { id: expired.id }, data: { expiresAt: past } });
    const goneId = await asset();
    const gone = await share({ kind: 'file', assetId: goneId });
    await service.db.asset.update({ where: { id: goneId }, data: { deletedAt: past } });
    const goingId = await asset();
    const going = await share({ kind: 'file', assetId: goingId });
    await service.db.asset.update({ where: { id: goingId }, data: { expiringAt: past } });
    const archivedId = await space();
    const archived = await share({ kind: 'space', spaceId: archivedId });
    await archiveSpace(ctx, { spaceId: archivedId, archived: true });
    const left = await make();
    const ofLeft = await share({ kind: 'file', assetId }, left.as);
    await service.db.member.update({ where: { id: left.author.id }, data: { status: 'SUSPENDED' } });
    const demoted = await make();
    const ofDemoted = await share({ kind: 'file', assetId }, demoted.as);
    const restricted = await make();
    const spaceId = await space();
    const ofRestricted = await share({ kind: 'space', spaceId }, restricted.as);
    // Who may still read a Space, and write in it no more, could not make its link.
    const silenced = await make();
    const ofSilenced = await share({ kind: 'space', spaceId }, silenced.as);
    const reading = await make();
    const ofReading = await share({ kind: 'space', spaceId }, reading.as);
    const change = (author: { id: string; name: string }, permissions: Permission[], spaces: {} | null) =>
      updateMember(ctx, {
        accountId: account.id,
        memberId: author.id,
        name: author.name,
        role: 'MEMBER',
        permissions,
        spaces,
      });
    for (const { token } of [ofDemoted, ofRestricted, ofSilenced, ofReading])
      expect((await page(token)).status).toBe(200);
    await change(demoted.author, ['brain.write'], null);
    await change(restricted.author, ['generate', 'brain.write'], {});
    await change(silenced.author, ['generate'], null);
    await change(reading.author, ['generate', 'brain.write'], { [spaceId]: 'read' });

    const plain = ({ status, text, headers }: Awaited<ReturnType<typeof page>>) => ({
      status,
      text: text.replace(/nonce="\w+"/, ''),
      headers: [...headers].filter(([name]) => !/request-id|content-security-policy/.test(name)),
    });
    const unknown = plain(await page('x'.repeat(43)));
    expect(unknown.status).toBe(404);
    expect(unknown.text).toContain('Ce partage n’existe pas, ou n’existe plus');
    const links = [
      withdrawn,
      expired,
      gone,
      going,
      archived,
      ofLeft,
      ofDemoted,
      ofRestricted,
      ofSilenced,
      ofReading,
    ];
    for (const token of [...links.map((one) => one.token), 'court', `${withdrawn.token}x`]) {
      expect(plain(await page(token))).toEqual(unknown);
      expect(plain(await bytes(token))).toEqual(unknown);
    }
    expect(await counts(withdrawn.id)).toEqual({ views: 0, downloads: 0 });
    await service.db.account.update({ where: { id: account.id }, data: { closedAt: past } });
    const closed = await page((await share({ kind: 'file', assetId })).token);
    await service.db.account.update({ where: { id: account.id }, data: { closedAt: null } });
    expect(plain(closed)).toEqual(unknown);
    expect(member.id).toBe(home.member.id);
  });

  it('is made by who may generate or write there, listed with its counts to them and to founders, and audited', async () => {
    const assetId = await asset();
    const spaceId = await space();
    const reader = testContext(
      service,
      memberActor(await makeMember(service, home.account.id, { role: 'MEMBER', permissions: [] })),
    );
    for (const target of [{ kind: 'file', assetId } as const, { kind: 'space', spaceId } as const])
      await expect(share(target, reader)).rejects.toMatchObject({ code: 'forbidden' });
    const stranger = testContext(service, (await makeAccount(service)).actor);
    for (const target of [{ kind: 'file', assetId } as const, { kind: 'space', spaceId } as const])
      await expect(share(target, stranger)).rejects.toMatchObject({ code: 'not_found' });
    // A Space out of reach is none.
    const away = { ...reader.actor, permissions: ['generate', 'brain.write'] as const, spaces: {} };
    await expect(share({ kind: 'space', spaceId }, { ...ctx, actor: away })).rejects.toMatchObject({
      code: 'not_found',
    });
    for (const days of [0, 2, 91, 400])
      await expect(createShare(ctx, { target: { kind: 'file', assetId }, days })).rejects.toMatchObject({
        code: 'invalid_request',
      });
    for (const days of [1, 7, 30, 90]) {
      const made = await createShare(ctx, { target: { kind: 'file', assetId }, days });
      const row = await service.db.shareLink.findUniqueOrThrow({ where: { id: made.id } });
      expect(row.expiresAt.getTime() - row.createdAt.getTime()).toBe(days * 86_400_000);
    }
    const { id, token } = await share({ kind: 'space', spaceId });
    await page(token);
    await page(token);
    expect((await listShares(ctx)).find((one) => one.id === id)).toMatchObject({
      kind: 'space',
      name: 'Bougies <d’hiver>',
      views: 2,
      downloads: 0,
      lastViewedAt: expect.any(Date),
    });
    const author = testContext(
      service,
      memberActor(await makeMember(service, home.account.id, { role: 'MEMBER', permissions: ['generate'] })),
    );
    const theirs = await share({ kind: 'file', assetId }, author);
    expect((await listShares(author)).map((one) => one.id)).toEqual([theirs.id]);
    expect((await listShares(ctx)).map((one) => one.id)).toEqual(expect.arrayContaining([id, theirs.id]));
    expect(await listShares(reader)).toEqual([]);
    // Nor is one of a Space that its author cannot reach any more.
    const bounded = { ...ctx, actor: { ...ctx.actor, role: 'MEMBER', permissions: [], spaces: {} } as const };
    expect((await listShares(bounded)).some((one) => one.id === id)).toBe(false);
    // Page by page they are the same, and counted.
    const listed = (await listShares(ctx)).map((one) => one.id);
    const second = await listShares(ctx, { page: 2, size: 1 });
    expect([await countShares(ctx), second.map((one) => one.id)]).toEqual([listed.length, [listed[1]]]);
    expect([await countShares(author), await countShares(reader)]).toEqual([1, 0]);
    expect(await listShares(stranger)).toEqual([]);
    for (const other of [reader, stranger])
      await expect(withdrawShare(other, { shareId: id })).rejects.toMatchObject({ code: 'not_found' });
    for (const _ of ['once', 'again']) await withdrawShare(ctx, { shareId: id });
    expect((await listShares(ctx)).some((one) => one.id === id)).toBe(false);
    const entries = await service.db.auditEntry.findMany({
      where: { subjectId: id },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ action, data }) => [action, data])).toMatchObject([
      ['share.created', { kind: 'space', spaceId }],
      ['share.withdrawn', { kind: 'space', spaceId, views: 2 }],
    ]);
  });

  it('that opens for nobody now is listed with the reason, and opens again once that is gone', async () => {
    const permissions: Permission[] = ['generate', 'brain.write'];
    const author = await makeMember(service, home.account.id, { role: 'MEMBER', permissions });
    const spaceId = await space();
    const as = testContext(service, memberActor(author));
    const file = await share({ kind: 'file', assetId: await asset() }, as);
    const context = await share({ kind: 'space', spaceId }, as);
    const change = (data: {
      status?: 'ACTIVE' | 'SUSPENDED';
      permissions?: Permission[];
      spaceRights?: Record<string, 'read' | 'write'>;
    }) => service.db.member.update({ where: { id: author.id }, data });
    const stand = async () => {
      const listed = await listShares(ctx);
      const blockOf = ({ id }: { id: string }) => listed.find((one) => one.id === id)?.blockedBy;
      return [
        [(await page(file.token)).status, blockOf(file)],
        [(await page(context.token)).status, blockOf(context)],
      ];
    };
    const whole = [
      [200, null],
      [200, null],
    ];
    expect(await stand()).toEqual(whole);
    await change({ status: 'SUSPENDED' });
    expect(await stand()).toEqual([
      [404, 'suspended'],
      [404, 'suspended'],
    ]);
    await change({ status: 'ACTIVE', permissions: ['brain.write'], spaceRights: { [spaceId]: 'write' } });
    expect(await stand()).toEqual([
      [404, 'rights'],
      [200, null],
    ]);
    await change({ permissions, spaceRights: { [spaceId]: 'read' } });
    expect(await stand()).toEqual([
      [200, null],
      [404, 'rights'],
    ]);
    await change({ spaceRights: { [spaceId]: 'write' } });
    expect(await stand()).toEqual(whole);
    const closed = await listShares({ ...ctx, actor: { ...ctx.actor, closed: true } });
    expect(new Set(closed.map(({ blockedBy }) => blockedBy))).toEqual(new Set(['account']));
    await removeMember(ctx, { accountId: home.account.id, memberId: author.id });
    expect(await stand()).toEqual([
      [404, 'removed'],
      [404, 'removed'],
    ]);
  });

  it('of a file that nothing keeps so long says to who makes it when that file goes', async () => {
    const assetId = await asset();
    const make = (days: number) => createShare(ctx, { target: { kind: 'file', assetId }, days });
    expect((await make(7)).fileEndsAt).toBeNull();
    const { createdAt } = await service.db.asset.findUniqueOrThrow({ where: { id: assetId } });
    expect((await make(90)).fileEndsAt).toEqual(new Date(createdAt.getTime() + 30 * 86_400_000));
    await service.db.asset.update({ where: { id: assetId }, data: { state: 'APPROVED' } });
    expect((await make(90)).fileEndsAt).toBeNull();
    const ofSpace = await createShare(ctx, { target: { kind: 'space', spaceId: await space() }, days: 90 });
    expect(ofSpace.fileEndsAt).toBeNull();
  });

  it('of a file whose bytes stayed with the former application is not made: it would open for nobody', async () => {
    const assetId = await asset();
    await service.db.asset.update({ where: { id: assetId }, data: { imported: true } });
    await expect(share({ kind: 'file', assetId })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('counts among the 500 of its account as long as what it shows is there: nobody could withdraw one of a file that is gone', async () => {
    const gone = await asset();
    const assetId = await asset();
    const { id: first } = await share({ kind: 'file', assetId: gone });
    const row = await service.db.shareLink.findUniqueOrThrow({ where: { id: first } });
    await service.db.shareLink.createMany({
      data: Array.from({ length: 500 }, () => {
        const id = createId('shareLink');
        return { ...row, id, tokenHash: new TextEncoder().encode(id) };
      }),
    });
    await expect(share({ kind: 'file', assetId })).rejects.toMatchObject({ code: 'conflict' });
    await service.db.asset.update({ where: { id: gone }, data: { deletedAt: new Date() } });
    expect((await listShares(ctx)).some(({ id }) => id === first)).toBe(false);
    await expect(share({ kind: 'file', assetId })).resolves.toMatchObject({ token: expect.any(String) });
    // Nor does one that has ended count, whatever it showed.
    await service.db.asset.update({ where: { id: gone }, data: { deletedAt: null } });
    await expect(share({ kind: 'file', assetId })).rejects.toMatchObject({ code: 'conflict' });
    await service.db.shareLink.updateMany({ where: { assetId: gone }, data: { expiresAt: new Date() } });
    await expect(share({ kind: 'file', assetId })).resolves.toMatchObject({ token: expect.any(String) });
    await service.db.shareLink.deleteMany({ where: { assetId: gone } });
  });

  it('is counted after one that is being made: the five hundredth is one alone', async () => {
    const { account, actor } = await makeAccount(service);
    const own = testContext(service, actor);
    const spaceId = (await makeSpace(service, account.id)).id;
    const { id: first } = await share({ kind: 'space', spaceId }, own);
    const row = await service.db.shareLink.findUniqueOrThrow({ where: { id: first } });
    await service.db.shareLink.createMany({
      data: Array.from({ length: 498 }, () => {
        const id = createId('shareLink');
        return { ...row, id, tokenHash: new TextEncoder().encode(id) };
      }),
    });
    const meanwhile: Promise<string>[] = [];
    const kysely = interceptedQueries(service.pool, {
      async before({ label }) {
        if (label !== 'commit') return;
        const late = share({ kind: 'space', spaceId }, own);
        meanwhile.push(late.then(() => 'made').catch(({ code }) => code));
        await Promise.race([untilBlocked(service), ...meanwhile]);
      },
    });
    await share({ kind: 'space', spaceId }, { ...own, kysely });
    expect(await Promise.all(meanwhile)).toEqual(['conflict']);
  });

  it('whose saving cannot be counted gives no file, and leaves none of the store open', async () => {
    const { id, token } = await share({ kind: 'file', assetId: await asset() });
    const { open } = blob.store;
    let isLetGo = false;
    const opening = vi.spyOn(blob.store, 'open').mockImplementation(async (...given) => {
      const opened = await open(...given);
      if (!opened) return null;
      const cancel = (reason: unknown) => {
        isLetGo = true;
        return opened.stream.cancel(reason);
      };
      return { ...opened, stream: new ReadableStream<Uint8Array>({ cancel }) };
    });
    const rename = (from: string, to: string) =>
      service.pool.query(`ALTER TABLE "ShareLink" RENAME COLUMN "${from}" TO "${to}"`);
    await rename('downloads', 'uncounted');
    try {
      expect((await bytes(token, '/fichier?download=1')).status).toBe(500);
      expect([opening.mock.calls.length, isLetGo]).toEqual([1, true]);
    } finally {
      opening.mockRestore();
      await rename('uncounted', 'downloads');
    }
    expect((await bytes(token, '/fichier?download=1')).text).toBe(CONTENT);
    expect(await counts(id)).toEqual({ views: 0, downloads: 1 });
  });

  it('answers 429 past 240 openings of a network in a minute, whatever it asks for', async () => {
    stopClock();
    const { token } = await share({ kind: 'file', assetId: await asset() });
    await page(token);
    await service.pool.query('UPDATE "RateLimitWindow" SET requests = 239 WHERE key LIKE \'share:%\'');
    const open = (one: string) =>
      showPage(new Request(`${ORIGIN}/partage/${one}`), { params: Promise.resolve({ token: one }) });
    expect((await open(token)).status).toBe(200);
    for (const one of [token, 'y'.repeat(43)]) {
      const response = await open(one);
      expect(response.status).toBe(429);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    }
  });
});
