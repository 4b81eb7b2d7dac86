import { unzipSync } from 'fflate';
import { describe, expect, it, vi } from 'vitest';
import { createId } from '#lib/core/ids.ts';
import { deleteManyFiles } from '#lib/storage/deletion/delete-many-files.ts';
import { MAX_CHOSEN, MAX_ZIPPED } from '#lib/storage/limits.ts';
import { zipGenerations } from '#lib/storage/offboarding/zip-generations.ts';
import { archiveQuery } from '#lib/storage/schemas.ts';
import type { ListItem } from '#lib/studio/templates/drawing/types.ts';
import { TEMPLATES } from '#lib/studio/templates/registry.ts';
import { makeMember, memberActor } from '#tests/factories/account.ts';
import { addAsset, addGeneration, filesScene } from '#tests/factories/files/files.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const bytesOf = async (stream: ReadableStream<Uint8Array>) =>
  new Uint8Array(await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer());

async function setting() {
  const s = await filesScene(service);
  const ids = [await addGeneration(s), await addGeneration(s)];
  const assets = [];
  for (const generationId of ids) assets.push(await addAsset(s, { generationId }));
  await service.db.generation.update({
    where: { id: ids[0] ?? '' },
    data: { params: { brief: '../Bougie à l’ambre / forêt' } },
  });
  // Half past midnight in Paris, where the day of a name is told.
  await service.db.asset.update({
    where: { id: assets[0]?.id ?? '' },
    data: { createdAt: new Date('2026-11-09T23:30:00Z') },
  });
  return { s, ids, assets };
}

