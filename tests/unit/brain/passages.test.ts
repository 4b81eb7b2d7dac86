import { describe, expect, it } from 'vitest';
import { parseQuery } from '#lib/brain/search/matching/query.ts';
import { findMatches, passagesOf } from '#tests/factories/text-steps.ts';

const show = (body: string, q: string, room: number) =>
  passagesOf(body, findMatches(parseQuery(q), body), room);
/** In characters: no passage under a title gets less room than this. */
const LEAST_ROOM = 64;
/** The different texts shown for every size of the room. */
const shownOf = (body: string, q: string) => {
  const all = new Set(
    Array.from({ length: body.length + 20 }, (_, more) => show(body, q, LEAST_ROOM + more)),
  );
  expect([...all].join(''), `passages about ${q}`).not.toBe('');
  return all;
};

const SERVICES = [
  'Réparer. Toute lampe est réparée à l’atelier, quel que soit son âge. Le devis est annoncé avant d’ouvrir la lampe.',
  'Louer. Cafés et salles de concert peuvent louer un éclairage complet. Le contrat dure trois ans.',
  'Conseiller. Une heure à l’atelier, gratuite, sans obligation : on apporte un plan.',
].join('\n\n');

describe('what a passage never ends or begins with', () => {
  it('the word that opens a paragraph is never shown without its first sentence, however much room there is', () => {
    for (const q of ['devis', 'atelier', 'louer', 'contrat'])
      for (const shown of shownOf(SERVICES, q))
        expect(shown).not.toMatch(/(Réparer|Louer|Conseiller)\.\u00a0?…/);
  });

  it('nor is a heading without what stands under it', () => {
    const body =
      '## Réparer\n\nLe devis est annoncé avant.\n\n## Louer !\nLe contrat dure trois ans.\n\n## Conseiller\r\n\r\nUne heure.';
    for (const q of ['devis', 'louer', 'heure'])
      for (const shown of shownOf(body, q))
        expect(shown).not.toMatch(/(Réparer|Louer|Louer !|Conseiller)\u00a0?…/);
  });

  it('a sentence of a word or two is not shown alone, out of its place, to fill the room', () => {
    const long = 'Le voisin raconte longuement son voyage, ses valises, la gare et tous ses trains. ';
    const body = `La lampe est garantie cinq ans. ${long.repeat(12)}Mais non ! ${long.repeat(3)}`;
    for (const shown of shownOf(body, 'garantie')) expect(shown).not.toMatch(/…\nMais non !\u00a0…/);
  });

  it('lines of a list stay one by one', () => {
    const body = `- lampe garantie\n- ${'bois du Jura '.repeat(20)}\n- abat-jour\n- câble`;
    expect(show(body, 'garantie', 30)).toBe('- lampe garantie…');
  });

  it('nor is a sentence cut at an acronym, a name or an abbreviation, nor its closing quotation left to the next one', () => {
    const rest = 'Le voisin raconte longuement son voyage, ses valises, la gare et tous ses trains. ';
    for (const sentence of [
      'Le R.G.P.D. Européen oblige à la lampe garantie.',
      'La lampe est garantie par M. Hue et Mme. Morvan.',
      'La lampe est garantie env. 30 ans, p. 12, art. 4 du contrat.',
      'Abat-jour, câbles, etc. sont ceux d’une lampe garantie.',
      'La lampe garantie de 6.5 W répond\u00a0: «\u00a0Et si ça casse\u00a0?\u00a0»',
    ]) {
      const body = `${rest.repeat(4)}${sentence} ${rest.repeat(4)}`;
      const shown = show(body, 'garantie', sentence.length + 20);
      expect(shown.replace('\u00a0…', '…')).toBe(`…${sentence}…`);
    }
  });
});
