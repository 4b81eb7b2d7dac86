import { describe, expect, test } from 'vitest';
import { weighPassages } from '#lib/brain/search/evidence.ts';
import { parseQuery } from '#lib/brain/search/matching/query.ts';
import { countNamed } from '#lib/brain/search/named-spaces.ts';
import { rankDocuments, type SearchDocument } from '#tests/eval/exhaustive.ts';

const updatedAt = new Date('2026-01-01T00:00:00Z');
const memory = (id: string, body: string, title = 'Note'): SearchDocument => ({ id, title, body, updatedAt });

/** Few Memories of a brand contain its name, and those are about something else. */
const DOCUMENTS = [
  memory('promise', 'Maison Lumen éclaire sans éblouir.', 'Notre promesse'),
  memory('about', 'Maison Lumen se tient entre le design et l’artisanat.', 'Positionnement'),
  memory('calendar', 'Les soldes n’existent pas chez nous.', 'Calendrier des séries'),
  memory('image', 'La palette tient en cinq couleurs.', 'Image et lumière'),
  memory('workshop', 'L’atelier ouvre le vendredi.', 'Portes ouvertes'),
  ...Array.from({ length: 20 }, (_, i) => memory(`other-${i}`, 'Une lampe posée là.')),
];
const SPACES = [{ id: 'spc', name: 'Maison Lumen' }];

function ask(q: string, spaces = SPACES) {
  const query = parseQuery(q);
  const countIn = (id: string) => (id === 'spc' ? DOCUMENTS.length - 4 : 2);
  countNamed(query, spaces, { total: DOCUMENTS.length, countIn });
  return { query, found: rankDocuments(query, DOCUMENTS) };
}
const firstOf = (q: string) => ask(q).found[0]?.document.id;

describe('the name of a Space says where, not what', () => {
  test.each([
    ['Maison Lumen fait-elle des soldes\u00a0?', 'calendar'],
    ['Quelle est la palette de Maison Lumen\u00a0?', 'image'],
    ['Quand ouvre l’atelier de la maison Lumen\u00a0?', 'workshop'],
    ['MAISON LUMEN SOLDES', 'calendar'],
  ])('« %s »', (q, expected) => {
    expect(firstOf(q)).toBe(expected);
  });

  test('asked alone, it is looked for as any words are', () => {
    const { query, found } = ask('Maison Lumen');
    expect(query.words.map(({ weight }) => weight)).toEqual([1, 1]);
    expect(found.map(({ document }) => document.id).toSorted()).toEqual(['about', 'promise']);
  });

  test('a part of it, or the name of a Space with few Memories, weighs what it weighed', () => {
    const plain = (q: string) =>
      rankDocuments(parseQuery(q), DOCUMENTS).map(({ document, score }) => [document.id, score]);
    for (const q of ['la maison et ses soldes', 'Lumen soldes', 'soldes du carnet'])
      expect(
        ask(q, [...SPACES, { id: 'other', name: 'Soldes' }, { id: 'notes', name: 'Le Carnet' }]).found.map(
          ({ document, score }) => [document.id, score],
        ),
        q,
      ).toEqual(plain(q));
  });

  test('a Memory need not repeat it to hold all the words', () => {
    const all = ask('couleurs de la palette Maison Lumen').found.map(({ document, explanation }) => [
      document.id,
      explanation.allWords,
    ]);
    expect(all[0]).toEqual(['image', true]);
    expect(all.slice(1).map(([, allWords]) => allWords)).not.toContain(true);
  });

  test('no typing error is looked for in it, where no Memory says it: it is no word that nothing holds', () => {
    const spaces = [{ id: 'spc', name: 'Verdoux' }];
    const { query } = ask('la palette Verdoux', spaces);
    expect(query.words.map(({ text, named, level }) => [text, named, level])).toEqual([
      ['palette', 0, 'start'],
      ['verdoux', DOCUMENTS.length - 4, 'start'],
    ]);
  });

  test('a sentence that says it answers no more for that, in a context about a question', () => {
    const { query } = ask('soldes Maison Lumen');
    const hit = { title: 0, body: 0, titlePlaces: [], bodyPlaces: [1] };
    const [sale = 0, house = 0, lumen = 0] = weighPassages(query, [[hit, hit, hit]], 100);
    expect(sale).toBe(1);
    expect([house, lumen]).toEqual([0.05, 0.05]);
    expect(weighPassages(ask('Maison Lumen').query, [[hit, hit]], 100)).toEqual([1, 1]);
  });
});
