import { describe, expect, test } from 'vitest';
import { parseQuery } from '#lib/brain/search/matching/query.ts';
import { MAX_SNIPPET, matchRanges } from '#lib/brain/search/snippet.ts';
import { rankDocuments, type SearchDocument } from '#tests/eval/exhaustive.ts';
import { makeSnippet } from '#tests/factories/text-steps.ts';

const at = new Date('2026-01-01T00:00:00Z');
const memory = (id: string, title: string, body: string, updatedAt = at): SearchDocument => ({
  id,
  title,
  body,
  updatedAt,
});
const ids = (q: string, documents: SearchDocument[]) =>
  rankDocuments(parseQuery(q), documents).map(({ document }) => document.id);

describe('rankDocuments', () => {
  test('one word in the title beats any number of mentions in the body', () => {
    const often = memory('often', 'Autre sujet', 'couleur '.repeat(40));
    expect(
      ids('couleur', [
        often,
        memory('title', 'La couleur dans la charte de la maison et ses règles', 'Rien.'),
      ]),
    ).toEqual(['title', 'often']);
    expect(ids('coul', [often, memory('title', 'Coulissements', 'Rien.')])).toEqual(['title', 'often']);
  });

  test('a rare word in a body beats a common one in a title; the common word by itself is worth more in the title', () => {
    const rare = memory('rare', 'Note', 'Une grève des agents.');
    const common = memory('common', 'Le ton de la maison et ses règles', 'Rien.');
    const others = Array.from({ length: 40 }, (_, i) =>
      memory(`other-${i}`, 'Note', i < 10 ? 'Un autre ton.' : 'Rien.'),
    );
    expect(ids('notre ton grève', [rare, common, ...others]).slice(0, 2)).toEqual(['rare', 'common']);
    expect(ids('notre ton', [rare, common, ...others])[0]).toBe('common');
  });

  test('the whole phrase beats the same words apart, in the title and in the body', () => {
    const apart = memory('apart', 'Note', 'Une identité forte, et une charte visuelle.');
    const phrase = memory('phrase', 'Note', 'Une charte forte, et une identité visuelle.');
    expect(ids('identité visuelle', [apart, phrase])).toEqual(['phrase', 'apart']);
    // In another order, side by side and four times: the words score more, but the phrase still wins.
    const often = memory('often', 'Note', 'Une visuelle identité, puis rien d’autre ici. '.repeat(4));
    expect(ids('identité visuelle', [often, phrase])).toEqual(['phrase', 'often']);
    expect(
      ids('ton de voix', [
        memory('a', 'Voix et ton de marque', 'x'),
        memory('b', 'Marque et ton de voix', 'x'),
      ]),
    ).toEqual(['b', 'a']);
  });

  test('all the words in the body beat one of them in the title; some of the words still count', () => {
    const all = memory('all', 'Note', 'La palette du logo.');
    const one = memory('one', 'Palette', 'Rien.');
    expect(ids('palette logo', [one, all])).toEqual(['all', 'one']);
  });

  test('a word of the same family is about the word, and is not it: the words of a query are all there only where each is, itself or in another form', () => {
    const about = memory('about', 'Élise Verdoux', 'Fondatrice et présidente.');
    const far = 'pour les marchés de la Drôme et ceux de la vallée, dans une ancienne filature de laine';
    const both = memory('both', 'Histoire', `Fondée en 1987 ${far}, la maison est à Élise.`);
    const others = Array.from({ length: 20 }, (_, i) => memory(`other-${i}`, 'Savon', 'Il sèche un mois.'));
    for (const q of ['fondée élise', 'FONDEES ELISE']) {
      const found = rankDocuments(parseQuery(q), [about, both, ...others]);
      expect(found.map(({ document, explanation }) => [document.id, explanation.allWords])).toEqual([
        ['both', true],
        ['about', false],
      ]);
    }
  });

  test('function words alone do not make a result beside words that name something, but are a query by themselves', () => {
    const documents = [memory('a', 'Le logo de la marque', 'Dans la charte.')];
    expect(ids('le kayak dans la mer', documents)).toEqual([]);
    expect(ids('dans la', documents)).toEqual(['a']);
  });

  test('a word is looked for inside words only when it starts none', () => {
    const documents = [
      memory('inside', 'Porte-savon', 'Phénoxyéthanol'),
      memory('start', 'Éthanol', 'Alcool'),
    ];
    expect(ids('ethanol', documents)).toEqual(['start']);
    expect(ids('oxy', documents)).toEqual(['inside']);
  });

  test('equal scores: the latest change first, then the identifier', () => {
    const later = new Date('2026-02-01T00:00:00Z');
    expect(
      ids('logo', [memory('b', 'Logo', 'x'), memory('a', 'Logo', 'x'), memory('c', 'Logo', 'x', later)]),
    ).toEqual(['c', 'a', 'b']);
  });

  test('a query without a word finds nothing', () => {
    expect(ids('!!! — …', [memory('a', 'Titre', 'Corps')])).toEqual([]);
  });

  test('an explanation says where each word was found', () => {
    const [best] = rankDocuments(parseQuery('identités visuelle'), [
      memory('a', 'Identité', 'Charte visuelle'),
    ]);
    expect(best?.explanation).toEqual({
      inTitle: true,
      inBody: true,
      exactPhrase: null,
      allWords: true,
      words: [
        { word: 'identites', title: 'stem', body: null },
        { word: 'visuelle', title: null, body: 'exact' },
      ],
    });
  });
});

