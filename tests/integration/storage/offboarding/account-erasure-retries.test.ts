import { describe, expect, test } from 'vitest';
import { manualClock } from '#lib/core/clock.ts';
import { closeAccount, reopenAccount } from '#lib/identity/closing/close-account.ts';
import { eraseClosed } from '#lib/storage/offboarding/erase-closed.ts';
import { makeAccount } from '#tests/factories/account.ts';
import { DAY_MS } from '#tests/factories/files/files.ts';
import { reserve } from '#tests/factories/reserve.ts';
import { tablesHolding } from '#tests/factories/watching/byte-search.ts';
import { useTestService } from '#tests/setup/service.ts';
import { nightOfStubbornStore, type Populated, populated } from './populated.ts';

const service = useTestService({ poolMax: 8 });

describe('a closed account', () => {
  test('whose erasure is cut by a store that refuses is gone for its members, and erased by the next night', async () => {
    const one = await populated(service, 'ZQCOUPEZQ');
    const { accountId } = one;
    const { name } = await service.db.account.findUniqueOrThrow({ where: { id: accountId } });
    await closeAccount(one.ctx(), { accountId, name });
    const { delete: remove } = one.store;
    one.store.delete = () => Promise.reject(new Error('503'));
    await expect(eraseClosed(one.night(31))).rejects.toThrow('503');
    expect(await tablesHolding(service, 'zqcoupezq')).toContain('Memory');
    expect(await service.db.member.count({ where: { accountId, status: 'ACTIVE' } })).toBe(0);
    await expect(reopenAccount(one.ctx(), { accountId })).rejects.toMatchObject({ code: 'conflict' });
    one.store.delete = remove;
    expect(await eraseClosed(one.night(32))).toBe(1);
    expect(await tablesHolding(service, 'zqcoupezq')).toEqual([]);
  });

  test('of which a store refuses a file keeps no other account from being erased, night after night', async () => {
    const one = await populated(service, 'ZQREFUSEZQ');
    const other = await populated(service, 'ZQSUITEZQ', one.store);
    const close = async ({ accountId, ctx }: Populated, days: number) => {
      const { name } = await service.db.account.findUniqueOrThrow({ where: { id: accountId } });
      await closeAccount({ ...ctx(days), actor: { type: 'admin' } }, { accountId, name });
    };
    await close(one, 0);
    await close(other, 2);
    const { delete: remove } = one.store;
    one.store.delete = (pathnames, options) =>
      pathnames.some((pathname) => one.pathnames.includes(pathname))
        ? Promise.reject(new Error('503'))
        : remove(pathnames, options);
    await expect(eraseClosed(one.night(31))).rejects.toThrow('503');
    await expect(eraseClosed(one.night(33))).rejects.toThrow('503');
    expect(await tablesHolding(service, 'zqsuitezq')).toEqual([]);
    expect(await tablesHolding(service, 'zqrefusezq')).toContain('Memory');
    one.store.delete = remove;
    expect(await eraseClosed(one.night(34))).toBe(1);
    expect(await tablesHolding(service, 'zqrefusezq')).toEqual([]);
  });

  test('of which a store refuses twenty keep no other waiting: the next night begins after those that were tried', async () => {
    const { store, night } = await populated(service, 'ZQVINGTZQ');
    await service.pool.query(`DELETE FROM "CronCursor"`);
    const ids: string[] = [];
    for (let n = 0; n < 21; n += 1) ids.push((await makeAccount(service)).account.id);
    await service.db.account.updateMany({ where: { id: { in: ids } }, data: { closedAt: new Date() } });
    const last = ids.sort().pop() ?? '';
    const { list } = store;
    store.list = (options) =>
      ids.some((id) => options.prefix.includes(id)) ? Promise.reject(new Error('503')) : list(options);
    const isErased = async () =>
      (await service.db.account.findUniqueOrThrow({ where: { id: last } })).erasedAt !== null;
    await expect(eraseClosed(night(31))).rejects.toThrow('503');
    expect(await isErased()).toBe(false);
    await expect(eraseClosed(night(32))).rejects.toThrow('503');
    expect(await isErased()).toBe(true);
    store.list = list;
    expect(await eraseClosed(night(33))).toBe(20);
  });

  test('of which a store goes on listing what it deleted ends no night: rows wait for their files, and the next one erases it', async () => {
    const one = await populated(service, 'ZQLENTEZQ');
    const { accountId } = one;
    const { name } = await service.db.account.findUniqueOrThrow({ where: { id: accountId } });
    await closeAccount(one.ctx(), { accountId, name });
    const { ctx, heal } = nightOfStubbornStore(one, 31);
    expect(await eraseClosed(ctx)).toBe(0);
    expect(await tablesHolding(service, 'zqlentezq')).toContain('Memory');
    heal();
    expect(await eraseClosed(one.night(32))).toBe(1);
    expect(await tablesHolding(service, 'zqlentezq')).toEqual([]);
    expect([...one.store.files.keys()]).toEqual([]);
  });

  test('of which a store goes on listing one folder takes the night of no other', async () => {
    const one = await populated(service, 'ZQSANSFINZQ');
    const other = await populated(service, 'ZQAPRESZQ', one.store);
    for (const { accountId, ctx } of [one, other]) {
      const { name } = await service.db.account.findUniqueOrThrow({ where: { id: accountId } });
      await closeAccount(ctx(), { accountId, name });
    }
    const { list, delete: remove, put } = one.store;
    const clock = manualClock(new Date(Date.now() + 31 * DAY_MS));
    // The first folder of whichever is tried first.
    let stubborn = '';
    one.store.list = async (asked) => {
      if (stubborn === '') {
        stubborn = asked.prefix;
        await put(`${stubborn}reste`, Buffer.from('x'), { contentType: 'image/png' });
      }
      if (asked.prefix === stubborn) clock.advance(10_000);
      return list(asked);
    };
    one.store.delete = async (pathnames, options) =>
      pathnames.some((pathname) => pathname.startsWith(stubborn)) ? 'deleted' : remove(pathnames, options);
    expect(await eraseClosed({ ...one.night(), clock })).toBe(1);
    Object.assign(one.store, { list, delete: remove });
    expect(await eraseClosed(one.night(32))).toBe(1);
    expect([...one.store.files.keys()]).toEqual([]);
  });

  test('of which each night has time for one folder alone is erased in the end: what was emptied is not begun again', async () => {
    const one = await populated(service, 'ZQPASZQ');
    const { accountId } = one;
    const { name } = await service.db.account.findUniqueOrThrow({ where: { id: accountId } });
    await closeAccount(one.ctx(), { accountId, name });
    const { list } = one.store;
    const clock = manualClock(new Date(Date.now() + 31 * DAY_MS));
    // Folders that are empty cost nothing; each that is not takes the whole of a night.
    one.store.list = async (asked) => {
      const page = await list(asked);
      if (page.files.length > 0) clock.advance(30_000);
      return page;
    };
    let nights = 0;
    while (nights < 20 && (await eraseClosed({ ...one.night(), clock })) === 0) nights += 1;
    expect(nights).toBeGreaterThan(0);
    expect(nights).toBeLessThan(20);
    expect(await tablesHolding(service, 'zqpaszq')).toEqual([]);
  });

  test('has several of its folders emptied at once, and what was emptied beside one that a store refuses is not begun again', async () => {
    const one = await populated(service, 'ZQENSEMBLEZQ');
    const { accountId } = one;
    const { name } = await service.db.account.findUniqueOrThrow({ where: { id: accountId } });
    await closeAccount(one.ctx(), { accountId, name });
    const made = await service.db.generation.findMany({ where: { accountId }, select: { id: true } });
    const [refused = '', paid = ''] = made.map(({ id }) => id).sort();
    // The row of that one stays once it is emptied: a line of the ledger points at it.
    const { memberId } = one.actor;
    const held = { accountId, memberId, generationId: paid, amountMicros: 1_000n };
    expect(await reserve(service.kysely, one.ctx(), held)).toEqual({ held: true });
    const { list } = one.store;
    let asking = 0;
    let most = 0;
    one.store.list = async (asked) => {
      asking += 1;
      most = Math.max(most, asking);
      await new Promise((turn) => setImmediate(turn));
      asking -= 1;
      if (asked.prefix.includes(refused)) throw new Error('503');
      return list(asked);
    };
    await expect(eraseClosed(one.night(31))).rejects.toThrow('503');
    expect(most).toBeGreaterThan(1);
    const left = { accountId, filesDeletedBy: { not: 'erasure' } };
    const kept = { OR: [left, { accountId, filesDeletedBy: null }] };
    expect(await service.db.generation.findMany({ where: kept, select: { id: true } })).toEqual([
      { id: refused },
    ]);
    const again = new Set<string>();
    one.store.list = (asked) => {
      again.add(asked.prefix);
      return list(asked);
    };
    expect(await eraseClosed(one.night(32))).toBe(1);
    const folders = [...again].filter((prefix) => prefix.startsWith('generations/'));
    expect(folders).toEqual([`generations/${refused}/`]);
    expect([...one.store.files.keys()]).toEqual([]);
  });
});
