import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { indexPending } from '#lib/brain/search/index/maintain.ts';
import { parseQuery } from '#lib/brain/search/matching/query.ts';
import { searchMemories } from '#lib/brain/search/search-memories.ts';
import { ExhaustiveScorer } from '#tests/eval/exhaustive.ts';
import { useTestService } from '#tests/setup/service.ts';
import { add, expectExact, live, setting } from './indexed.ts';

const service = useTestService();

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
          const at = await setting(service);
          const ids: string[] = [];
          for (const one of steps) {
            if (one.kind === 'add') ids.push(...(await add(service, at, one.drafts)));
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
          await expectExact(service, at, queries);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('a number and its unit, apart in some texts and one word in others, in segments and out of them', async () => {
    const at = await setting(service);
    const long = `${'De l’eau. '.repeat(80)}Un bidon de 5 L.`;
    const often = `${'Le 1 vaut. '.repeat(80)}1 200 g`;
    const thousands = ['1 200 g', '1\u202f200\u202fg', '1200g', '1200 par g', often];
    const bodies = ['30 ml', '30ml', '300 ml', '30 jours', long, '5L', ...thousands];
    const drafts = bodies.map((body, day) => ({ title: `Fiche ${body.slice(0, 6)}`, body, day }));
    const queries = ['30ml', '30 ml', '5L', '5 L', '300ml', 'fiche 30 ml', 'ml', '1200g', '1 200 g', '1200'];
    await add(service, at, drafts);
    await expectExact(service, at, queries);
    await indexPending(at.ctx, { accountId: at.accountId, everything: true });
    await expectExact(service, at, queries);
    const { data } = await searchMemories(at.ctx, { q: '30ml' });
    expect(data.map(({ title }) => title)).toEqual(['Fiche 30ml', 'Fiche 30 ml']);
  });

  test('a word of letters of two units is found as any other, in segments and out of them, also where both hold it', async () => {
    const at = await setting(service);
    const adlam = (day: number) => ({ title: `Fiche ${day}`, body: `Pulaar\u00a0: 𞤀𞤣𞤤𞤢𞤥 𞤆𞤵𞤤𞤢𞤪 ${day}`, day });
    const chinese = { title: '𠮷𠮷', body: 'Enseigne ab𠮷野, dite 𠮷野家.', day: 1 };
    const queries = ['𞤀𞤣𞤤𞤢𞤥', '𞤢𞤣𞤤', '𞤆𞤵𞤤𞤢𞤪 𞤀𞤣𞤤𞤢𞤥', '𠮷𠮷', '𠮷', 'ab𠮷', 'ab𠮷野', '𠮷野家'];
    await add(service, at, [adlam(2), chinese]);
    await expectExact(service, at, queries);
    await indexPending(at.ctx, { accountId: at.accountId, everything: true });
    await expectExact(service, at, queries);
    await add(service, at, [adlam(3), { ...chinese, day: 4 }]);
    await expectExact(service, at, queries);
    const { data } = await searchMemories(at.ctx, { q: '𞤀𞤣𞤤𞤢𞤥' });
    expect(data.map(({ title }) => title)).toEqual(['Fiche 3', 'Fiche 2']);
  });

  test('an account of before the index is searched whole at once, then from segments', async () => {
    const at = await setting(service);
    await add(
      service,
      at,
      Array.from({ length: 400 }, (_, i) => ({
        title: `Ancienne ${i}`,
        body: `texte ${i * 7} ancien`,
        day: i % 20,
      })),
    );
    // As the migration leaves it: rows, and no segment.
    expect(await service.db.searchSegment.count({ where: { accountId: at.accountId } })).toBe(0);
    await expectExact(service, at, ['ancienne', 'texte 693', 'ancien']);
    expect(await service.db.searchSegment.count({ where: { accountId: at.accountId } })).toBeGreaterThan(0);
  });

  test('an import of many Memories is indexed without any of its words being lost', async () => {
    const at = await setting(service);
    const drafts = Array.from({ length: 700 }, (_, i) => ({
      title: `Fiche ${i}`,
      body: `${(i * 48_271).toString(36)} partie ${i % 13}`,
      day: i % 30,
    }));
    await add(service, at, drafts);
    await indexPending(at.ctx, { accountId: at.accountId });
    const scorer = new ExhaustiveScorer(await live(service, at));
    for (let i = 0; i < 700; i += 53) {
      const q = (i * 48_271).toString(36);
      const [first] = scorer.rank(parseQuery(q));
      const { data } = await searchMemories(at.ctx, { q, limit: 1 });
      expect(data[0]?.memoryId).toBe(first?.document.id);
    }
  });
});

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
    const at = await setting(service);
    await add(service, at, [
      { title: 'Lampe de bureau', body: 'a b c la le, שלום עולם, مرحبا, 🚀 ❤️' },
      { title: 'x'.repeat(200), body: `${'x'.repeat(70_000)} \ufdfa` },
    ]);
    await expectExact(service, at, [q]);
    await indexPending(at.ctx, { accountId: at.accountId, everything: true });
    await expectExact(service, at, [q]);
  });
});
