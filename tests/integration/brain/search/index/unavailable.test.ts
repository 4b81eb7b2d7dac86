import { describe, expect, test } from 'vitest';
import { getContext } from '#lib/brain/context/get-context.ts';
import { searchMemories } from '#lib/brain/search/search-memories.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { useTestService } from '#tests/setup/service.ts';
import { add, setting } from './indexed.ts';

const service = useTestService();

describe('what is searched', () => {
  test('that another process never lets go of is not waited for without end: the search says when to come again', async () => {
    const at = await setting(service);
    await add(
      service,
      at,
      Array.from({ length: 257 }, (_, i) => ({ title: `Note ${i}`, body: 'lampe' })),
    );
    const holder = await service.connection.pool.connect();
    try {
      await holder.query('begin');
      await holder.query(`select pg_advisory_xact_lock(hashtextextended('search ' || $1::text, 0))`, [
        at.accountId,
      ]);
      await expect(searchMemories(at.ctx, { q: 'lampe' })).rejects.toMatchObject({
        code: 'unavailable',
        options: { retryAfterSeconds: 15 },
      });
    } finally {
      await holder.query('rollback');
      holder.release();
    }
    expect((await searchMemories(at.ctx, { q: 'lampe' })).data).toHaveLength(20);
  });

  test('that fails once its read was consumed gives it back, and so does a context about a question', async () => {
    const at = await setting(service);
    await add(service, at, [{ title: 'Lampe', body: 'Une lampe.' }]);
    const sum = (rows: readonly { used: number }[]) => rows.reduce((total, row) => total + row.used, 0);
    const used = async () => {
      const where = { accountId: at.accountId };
      const months = await service.db.readMonth.findMany({ where });
      return [sum(months), sum(await service.db.readDay.findMany({ where }))];
    };
    await searchMemories(at.ctx, { q: 'lampe' });
    const kysely = interceptedQueries(service.connection.pool, {
      before({ label }) {
        if (label === 'search.texts') throw new Error('no text can be read');
      },
    });
    const broken = { ...at.ctx, kysely };
    await expect(searchMemories(broken, { q: 'lampe', limit: 3 })).rejects.toThrow('no text can be read');
    const asked = { spaceId: at.spaceId, q: 'lampe' };
    await expect(getContext(broken, asked)).rejects.toThrow('no text can be read');
    expect(await used()).toEqual([1, 1]);
    // To the month and the day that it was taken of, though both turn meanwhile.
    let now = new Date('2026-11-30T23:59:59.999Z');
    const turning = interceptedQueries(service.connection.pool, {
      before({ label }) {
        if (label !== 'search.texts') return;
        now = new Date('2026-12-01T00:00:00Z');
        throw new Error('no text can be read');
      },
    });
    const late = { ...at.ctx, kysely: turning, clock: { now: () => now } };
    await expect(searchMemories(late, { q: 'lampe', limit: 4 })).rejects.toThrow('no text can be read');
    expect(await used()).toEqual([1, 1]);
    await getContext(at.ctx, asked);
    expect(await used()).toEqual([2, 2]);
  });
});
