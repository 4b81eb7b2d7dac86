import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { confirmSimilar, isUnlike } from '#lib/brain/likeness/similar.ts';
import { pairing, shared, sketchOf } from '#lib/brain/likeness/sketch.ts';
import { MIN_SIMILARITY } from '#lib/brain/likeness/statements.ts';
import { fold, foldWords, scanningWords, wordText } from '#lib/brain/search/matching/fold.ts';
import { analysingMemory } from '#lib/brain/search/matching/terms.ts';
import { seededRandom } from '#tests/bench/search-corpus.ts';
import { CORPUS } from '#tests/bench/search-fr/corpus.ts';
import { WRITTEN } from '#tests/bench/search-fr/written.ts';
import { sketchRecall, spoil } from '#tests/eval/likeness.ts';
import { pairsOf } from '#tests/factories/text-steps.ts';

const ACCOUNT = 'acc_1';
const bandsOf = async (title: string, body: string) => (await sketchOf(ACCOUNT, pairsOf(title, body))).bands;
const likeness = (a: { title: string; body: string }, b: { title: string; body: string }) =>
  shared(pairsOf(a.title, a.body), pairsOf(b.title, b.body));

describe('the likeness of two texts', () => {
  test('is that of the sets of pairs of neighbouring folded words, whatever the texts', () => {
    const word = fc.constantFrom('la', 'Lampe', 'ÉTÉ', 'cœur', 'l’eau', 'x', '12', '—', '\n\n', 'été.');
    const text = fc.array(word, { maxLength: 40 }).map((words) => words.join(' '));
    const pairs = (words: string[]) =>
      new Set(words.length === 1 ? words : words.slice(1).map((next, i) => `${words[i]} ${next}`));
    fc.assert(
      fc.property(text, text, text, text, (titleA, a, titleB, b) => {
        const [left, right] = [`${titleA} ${a}`, `${titleB} ${b}`].map((whole) =>
          pairs(fold(whole).split(' ').filter(Boolean)),
        ) as [Set<string>, Set<string>];
        const both = [...left].filter((one) => right.has(one)).length;
        const expected = left.size === 0 || right.size === 0 ? 0 : both / new Set([...left, ...right]).size;
        expect(likeness({ title: titleA, body: a }, { title: titleB, body: b })).toBe(expected);
      }),
      { numRuns: 300 },
    );
  });

  test('spaces, case, accents and punctuation change neither it nor a band', async () => {
    for (const { title, body } of CORPUS.slice(0, 60)) {
      const other = ` ${title.toUpperCase()}\n`;
      const changed = body
        .normalize('NFD')
        .replaceAll(/[\u0300-\u036f]/g, '')
        .replaceAll(' ', ' \n ')
        .toUpperCase();
      expect(likeness({ title, body }, { title: other, body: changed })).toBe(1);
      expect(await bandsOf(title, body)).toEqual(await bandsOf(other, changed));
    }
  });

  test('a word in sixteen changed: still told alike, and found by a band; texts written apart are not half so alike', async () => {
    const random = seededRandom(7);
    // Ten bodies together: in the thirty words of one, the changed sixteenth may be none or five.
    const long = Array.from({ length: Math.floor(WRITTEN.length / 10) }, (_, i) => {
      const ten = WRITTEN.slice(i * 10, i * 10 + 10);
      return { title: ten[0]?.[2] ?? '', body: ten.map(([, , , body]) => body).join(' ') };
    });
    expect(long.length).toBeGreaterThan(4);
    for (const memory of long) {
      const changed = { title: memory.title, body: spoil(memory.body, 1 / 16, random) };
      expect(likeness(memory, changed)).toBeGreaterThanOrEqual(MIN_SIMILARITY);
      expect(likeness(memory, changed)).toBeLessThan(1);
      const bands = new Set(await bandsOf(memory.title, memory.body));
      expect((await bandsOf(changed.title, changed.body)).some((band) => bands.has(band))).toBe(true);
    }
    // Only texts written one by one: the rest of the corpus consists of forms, where five of 52,003 pairs are filled in alike.
    const all = WRITTEN.map(([, , title, body]) => pairsOf(title, body));
    expect(all.length).toBeGreaterThan(50);
    for (const [i, left] of all.entries())
      for (const right of all.slice(0, i)) expect(shared(left, right)).toBeLessThan(MIN_SIMILARITY / 2);
  });

  test('is told from 0.6 on, in hundredths rounded down, of three at most, the most alike first', async () => {
    const words = 'alpha bravo charlie delta écho foxtrot golf hôtel india juliette kilo'.split(' ');
    const pairs = pairsOf('', words.join(' '));
    const first = (count: number, more = '') => `${words.slice(0, count).join(' ')}${more}`;
    const texts = {
      six: first(7),
      seven: first(8, ' zoulou'),
      less: first(8, ' zoulou yankee'),
      eight: first(9),
      all: first(11).toUpperCase(),
    };
    const told = async (...ids: (keyof typeof texts)[]) => {
      const candidates = ids.map((id) => ({ id, spaceId: 'spc', title: '', body: texts[id] }));
      const sketch = { pairs: pairs.length, bands: [] };
      const found = await confirmSimilar({ pairs, sketch }, { crowded: [], candidates });
      return found.map(({ id, similarity }) => [id, similarity]);
    };
    // Of 10 pairs: 6 of 10, 7 of 11, 7 of 12, 8 of 10, all.
    expect(await told('six', 'less')).toEqual([['six', 0.6]]);
    expect(await told('six', 'seven', 'eight', 'all')).toEqual([
      ['all', 1],
      ['eight', 0.8],
      ['seven', 0.63],
    ]);
  });

  test('of the couples that an exhaustive comparison finds, bands find 99 % from 0.8 on and 98 % from 0.6 on', async () => {
    const { from08, from06 } = await sketchRecall(600);
    expect(from08.found / from08.all).toBeGreaterThanOrEqual(0.99);
    expect(from06.found / from06.all).toBeGreaterThanOrEqual(0.98);
    expect(from06.all).toBeGreaterThan(200);
  });

  test('a text that grew much, that was cut to a part of it or divided says no other thing; one of another subject does, however long', async () => {
    const said = (from: number, to: number) =>
      WRITTEN.slice(from, to)
        .map(([, , , body]) => body)
        .join(' ');
    const note = (body: string) => ({ title: 'Guide', body });
    const [short, revised, whole, other] = [
      note(said(0, 1)),
      note(`Nouveau\u00a0: ${said(0, 1)} Voir plus bas.`),
      note(said(0, 40)),
      note(said(40, 80)),
    ];
    expect(shared(pairsOf('Guide', short.body), pairsOf('Guide', whole.body))).toBeLessThan(0.05);
    for (const part of [short, revised])
      expect([await isUnlike(part, whole), await isUnlike(whole, part)]).toEqual([false, false]);
    for (const [one, two] of [
      [short, other],
      [other, short],
      [whole, other],
    ] as const)
      expect(await isUnlike(one, two)).toBe(true);
    expect(await isUnlike(note('Pain.'), note('Lait.'))).toBe(false);
    expect(await isUnlike({ title: 'Courses', body: 'Pain.' }, { title: 'Réunion', body: 'Lundi.' })).toBe(
      true,
    );
  });

  test('a sketch says the same of the same text, nothing that another account’s sketch says, and nothing of a text without words', async () => {
    const pairs = pairsOf('Promesse', 'Éclairer sans éblouir, chaque soir de l’année.');
    const first = await sketchOf('acc_1', pairs);
    expect(await sketchOf('acc_1', pairs)).toEqual(first);
    const other = new Set((await sketchOf('acc_2', pairs)).bands);
    expect(first.bands.filter((band) => other.has(band))).toEqual([]);
    expect(first.bands).toHaveLength(21);
    expect(await sketchOf('acc_1', pairsOf('🕯', '— !'))).toEqual({ pairs: 0, bands: [] });
    expect((await sketchOf('acc_1', pairsOf('', 'bougie'))).pairs).toBe(1);
  });

  test('128 KiB of distinct words, of one letter, or of ligatures of four words: at most 65,535 words are read', async () => {
    const size = 128 * 1024;
    const texts = [
      Array.from({ length: 20_000 }, (_, i) => i.toString(36))
        .join(' ')
        .slice(0, size),
      'a b '.repeat(size / 4),
      '\ufdfa'.repeat(Math.floor(size / 3)),
    ];
    const counts = texts.map((text) => pairsOf('Titre', text).length);
    expect(counts).toEqual([20_000, 3, 5]);
    const whole = pairsOf('', `${'a b '.repeat(32_767)}fin cachée`);
    expect(shared(whole, pairsOf('', `${'a b '.repeat(32_767)}fin`))).toBe(1);
  });

  test('a text of 128 KiB is cut in many steps, and in steps as at once', () => {
    for (const piece of [
      '\ufdfa',
      'le ',
      'a',
      '12/05/2023 ',
      '1 200 000 ',
      'Éléphant d’Asie. ',
      'R.G.P.D. ',
    ]) {
      const text = piece.repeat(Math.floor((128 * 1024) / Buffer.byteLength(piece)));
      for (const cutting of [pairing('Titre', text), analysingMemory('Titre', text)]) {
        let steps = 0;
        while (!cutting.next().done) steps += 1;
        expect(steps, piece).toBeGreaterThanOrEqual(8);
      }
      const words: string[] = [];
      const scan = scanningWords(text, (word) => words.push(`${word.start} ${word.end} ${wordText(word)}`));
      while (!scan.next().done) fold('un autre texte, lu entre deux pas');
      expect(words).toEqual(foldWords(text).map(({ start, end, text }) => `${start} ${end} ${text}`));
    }
  });
});
