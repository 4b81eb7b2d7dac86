import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { getContext } from '#lib/brain/context/get-context.ts';
import { indexPending, worthReplacing } from '#lib/brain/search/index/maintain.ts';
import { tidyIndex } from '#lib/brain/search/index/tidy-index.ts';
import { parseQuery } from '#lib/brain/search/matching/query.ts';
import { searchMemories } from '#lib/brain/search/search-memories.ts';
import type { MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { TimeLimit } from '#lib/core/resource-limits/time-limit.ts';
import { ExhaustiveScorer, rankDocuments } from '#tests/eval/exhaustive.ts';
import { makeAccount, makeSpace } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { explainedQueries, NO_SHORT_CUTS } from '#tests/factories/statements/explained-queries.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
let sequence = 0;

type Draft = { title: string; body: string; day?: number };
type Setting = { ctx: Context<MemberActor>; accountId: string; spaceId: string };

async function setting(): Promise<Setting> {
  const { account, actor } = await makeAccount(service);
  const space = await makeSpace(service, account.id);
  return { ctx: testContext(service, actor), accountId: account.id, spaceId: space.id };
}

async function add({ accountId, spaceId }: Setting, drafts: readonly Draft[]): Promise<string[]> {
  const data = drafts.map(({ title, body, day = 0 }) => {
    sequence += 1;
    const at = new Date(Date.UTC(2026, 0, 1 + day));
    return {
      id: `mem_${String(sequence).padStart(7, '0')}`,
      accountId,
      spaceId,
      role: 'KNOWLEDGE' as const,
      kind: 'NOTE' as const,
      title,
      body,
      source: 'MANUAL' as const,
      cu: 1,
      createdAt: at,
      updatedAt: at,
    };
  });
  await service.db.memory.createMany({ data });
  return data.map(({ id }) => id);
}

const live = ({ accountId }: Setting) =>
  service.db.memory.findMany({ where: { accountId, deletedAt: null } });

async function expectExact(at: Setting, queries: readonly string[]): Promise<void> {
  const documents = await live(at);
  for (const q of queries) {
    const expected = rankDocuments(parseQuery(q), documents).slice(0, 50);
    const { data } = await searchMemories(at.ctx, { q, limit: 50 });
    expect(data.map(({ memoryId, score }) => [memoryId, score])).toEqual(
      expected.map(({ document, score }) => [document.id, score]),
    );
  }
}

const WORDS = [
  'lampe',
  'lampes',
  'Lampadaire',
  'garantie',
  'garantit',
  'cœur',
  'designed',
  'designer',
  'the',
  'de',
  'la',
  '12 mai 2023',
  '2023-05-12',
  '12/05/2023',
  'mai 2023',
  '1 200',
  '1200',
  '14h30',
  'ton de voix',
  'logo logo',
  'communication',
  'ﷺ',
  '日本語のテキスト',
  '𞤀𞤣𞤤𞤢𞤥',
  'ab𠮷野',
  'ph',
  '30 ml',
  '30ml',
  '2 l',
  '1 200 g',
  '1200 g',
  '1',
  'g',
  'e-mail',
  'email',
  'R.G.P.D.',
  'RGPD',
  'le P.-D.G.',
  'PDG',
  'S.A.',
  'sa',
  '8 p.m.',
  '8pm',
  'J. Dupont',
  'plan B. Ensuite',
  'v1.2.3',
  'a.b.fr',
  'tutoyer',
  'tutoiement',
];
const text = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 9 })
  .map((words) => words.join(' '));
const query = fc
  .array(
    fc.constantFrom(
      ...WORDS,
      'lam',
      'l',
      'garanite',
      'comunication',
      'unica',
      'absent',
      'テキスト',
      '𞤢𞤣',
      '𠮷野',
      '12 mai',
      'combien de temps',
      'logo',
      '2',
      '2l',
      'rg',
      'R. G. P. D.',
      'pd',
      'gpd',
      'rgdp',
      'p',
      '30',
      '1200g',
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((words) => words.join(' '));
const draft = fc.record({ title: text, body: text, day: fc.integer({ min: 0, max: 3 }) });
const step = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), drafts: fc.array(draft, { minLength: 1, maxLength: 12 }) }),
  fc.record({ kind: fc.constant('edit' as const), which: fc.nat(), draft }),
  fc.record({ kind: fc.constant('delete' as const), which: fc.nat() }),
  fc.record({ kind: fc.constant('erase' as const), which: fc.nat() }),
  fc.record({ kind: fc.constant('index' as const) }),
);

