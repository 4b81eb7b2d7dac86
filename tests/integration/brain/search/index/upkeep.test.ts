import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { indexPending, worthReplacing } from '#lib/brain/search/index/maintain.ts';
import { tidyIndex } from '#lib/brain/search/index/tidy-index.ts';
import { searchMemories } from '#lib/brain/search/search-memories.ts';
import { TimeLimit } from '#lib/core/resource-limits/time-limit.ts';
import { explainedQueries, NO_SHORT_CUTS } from '#tests/factories/statements/explained-queries.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { useTestService } from '#tests/setup/service.ts';
import { add, expectExact, live, type Setting, setting } from './indexed.ts';

const service = useTestService();

describe('what is searched', () => {
  test('writers, searches and three processes that write segments, all at once: nothing is lost, nothing is found twice', async () => {
    const at = await setting(service);
    const one = (i: number) => ({ title: `Note ${i}`, body: `lampe numéro ${i % 40} garantie ${i}` });
    const ids = await add(
      service,
      at,
      Array.from({ length: 150 }, (_, i) => one(i)),
    );
    const index = async () => {
      for (let i = 0; i < 8; i++) await indexPending(at.ctx, { accountId: at.accountId, everything: true });
    };
    const edit = async (from: number) => {
      for (let i = from; i < ids.length; i += 4) {
        const where = { id: ids[i] as string };
        if (i % 3 === 0) await service.db.memory.update({ where, data: { deletedAt: new Date() } });
        else await service.db.memory.update({ where, data: { body: `lampe changée ${i}` } });
      }
    };
    const more = async () => {
      for (let i = 0; i < 20; i++) await add(service, at, [one(1_000 + i), one(2_000 + i)]);
    };
    const read = async () => {
      for (let i = 0; i < 15; i++) {
        const { data } = await searchMemories(at.ctx, { q: 'lampe', limit: 50 });
        expect(new Set(data.map(({ memoryId }) => memoryId)).size).toBe(data.length);
      }
    };
    await Promise.all([index(), index(), index(), edit(0), edit(1), edit(2), more(), read(), read()]);
    await expectExact(service, at, ['lampe', 'changée', 'numéro 7', 'garantie 1003', 'lampe 12 garantie']);
    const memories = await live(service, at);
    const rows = await service.db.searchDocument.findMany({ where: { accountId: at.accountId } });
    expect(rows.map(({ memoryId }) => memoryId).sort()).toEqual(memories.map(({ id }) => id).sort());
  });

  test('small segments become one, and what is gone of them is gone from the index', async () => {
    const at = await setting(service);
    const ids: string[] = [];
    for (let i = 0; i < 9; i++) {
      ids.push(...(await add(service, at, [{ title: `Secret ${i}`, body: `contenu${i} partagé` }])));
      await indexPending(at.ctx, { accountId: at.accountId, everything: true });
    }
    const where = { accountId: at.accountId };
    expect(await service.db.searchSegment.count({ where })).toBeLessThan(4);
    await service.db.memory.deleteMany({ where: { id: { in: ids.slice(0, 5) } } });
    await indexPending(at.ctx, { accountId: at.accountId });
    expect(await service.db.searchDead.count({ where })).toBe(0);
    const pages = await service.db.searchPage.findMany();
    expect(pages.filter(({ data }) => Buffer.from(data).includes('contenu3'))).toEqual([]);
    await expectExact(service, at, ['secret', 'partagé', 'contenu3', 'contenu7']);
  });

  test('a night takes the words of one erased Memory out of a segment of forty', async () => {
    const at = await setting(service);
    const ids = await add(
      service,
      at,
      Array.from({ length: 40 }, (_, i) => ({ title: `Note ${i}`, body: `motsecret${i} commun` })),
    );
    await indexPending(at.ctx, { accountId: at.accountId, everything: true });
    await service.db.memory.deleteMany({ where: { id: ids[7] as string } });
    await indexPending(at.ctx, { accountId: at.accountId });
    const holds = async () =>
      (await service.db.searchPage.findMany()).some(({ data }) => Buffer.from(data).includes('motsecret7'));
    expect(await holds()).toBe(true);
    expect(await tidyIndex(at.ctx)).toBeGreaterThan(0);
    expect(await holds()).toBe(false);
    await expectExact(service, at, ['motsecret7', 'motsecret8', 'commun']);
  });

  test('a night asks for what is to be tidied without reading what every account has in its segments', async () => {
    const at = await setting(service);
    const notes = Array.from({ length: 200 }, (_, i) => ({ title: `Note ${i}`, body: `rangée${i}` }));
    const ids = await add(service, at, notes);
    await indexPending(at.ctx, { accountId: at.accountId, everything: true });
    await service.db.memory.deleteMany({ where: { id: ids[0] as string } });
    // Of few accounts the other index is as good: PostgreSQL 18 asks it once of each.
    const others = `INSERT INTO "SearchDocument" ("memoryId", "accountId", "segmentId", "number", "bytes")
      SELECT 'other' || n, 'other' || n % 5000, 1, n, 10 FROM generate_series(1, 50000) AS n`;
    await service.pool.query(others);
    await service.pool.query('VACUUM ANALYZE "SearchDocument"');
    const of = ({ label }: { label: string }) => label === 'search.untidy';
    const { kysely, plans } = explainedQueries(service, { of, off: NO_SHORT_CUTS });
    try {
      expect(await tidyIndex({ ...at.ctx, kysely })).toBeGreaterThan(0);
    } finally {
      await service.db.searchDocument.deleteMany({ where: { accountId: { startsWith: 'other' } } });
    }
    expect(await service.db.searchDead.count({ where: { accountId: at.accountId } })).toBe(0);
    expect(plans).toHaveLength(1);
    // What waits, by its own index; from one account with marks to the next.
    expect(plans[0]).toMatch(/"SearchDocument_waiting_idx" on "SearchDocument"/);
    expect(plans[0]).toMatch(/Index Cond: .*"accountId" > /);
    expect(plans[0]).not.toContain('Seq Scan');
  });

  test('a night that fails on one account tidies those after it all the same, and fails', async () => {
    const places = [await setting(service), await setting(service)] as const;
    for (const at of places) {
      const [id] = await add(service, at, [
        { title: 'Note', body: 'un' },
        { title: 'Note', body: 'deux' },
      ]);
      await indexPending(at.ctx, { accountId: at.accountId, everything: true });
      await service.db.memory.deleteMany({ where: { id: id as string } });
    }
    const [first, second] = places.map(({ accountId }) => accountId).sort((a, b) => (a < b ? -1 : 1)) as [
      string,
      string,
    ];
    const kysely = interceptedQueries(service.connection.pool, {
      before({ label, parameters }) {
        if (label === 'search.hold' && parameters.includes(first)) throw new Error('this account fails');
      },
    });
    const { clock } = places[0].ctx;
    await expect(tidyIndex({ clock, kysely })).rejects.toThrow('this account fails');
    const dead = (accountId: string) => service.db.searchDead.count({ where: { accountId } });
    expect([await dead(first), await dead(second)]).toEqual([1, 0]);
  });

  test('a night without time for all goes on after the account that the one before saw to: what one erases every day keeps nobody’s words', async () => {
    await tidyIndex((await setting(service)).ctx);
    const places = [await setting(service), await setting(service), await setting(service)];
    places.sort((a, b) => (a.accountId < b.accountId ? -1 : 1));
    const written = new Map<string, string[]>();
    for (const at of places) {
      const notes = ['un', 'deux', 'trois', 'quatre', 'cinq'].map((body) => ({ title: 'Note', body }));
      written.set(at.accountId, await add(service, at, notes));
      await indexPending(at.ctx, { accountId: at.accountId, everything: true });
    }
    const erase = async ({ accountId }: Setting) => {
      const id = written.get(accountId)?.pop() ?? '';
      await service.db.memory.delete({ where: { id } });
    };
    const [busy, ...others] = places as [Setting, Setting, Setting];
    for (const at of others) await erase(at);
    let elapsedMs = 0;
    // Whatever is seen to takes all the time that a night has.
    const kysely = interceptedQueries(service.connection.pool, {
      before({ label }) {
        if (label === 'search.hold') elapsedMs += 60_000;
      },
    });
    const { clock } = busy.ctx;
    for (let night = 0; night < places.length; night++) {
      await erase(busy);
      await tidyIndex({ clock, kysely }, new TimeLimit(60_000, () => elapsedMs));
    }
    for (const { accountId } of others)
      expect(await service.db.searchDead.count({ where: { accountId } })).toBe(0);
  });

  test('a write adds one row to the index, whatever its text, and leaves the words for later', async () => {
    const at = await setting(service);
    let body = '';
    for (let i = 0; body.length < 130_000; i++) body += `${(i * 7919 + 100_003).toString(36)} `;
    const before = await rowsOfIndex();
    await add(service, at, [{ title: 'Lexique', body }]);
    expect((await rowsOfIndex()) - before).toBe(1);
    await indexPending(at.ctx, { accountId: at.accountId, everything: true });
    await expectExact(service, at, [(7919 * 7 + 100_003).toString(36), '1j']);
  });
});