describe('makeSnippet and matchRanges', () => {
  const filler = 'Voici une phrase qui parle d’autre chose. '.repeat(30);

  test('a snippet shows the best match of a long body, from the start of its sentence when that is near', () => {
    const snippet = makeSnippet(
      parseQuery('identité visuelle'),
      `${filler}Ici, l’identité visuelle change. ${filler}`,
    );
    expect(snippet.startsWith('…Ici, l’identité visuelle')).toBe(true);
    expect(snippet.length).toBeLessThanOrEqual(MAX_SNIPPET);
  });

  test('an ellipsis after the end of a sentence stands apart from its mark, within the length', () => {
    const sentence = 'Elle dure dix fois. ';
    for (let before = 1; before <= 40; before++) {
      const body = `${'x'.repeat(before)} ${sentence.repeat(40)}`;
      const snippet = makeSnippet(parseQuery('dure'), body);
      expect(snippet).not.toMatch(/[.!?…]…/);
      expect(snippet).toMatch(/[^\s]…$|\.\u00a0…$/);
      expect(snippet.length).toBeLessThanOrEqual(MAX_SNIPPET);
    }
  });

  test('a short body is shown whole, and a title match shows the beginning', () => {
    expect(makeSnippet(parseQuery('logo'), '  Le logo.\r\nFin.  ')).toBe('Le logo.\r\nFin.');
    expect(makeSnippet(parseQuery('absent'), filler).startsWith('Voici une phrase')).toBe(true);
  });

  test('ranges cover the original characters: whole word for an inflected form, matching part for a prefix', () => {
    const cut = (q: string, text: string) =>
      matchRanges(parseQuery(q), text).map(({ start, end }) => text.slice(start, end));
    expect(cut('couleurs', 'Nos Couleurs, une couleur')).toEqual(['Couleurs', 'couleur']);
    expect(cut('typo', 'La typographie')).toEqual(['typo']);
    expect(cut('coe', 'Le cœur')).toEqual(['cœ']);
    expect(cut('co', 'Le cœur')).toEqual(['cœ']);
    expect(cut('ete', 'un e\u0301te\u0301 !')).toEqual(['e\u0301te\u0301']);
    expect(cut('oxy', 'phénoxyéthanol')).toEqual(['oxy']);
    expect(cut('la marque', 'la marque')).toEqual(['marque']);
  });
});
