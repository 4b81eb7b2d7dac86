import { expect, test } from 'vitest';
import { listExports, startExport } from '#lib/storage/offboarding/exports.ts';
import { runExport, tidyExports } from '#lib/storage/offboarding/run-export.ts';
import { useTestService } from '#tests/setup/service.ts';
import { nightOfStubbornStore, populated } from './populated.ts';

const service = useTestService({ poolMax: 8 });

test('an export whose parts a store goes on listing ends no night, and keeps its row for the next one', async () => {
  const one = await populated(service, 'ZQTENACEZQ');
  await service.db.accountExport.deleteMany({ where: { accountId: one.accountId } });
  const { exportId } = await startExport(one.ctx());
  for (let more = true; more; )
    more = await runExport(one.ctx(), { exportId, sliceMs: 60_000, partBytes: 2_000 });
  const rows = () => service.db.accountExport.count({ where: { id: exportId } });
  const { ctx, heal } = nightOfStubbornStore(one, 2);
  await tidyExports(ctx);
  expect(await rows()).toBe(1);
  heal();
  await tidyExports(one.night(3));
  expect(await rows()).toBe(0);
  expect([...one.store.files.keys()].filter((path) => path.startsWith('exports/'))).toEqual([]);
});

test('an export that was given up stands in nobody’s way: another is begun before the night removes it, and it goes on no more', async () => {
  const one = await populated(service, 'ZQABANDONZQ');
  await service.db.accountExport.deleteMany({ where: { accountId: one.accountId } });
  const { exportId: first } = await startExport(one.ctx());
  expect(await runExport(one.ctx(), { exportId: first, sliceMs: 0, partBytes: 300 })).toBe(true);
  await expect(startExport(one.ctx(1.99))).rejects.toMatchObject({ code: 'conflict' });
  const { exportId } = await startExport(one.ctx(2.01));
  expect(await runExport(one.ctx(2.01), { exportId: first })).toBe(false);
  expect(await runExport(one.ctx(2.01), { exportId })).toBe(false);
  expect(await listExports(one.ctx(2.01))).toMatchObject([{ id: exportId, state: 'READY' }]);
});

test('an export whose parts a store refuses to delete keeps no other from being removed', async () => {
  const one = await populated(service, 'ZQGARDEZQ');
  const other = await populated(service, 'ZQLIBREZQ', one.store);
  await service.db.accountExport.deleteMany();
  const made: string[] = [];
  for (const each of [one, other]) {
    const { exportId } = await startExport(each.ctx());
    for (let more = true; more; )
      more = await runExport(each.ctx(), { exportId, sliceMs: 60_000, partBytes: 2_000 });
    made.push(exportId);
  }
  const { delete: remove } = one.store;
  let refused = '';
  // Whichever is asked for first is the one that stays.
  one.store.delete = (pathnames, options) => {
    const folder = (pathnames[0] ?? '').split('/').slice(0, 3).join('/');
    if (refused === '') refused = folder;
    return folder === refused ? Promise.reject(new Error('503')) : remove(pathnames, options);
  };
  await expect(tidyExports(one.night(2))).rejects.toThrow('503');
  const left = await service.db.accountExport.findMany({ select: { id: true } });
  expect(left.map(({ id }) => id)).toEqual(made.filter((id) => refused.endsWith(`/${id}`)));
  expect(left).toHaveLength(1);
  one.store.delete = remove;
  expect(await tidyExports(one.night(2))).toBe(1);
});

test('exports that two nights remove at once are removed once, and end neither night', async () => {
  const one = await populated(service, 'ZQNUITSZQ');
  const { list } = one.store;
  let removed = 0;
  one.store.list = async (asked) => {
    one.store.list = list;
    removed = await tidyExports(one.night(2));
    return list(asked);
  };
  expect(await tidyExports(one.night(2))).toBe(0);
  expect(removed).toBeGreaterThan(0);
  expect(await service.db.accountExport.count({ where: { accountId: one.accountId } })).toBe(0);
});