async function rowsOfIndex(): Promise<number> {
  const counts = await Promise.all([
    service.db.searchDocument.count(),
    service.db.searchSegment.count(),
    service.db.searchPage.count(),
    service.db.searchDead.count(),
  ]);
  return counts.reduce((sum, count) => sum + count, 0);
}

describe('which segments are written anew', () => {
  const segment = (id: number, memories: number, dead = 0) => ({
    id,
    memories,
    bytes: memories * 1_000,
    dead,
  });

  test('one of which an eighth is gone first, then eight of about one size, never more than one segment may hold', () => {
    // Of many small ones eight are of about one size; of few or large ones none.
    const memories = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 5_000 }));
    const sizes = fc.array(fc.tuple(memories, fc.integer({ min: 0, max: 200 })), {
      maxLength: 40,
      size: 'max',
    });
    let joined = 0;
    fc.assert(
      fc.property(sizes, (list) => {
        const segments = list.map(([memories, dead], i) => segment(i, memories, Math.min(dead, memories)));
        const taken = worthReplacing(segments).map((id) => segments[id] as (typeof segments)[number]);
        const worn = segments.filter(({ dead, memories }) => dead > memories / 8);
        expect(worn.length > 0 ? taken : []).toEqual(worn.slice(0, 1));
        const whole = segments.map((one) => ({ ...one, dead: 0 }));
        const together = worthReplacing(whole).map((id) => whole[id] as (typeof whole)[number]);
        expect(together).not.toHaveLength(1);
        expect(together.reduce((sum, { memories }) => sum + memories, 0)).toBeLessThanOrEqual(4_096);
        joined += together.length;
      }),
    );
    expect(joined).toBeGreaterThan(0);
    expect(worthReplacing(Array.from({ length: 7 }, (_, i) => segment(i, 64)))).toEqual([]);
    expect(worthReplacing(Array.from({ length: 8 }, (_, i) => segment(i, 64)))).toHaveLength(8);
  });
});
