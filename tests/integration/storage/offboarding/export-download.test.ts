import { describe, expect, test } from 'vitest';
import { createId } from '#lib/core/ids.ts';
import { exportFolder, listExports, openExport, startExport } from '#lib/storage/offboarding/exports.ts';
import { runExport, runExports, tidyExports } from '#lib/storage/offboarding/run-export.ts';
import { makeAccount, makeMember, memberActor } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { useTestService } from '#tests/setup/service.ts';
import { populated, zipOf } from './populated.ts';

const service = useTestService({ poolMax: 8 });

describe('the export of an account', () => {
  test('is for founders of that account alone, for 24 hours; then its parts and rows are gone', async () => {
    const one = await populated(service, 'ZQHEUREZQ');
    const other = await populated(service, 'ZQAUTREZQ', one.store);
    await service.db.accountExport.deleteMany({ where: { accountId: one.accountId } });
    const colleague = await makeMember(service, one.accountId, { role: 'MEMBER', permissions: ['generate'] });
    const asMember = { ...one.ctx(), actor: memberActor(colleague) };
    await expect(startExport(asMember)).rejects.toMatchObject({ code: 'forbidden' });
    const { exportId } = await startExport(one.ctx());
    expect(await runExports(one.night())).toBeGreaterThan(0);
    await expect(openExport(asMember, { exportId, range: null })).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(openExport(other.ctx(), { exportId, range: null })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(openExport(one.ctx(0.99), { exportId, range: null })).resolves.toMatchObject({
      status: 200,
    });
    await expect(openExport(one.ctx(1.01), { exportId, range: null })).rejects.toMatchObject({
      code: 'not_found',
    });
    await tidyExports(one.night(1.01));
    expect(
      [...one.store.files.keys()].filter((path) => path.startsWith(exportFolder(one.accountId))),
    ).toEqual([]);
    expect(await service.db.accountExportPart.count({ where: { exportId } })).toBe(0);
  });
});

test('a download of an export ends at its next part for who is no founder any more', async () => {
  const one = await populated(service, 'ZQDECHUZQ');
  await service.db.accountExport.deleteMany({ where: { accountId: one.accountId } });
  const { exportId } = await startExport(one.ctx());
  for (let more = true; more; )
    more = await runExport(one.ctx(), { exportId, sliceMs: 60_000, partBytes: 2_000 });
  const { body } = await openExport(one.ctx(), { exportId, range: null });
  const parts = body?.[Symbol.asyncIterator]();
  expect(await parts?.next()).toMatchObject({ done: false });
  await service.db.member.update({ where: { id: one.actor.memberId }, data: { role: 'MEMBER' } });
  await expect(parts?.next()).rejects.toMatchObject({ code: 'forbidden' });
});

describe('an export of which the store has lost a part', () => {
  test('is refused before the first byte, whole or by ranges, and never offered again; one that is whole says its size without being opened', async () => {
    const one = await populated(service, 'ZQPERDUZQ');
    await service.db.accountExport.deleteMany({ where: { accountId: one.accountId } });
    const { exportId } = await startExport(one.ctx());
    for (let more = true; more; )
      more = await runExport(one.ctx(), { exportId, sliceMs: 60_000, partBytes: 2_000 });
    const opened = () =>
      service.db.auditEntry.count({
        where: { accountId: one.accountId, action: 'account.export_opened' },
      });
    const before = await opened();
    const { bytes } = await service.db.accountExport.findUniqueOrThrow({ where: { id: exportId } });
    const head = await openExport(one.ctx(), { exportId, range: null, head: true });
    expect(head).toMatchObject({
      status: 200,
      body: null,
      headers: { 'Content-Length': bytes.toString() },
    });
    expect(await openExport(one.ctx(), { exportId, range: 'bytes=9-20', head: true })).toMatchObject({
      status: 200,
      headers: { 'Content-Length': bytes.toString() },
    });
    expect(await opened()).toBe(before);
    // All but its first byte is a download like another; what follows goes on with it.
    for (const range of ['bytes=1-', 'bytes=2000-']) {
      expect((await openExport(one.ctx(), { exportId, range })).status).toBe(206);
      expect(await opened()).toBe(before + 1);
    }
    expect((await zipOf(one, exportId)).length).toBe(Number(bytes));
    expect(await opened()).toBe(before + 2);
    const parts = [...one.store.files.keys()].filter((path) => path.startsWith(exportFolder(one.accountId)));
    expect(parts.length).toBeGreaterThan(2);
    const last = parts.at(-1) ?? '';
    const kept = one.store.files.get(last);
    // A store whose list does not show it yet has lost nothing.
    const { list } = one.store;
    one.store.list = async (asked) => {
      const page = await list(asked);
      return { ...page, files: page.files.filter(({ pathname }) => pathname !== last) };
    };
    expect((await openExport(one.ctx(), { exportId, range: null, head: true })).status).toBe(200);
    expect(await listExports(one.ctx())).toMatchObject([{ id: exportId, state: 'READY' }]);
    one.store.list = list;
    // Cut short is as bad as gone.
    await one.store.put(last, Buffer.from('court'), { contentType: 'application/octet-stream' });
    await expect(openExport(one.ctx(), { exportId, range: 'bytes=0-10' })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await listExports(one.ctx())).toMatchObject([{ id: exportId, state: 'FAILED' }]);
    if (kept) one.store.files.set(last, kept);
    await service.db.accountExport.update({ where: { id: exportId }, data: { state: 'READY' } });
    await one.store.delete([last]);
    await expect(openExport(one.ctx(), { exportId, range: null })).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('a disparu'),
    });
    expect(await opened()).toBe(before + 2);
  });
});

test('an export that can still be opened is listed, however many were begun after it', async () => {
  const { account, member, actor } = await makeAccount(service);
  const now = new Date();
  const made = Array.from({ length: 8 }, (_, n) => ({
    id: createId('accountExport'),
    accountId: account.id,
    memberId: member.id,
    cursor: {},
    total: 1,
    state: n === 0 ? ('READY' as const) : ('FAILED' as const),
    updatedAt: now,
    createdAt: new Date(now.getTime() + n),
    expiresAt: new Date(now.getTime() + 3_600_000),
  }));
  await service.db.accountExport.createMany({ data: made });
  const listed = await listExports(testContext(service, actor, { clock: { now: () => now } }));
  expect(listed.map(({ id }) => id)).toEqual(made.map(({ id }) => id).toReversed());
  await service.db.accountExport.deleteMany({ where: { accountId: account.id } });
});