describe('the files of several rows', () => {
  it('all have room in one zip, be each of them a template of as many pages as it can have', () => {
    for (const { id, fields, pages } of TEMPLATES) {
      const full: [string, ListItem[]][] = fields
        .filter(({ kind }) => kind === 'list')
        .map((field) => [field.id, Array.from({ length: field.maxLength ?? 10 }, () => ({}))]);
      expect(pages(Object.fromEntries(full)) * MAX_CHOSEN, id).toBeLessThanOrEqual(MAX_ZIPPED);
    }
  });

  it('come in one zip that any tool opens, under the day and the words of each request, and say which one is missing', async () => {
    const { s, ids, assets } = await setting();
    const whole = unzipSync(await bytesOf(await zipGenerations(s.ctx, { generationIds: ids })));
    expect(Object.keys(whole).sort()[0]).toMatch(/^001-2026-11-10-bougie-a-l-ambre-foret\.\w+$/);
    expect(Object.keys(whole).length).toBe(2);
    // What a night is taking is left to it: its bytes may go while the zip is made.
    const leaving = { where: { id: assets[0]?.id ?? '' } };
    await service.db.asset.update({ ...leaving, data: { expiringAt: s.clock.now() } });
    const left = unzipSync(await bytesOf(await zipGenerations(s.ctx, { generationIds: ids })));
    expect(Object.keys(left)).toEqual([expect.stringMatching(/^001-/)]);
    await service.db.asset.update({ ...leaving, data: { expiringAt: null } });
    await s.store.delete([assets[1]?.pathname ?? '']);
    const rest = unzipSync(await bytesOf(await zipGenerations(s.ctx, { generationIds: ids })));
    expect(Object.keys(rest)).toContain('A-LIRE.txt');
    expect(new TextDecoder().decode(rest['A-LIRE.txt'])).toContain('002-');
  });

  it('are not given to another account nor to who may not generate, and never weigh more than one gibibyte', async () => {
    const { s, ids, assets } = await setting();
    const stranger = await filesScene(service);
    await expect(zipGenerations(stranger.ctx, { generationIds: ids })).rejects.toMatchObject({
      code: 'not_found',
    });
    const reader = await makeMember(service, s.owner.accountId, { role: 'MEMBER' });
    const asReader = { ...s.ctx, actor: memberActor(reader) };
    await expect(zipGenerations(asReader, { generationIds: ids })).rejects.toMatchObject({
      code: 'forbidden',
    });
    const hundred = Array.from({ length: 100 }, (_, at) => `gen_${at}`);
    await expect(zipGenerations(s.ctx, { generationIds: [...hundred, ...ids] })).rejects.toMatchObject({
      code: 'not_found',
    });
    await service.db.asset.update({
      where: { id: assets[0]?.id ?? '' },
      data: { bytes: BigInt(1_073_741_824) },
    });
    await expect(zipGenerations(s.ctx, { generationIds: ids })).rejects.toMatchObject({
      code: 'invalid',
      options: { detail: 'ids', problems: [{ field: 'ids' }] },
    });
    // One gibibyte exactly, both together, is given.
    const { bytes } = await service.db.asset.findUniqueOrThrow({ where: { id: assets[1]?.id ?? '' } });
    await service.db.asset.update({
      where: { id: assets[0]?.id ?? '' },
      data: { bytes: 1_073_741_824n - bytes },
    });
    const stream = await zipGenerations(s.ctx, { generationIds: ids });
    expect(Object.keys(unzipSync(await bytesOf(stream)))).toHaveLength(2);
  });

  it('are asked for by a hundred at most: one more is refused, never left out of the zip unsaid', () => {
    const ids = Array.from({ length: 101 }, () => createId('generation'));
    expect(archiveQuery.parse({ ids: ids.slice(1).join(',') }).ids).toEqual(ids.slice(1));
    expect(archiveQuery.safeParse({ ids: ids.join(',') }).error?.issues).toMatchObject([
      { path: ['ids'], message: 'Demandez 100 générations au plus.' },
    ]);
  });

  it('are streamed: the second is not opened before the first was read', async () => {
    const { s, ids, assets } = await setting();
    const opened: string[] = [];
    const open = s.store.open.bind(s.store);
    vi.spyOn(s.store, 'open').mockImplementation((pathname, ...rest) => {
      opened.push(pathname);
      return open(pathname, ...rest);
    });
    const reader = (await zipGenerations(s.ctx, { generationIds: ids })).getReader();
    await reader.read();
    expect(opened).toEqual([assets[0]?.pathname]);
    for (let isRead = false; !isRead; ) isRead = (await reader.read()).done;
    expect(opened).toEqual(assets.map(({ pathname }) => pathname));
  });

  it('end at the next file for who lost the right to them since their zip was begun', async () => {
    const { s, ids, assets } = await setting();
    const open = vi.spyOn(s.store, 'open');
    const reader = (await zipGenerations(s.ctx, { generationIds: ids })).getReader();
    await reader.read();
    await service.db.member.update({
      where: { id: s.owner.memberId },
      data: { role: 'MEMBER', permissions: [] },
    });
    const rest = async () => {
      for (let isRead = false; !isRead; ) isRead = (await reader.read()).done;
    };
    await expect(rest()).rejects.toMatchObject({ code: 'forbidden' });
    expect(open.mock.calls.map(([pathname]) => pathname)).toEqual([assets[0]?.pathname]);
  });

  it('are opened once somebody reads the zip: a HEAD, of which nobody does, leaves no file of the store open', async () => {
    const { s, ids } = await setting();
    const open = vi.spyOn(s.store, 'open');
    const stream = await zipGenerations(s.ctx, { generationIds: ids });
    await new Promise((turn) => setTimeout(turn, 50));
    expect(open).not.toHaveBeenCalled();
    await stream.cancel();
    expect(open).not.toHaveBeenCalled();
  });

  it('are deleted together but for what somebody keeps, which stays and says why; a stranger deletes nothing', async () => {
    const { s, ids, assets } = await setting();
    await service.db.asset.update({ where: { id: assets[1]?.id ?? '' }, data: { state: 'APPROVED' } });
    const stranger = await filesScene(service);
    expect((await deleteManyFiles(stranger.ctx, { generationIds: ids })).deleted).toEqual([]);
    const hundred = Array.from({ length: 100 }, (_, at) => `gen_${at}`);
    expect((await deleteManyFiles(s.ctx, { generationIds: [...hundred, ...ids] })).deleted).toEqual([]);
    const done = await deleteManyFiles(s.ctx, { generationIds: ids });
    expect(done.deleted).toEqual([ids[0]]);
    expect(done.refused).toMatchObject([
      { generationId: ids[1], message: expect.stringContaining('approuvé') },
    ]);
    expect(await service.db.asset.count({ where: { accountId: s.owner.accountId, deletedAt: null } })).toBe(
      1,
    );
  });

  it('are told apart when a fault ends their deletion half-way: what is in the bin, and what is left to ask for again', async () => {
    const { s, ids } = await setting();
    let rows = 0;
    const kysely = interceptedQueries(service.connection.pool, {
      before({ label }) {
        if (label === 'storage.delete_generation_files' && ++rows === 2)
          throw new Error('the connection ended');
      },
    });
    const faulty = { ...s.ctx, kysely };
    expect(await deleteManyFiles(faulty, { generationIds: ids })).toEqual({
      deleted: [ids[0]],
      already: [],
      refused: [],
      left: [ids[1]],
    });
    expect(s.lines.map(({ event }) => event)).toContain('files.deletion_stopped');
    // What is asked for again is done; a fault before anything was done is thrown as ever.
    rows = 1;
    await expect(deleteManyFiles(faulty, { generationIds: ids })).rejects.toThrow('the connection ended');
    expect((await deleteManyFiles(s.ctx, { generationIds: ids })).deleted).toEqual(ids);
  });

  it('that a colleague put into the bin, or that a night took, are not told as deleted again: an undo would take the colleague’s deletion back', async () => {
    const { s, ids, assets } = await setting();
    ids.push(await addGeneration(s));
    await addAsset(s, { generationId: ids[2] ?? '' });
    const colleague = await makeMember(service, s.owner.accountId, { permissions: ['generate'] });
    const asColleague = { ...s.ctx, actor: memberActor(colleague) };
    expect(await deleteManyFiles(asColleague, { generationIds: [ids[0] ?? ''] })).toMatchObject({
      deleted: [ids[0]],
    });
    await service.db.asset.update({
      where: { id: assets[1]?.id ?? '' },
      data: { deletedAt: s.clock.now(), deletedBy: 'retention' },
    });
    expect(await deleteManyFiles(s.ctx, { generationIds: ids })).toEqual({
      deleted: [ids[2]],
      already: [ids[0], ids[1]],
      refused: [],
      left: [],
    });
    // Asked for again after a lost answer, the member's own are still the ones to take back.
    expect(await deleteManyFiles(s.ctx, { generationIds: ids })).toMatchObject({ deleted: [ids[2]] });
    // A row that is named twice is told of once.
    expect(await deleteManyFiles(s.ctx, { generationIds: [...ids, ...ids] })).toMatchObject({
      deleted: [ids[2]],
      already: [ids[0], ids[1]],
    });
  });
});