describe('what is searched', () => {
  test('after any additions, edits, deletions and writing of segments, search gives exactly what scoring every Memory gives', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 3, maxLength: 12 }),
        fc.array(query, { minLength: 5, maxLength: 5 }),
        async (steps, queries) => {
          const at = await setting();
          const ids: string[] = [];
          for (const one of steps) {
            if (one.kind === 'add') ids.push(...(await add(at, one.drafts)));
            if (one.kind === 'index')
              await indexPending(at.ctx, { accountId: at.accountId, everything: true });
            if (!('which' in one) || ids.length === 0) continue;
            const id = ids[one.which % ids.length] as string;
            if (one.kind === 'delete')
              await service.db.memory.updateMany({ where: { id }, data: { deletedAt: new Date() } });
            else if (one.kind === 'erase') await service.db.memory.deleteMany({ where: { id } });
            else
              await service.db.memory.updateMany({
                where: { id },
                data: { title: one.draft.title, body: one.draft.body, deletedAt: null },
              });
          }
          await expectExact(at, queries);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('a number and its unit, apart in some texts and one word in others, in segments and out of them', async () => {
    const at = await setting();
    const long = `${'De l’eau. '.repeat(80)}Un bidon de 5 L.`;
    const often = `${'Le 1 vaut. '.repeat(80)}1 200 g`;
    const thousands = ['1 200 g', '1\u202f200\u202fg', '1200g', '1200 par g', often];
    const bodies = ['30 ml', '30ml', '300 ml', '30 jours', long, '5L', ...thousands];
    const drafts = bodies.map((body, day) => ({ title: `Fiche ${body.slice(0, 6)}`, body, day }));
    const queries = ['30ml', '30 ml', '5L', '5 L', '300ml', 'fiche 30 ml', 'ml', '1200g', '1 200 g', '1200'];
    await add(at, drafts);
    await expectExact(at, queries);
    await indexPending(at.ctx, { accountId: at.accountId, everything: true });
    await expectExact(at, queries);
    const { data } = await searchMemories(at.ctx, { q: '30ml' });
    expect(data.map(({ title }) => title)).toEqual(['Fiche 30ml', 'Fiche 30 ml']);
  });

  test('a word of letters of two units is found as any other, in segments and out of them, also where both hold it', async () => {
    const at = await setting();
    const adlam = (day: number) => ({ title: `Fiche ${day}`, body: `Pulaar\u00a0: 𞤀𞤣𞤤𞤢𞤥 𞤆𞤵𞤤𞤢𞤪 ${day}`, day });
    const chinese = { title: '𠮷𠮷', body: 'Enseigne ab𠮷野, dite 𠮷野家.', day: 1 };
    const queries = ['𞤀𞤣𞤤𞤢𞤥', '𞤢𞤣𞤤', '𞤆𞤵𞤤𞤢𞤪 𞤀𞤣𞤤𞤢𞤥', '𠮷𠮷', '𠮷', 'ab𠮷', 'ab𠮷野', '𠮷野家'];
    await add(at, [adlam(2), chinese]);
    await expectExact(at, queries);
    await indexPending(at.ctx, { accountId: at.accountId, everything: true });
    await expectExact(at, queries);
    await add(at, [adlam(3), { ...chinese, day: 4 }]);
    await expectExact(at, queries);
    const { data } = await searchMemories(at.ctx, { q: '𞤀𞤣𞤤𞤢𞤥' });
    expect(data.map(({ title }) => title)).toEqual(['Fiche 3', 'Fiche 2']);
  });

  test('writers, searches and three processes that write segments, all at once: nothing is lost, nothing is found twice', async () => {
    const at = await setting();
    const one = (i: number) => ({ title: `Note ${i}`, body: `lampe numéro ${i % 40} garantie ${i}` });
    const ids = await add(
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
      for (let i = 0; i < 20; i++) await add(at, [one(1_000 + i), one(2_000 + i)]);
    };
    const read = async () => {
      for (let i = 0; i < 15; i++) {
        const { data } = await searchMemories(at.ctx, { q: 'lampe', limit: 50 });
        expect(new Set(data.map(({ memoryId }) => memoryId)).size).toBe(data.length);
      }
    };
    await Promise.all([index(), index(), index(), edit(0), edit(1), edit(2), more(), read(), read()]);
    await expectExact(at, ['lampe', 'changée', 'numéro 7', 'garantie 1003', 'lampe 12 garantie']);
    const memories = await live(at);
    const rows = await service.db.searchDocument.findMany({ where: { accountId: at.accountId } });
    expect(rows.map(({ memoryId }) => memoryId).sort()).toEqual(memories.map(({ id }) => id).sort());
  });

  test('small segments become one, and what is gone of them is gone from the index', async () => {
    const at = await setting();
    const ids: string[] = [];
    for (let i = 0; i < 9; i++) {
      ids.push(...(await add(at, [{ title: `Secret ${i}`, body: `contenu${i} partagé` }])));
      await indexPending(at.ctx, { accountId: at.accountId, everything: true });
    }
    const where = { accountId: at.accountId };
    expect(await service.db.searchSegment.count({ where })).toBeLessThan(4);
    await service.db.memory.deleteMany({ where: { id: { in: ids.slice(0, 5) } } });
    await indexPending(at.ctx, { accountId: at.accountId });
    expect(await service.db.searchDead.count({ where })).toBe(0);
    const pages = await service.db.searchPage.findMany();
    expect(pages.filter(({ data }) => Buffer.from(data).includes('contenu3'))).toEqual([]);
    await expectExact(at, ['secret', 'partagé', 'contenu3', 'contenu7']);
  });

  test('a night takes the words of one erased Memory out of a segment of forty', async () => {
    const at = await setting();
    const ids = await add(
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
    await expectExact(at, ['motsecret7', 'motsecret8', 'commun']);
  });

  test('a night asks for what is to be tidied without reading what every account has in its segments', async () => {
    const at = await setting();
    const notes = Array.from({ length: 200 }, (_, i) => ({ title: `Note ${i}`, body: `rangée${i}` }));
    const ids = await add(at, notes);
    await indexPending(at.ctx, { accountId: at.accountId, everything: true });
    await service.db.memory.deleteMany({ where: { id: ids[0] as string } });
    const large = `INSERT INTO "SearchDocument" ("memoryId", "accountId", "segmentId", "number", "bytes")
      SELECT 'large' || n, 'large', 1, n, 10 FROM generate_series(1, 20000) AS n`;
    await service.pool.query(large);
    await service.pool.query('VACUUM ANALYZE "SearchDocument"');
    const of = ({ label }: { label: string }) => label === 'search.untidy';
    const { kysely, plans } = explainedQueries(service, { of, off: NO_SHORT_CUTS });
    try {
      expect(await tidyIndex({ ...at.ctx, kysely })).toBeGreaterThan(0);
    } finally {
      await service.db.searchDocument.deleteMany({ where: { accountId: 'large' } });
    }
    expect(await service.db.searchDead.count({ where: { accountId: at.accountId } })).toBe(0);
    expect(plans).toHaveLength(1);
    // What waits, by its own index; from one account with marks to the next.
    expect(plans[0]).toMatch(/"SearchDocument_waiting_idx" on "SearchDocument"/);
    expect(plans[0]).toMatch(/Index Cond: .*"accountId" > /);
    expect(plans[0]).not.toContain('Seq Scan');
  });

  test('a night that fails on one account tidies those after it all the same, and fails', async () => {
    const places = [await setting(), await setting()] as const;
    for (const at of places) {
      const [id] = await add(at, [
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
    await tidyIndex((await setting()).ctx);
    const places = [await setting(), await setting(), await setting()];
    places.sort((a, b) => (a.accountId < b.accountId ? -1 : 1));
    const written = new Map<string, string[]>();
    for (const at of places) {
      const notes = ['un', 'deux', 'trois', 'quatre', 'cinq'].map((body) => ({ title: 'Note', body }));
      written.set(at.accountId, await add(at, notes));
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

  test('that another process never lets go of is not waited for without end: the search says when to come again', async () => {
    const at = await setting();
    await add(
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
    const at = await setting();
    await add(at, [{ title: 'Lampe', body: 'Une lampe.' }]);
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

  test('an account of before the index is searched whole at once, then from segments', async () => {
    const at = await setting();
    await add(
      at,
      Array.from({ length: 400 }, (_, i) => ({
        title: `Ancienne ${i}`,
        body: `texte ${i * 7} ancien`,
        day: i % 20,
      })),
    );
    // As the migration leaves it: rows, and no segment.
    expect(await service.db.searchSegment.count({ where: { accountId: at.accountId } })).toBe(0);
    await expectExact(at, ['ancienne', 'texte 693', 'ancien']);
    expect(await service.db.searchSegment.count({ where: { accountId: at.accountId } })).toBeGreaterThan(0);
  });

  test('a write adds one row to the index, whatever its text, and leaves the words for later', async () => {
    const at = await setting();
    let body = '';
    for (let i = 0; body.length < 130_000; i++) body += `${(i * 7919 + 100_003).toString(36)} `;
    const before = await rowsOfIndex();
    await add(at, [{ title: 'Lexique', body }]);
    expect((await rowsOfIndex()) - before).toBe(1);
    await indexPending(at.ctx, { accountId: at.accountId, everything: true });
    await expectExact(at, [(7919 * 7 + 100_003).toString(36), '1j']);
  });

  test('an import of many Memories is indexed without any of its words being lost', async () => {
    const at = await setting();
    const drafts = Array.from({ length: 700 }, (_, i) => ({
      title: `Fiche ${i}`,
      body: `${(i * 48_271).toString(36)} partie ${i % 13}`,
      day: i % 30,
    }));
    await add(at, drafts);
    await indexPending(at.ctx, { accountId: at.accountId });
    const scorer = new ExhaustiveScorer(await live(at));
    for (let i = 0; i < 700; i += 53) {
      const q = (i * 48_271).toString(36);
      const [first] = scorer.rank(parseQuery(q));
      const { data } = await searchMemories(at.ctx, { q, limit: 1 });
      expect(data[0]?.memoryId).toBe(first?.document.id);
    }
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

describe('odd queries are answered', () => {
  test.each([
    ['one letter', 'l'],
    ['function words alone', 'le de la et the of'],
    ['emoji alone', '👩‍👩‍👧 🚀 ❤️'],
    ['the same word 66 times', 'la '.repeat(66)],
    [
      'more words than are looked for',
      Array.from({ length: 36 }, (_, i) => `x${(35 - i).toString(36)}`).join(' '),
    ],
    ['one letter 100 times', 'a '.repeat(100)],
    ['right to left', 'שלום עולם مرحبا'],
    ['unassigned code points', '\u0378\u{e0080}\u{10fffe}'],
    ['a quote never closed', '"lampe de bureau'],
    ['operators', 'lampe AND (NOT | & !) :* <->'],
    ['lone surrogates', '\ud83d lampe \udc00'],
    ['ligatures that stand for four words', '\ufdfa'.repeat(200)],
    ['one very long word', 'x'.repeat(200)],
    ['a NUL', 'lam\u0000pe'],
  ])('%s', async (_, q) => {
    const at = await setting();
    await add(at, [
      { title: 'Lampe de bureau', body: 'a b c la le, שלום עולם, مرحبا, 🚀 ❤️' },
      { title: 'x'.repeat(200), body: `${'x'.repeat(70_000)} \ufdfa` },
    ]);
    await expectExact(at, [q]);
    await indexPending(at.ctx, { accountId: at.accountId, everything: true });
    await expectExact(at, [q]);
  });
});

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
