import { describe, expect, test } from 'vitest';
import { parseQuery } from '#lib/brain/search/matching/query.ts';
import { sentenceEnds } from '#lib/brain/search/matching/sentences.ts';
import { makeSnippet } from '#tests/factories/text-steps.ts';

/** The sentences of a text, trimmed. */
function sentencesOf(text: string): string[] {
  const ends = [...sentenceEnds(text), text.length];
  return ends.map((end, at) => text.slice(ends[at - 1] ?? 0, end).trim()).filter((one) => one !== '');
}

describe('a sentence goes on after the stop', () => {
  test.each([
    ['of an acronym', 'Le R.G.P.D. Européen s’applique, la S.A.R.L. Dupont aussi, et le P.-D.G. Morvan.'],
    ['of what says who is named', 'M. Hue, Mme. Morvan, MM. Keller et Perrin, le Dr. House et Mr. Bean.'],
    ['of initials', 'Écrit par J. R. R. Tolkien et J.-C. Martin, relu par A. Morvan.'],
    ['before a number', 'Voir p. 12, art. 4, n. 3, fig. 2, chap. 7 et vol. 2 du registre.'],
    ['before a code', 'Voir art. L. 121-1, chap. IV et réf. AB12 du catalogue.'],
    ['of a word cut short', 'Env. 30 lampes, env. trente, max. 40, tél. 02 40 00 00 00, oct. 2025.'],
    ['of a list that goes on', 'Les lampes, abat-jour, câbles, etc. sont réparés, c.-à-d. remis en service.'],
    [
      'of what is named after it',
      'Voir cf. Annexe, av. Foch, Lumen vs. Ombre, p. ex. le frêne, i.e. le bois.',
    ],
    ['in a decimal number', 'Elle consomme 6.5 W, ou 6,5 W, pèse 1.200 kg et coûte 1.290,50 €.'],
    ['of what is said in it', '«\u00a0Et si ça casse\u00a0?\u00a0» demande Hélène.'],
  ])('%s', (_, text) => {
    expect(sentencesOf(text)).toEqual([text]);
  });
});

describe('a sentence ends', () => {
  test.each([
    ['at its marks', ['Une lampe.', 'Deux\u00a0!', 'Trois…', 'Quatre ?']],
    ['at each line', ['- frêne', '- laiton, etc.', '- lin']],
    [
      'after a word cut short, before a capital',
      ['Frêne, laiton, etc.', 'Nous livrons 40 lampes max.', 'L’été aussi.'],
    ],
    [
      'after words that abbreviations look like',
      ['Un objet d’art.', 'Le plan est simple.', 'Elle dit non.', 'Puis rien.'],
    ],
    [
      'after an address or a version, which are no acronyms',
      ['Écrire à a@b.fr.', 'Version 1.2.', 'Voir a.b.fr.', 'Fin.'],
    ],
    [
      'after what is quoted in it, its closing mark included',
      [
        'Sa question\u00a0: «\u00a0Et si ça casse\u00a0?\u00a0»',
        'Bernard lit.',
        '(Le soir.)',
        'Il dit “oui.”',
        'Fin.',
      ],
    ],
  ])('%s', (_, sentences) => {
    const between = sentences.some((one) => one.startsWith('- ')) ? '\n' : ' ';
    expect(sentencesOf(sentences.join(between))).toEqual(sentences);
  });

  test('in a text of nothing but marks, closing marks or shortened words, in a time that grows with its length', () => {
    for (const piece of ['.', '!\u00a0»', 'M. ', 'A.', 'etc. ', 'a'.repeat(100)]) {
      const long = piece.repeat(Math.ceil(131_072 / piece.length));
      const before = process.threadCpuUsage();
      [...sentenceEnds(`${long} Fin.`)];
      expect(process.threadCpuUsage(before).user / 1000, piece).toBeLessThan(2_000);
    }
  });
});

test('a snippet begins with the whole of its sentence, its abbreviations and what it quotes included', () => {
  const before = 'Le bois vient de la forêt de Bercé, séché douze mois à l’air. '.repeat(6);
  const show = (sentence: string) => makeSnippet(parseQuery('rotule'), `${before}${sentence} ${before}`);
  expect(show('M. Keller a inventé la rotule.')).toMatch(/^…M\. Keller a inventé/);
  expect(show('L’art. 4 dit la rotule.')).toMatch(/^…L’art\. 4 dit/);
  expect(show('«\u00a0Et si ça casse\u00a0?\u00a0» La rotule se change.')).toMatch(/^…La rotule/);
});
