import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BANNED_CONSTRUCTIONS } from '#lib/studio/copy-rules/banned-constructions.ts';
import { checkCopy } from '#lib/studio/copy-rules/check-copy.ts';
import { fold } from '#lib/studio/copy-rules/fold.ts';

const check = (text: string, factsDeclared: readonly string[] | null = null) =>
  checkCopy({ fields: { titre: text }, factsDeclared });
const excerpts = (text: string, rule: string) =>
  check(text)
    .filter((problem) => problem.rule === rule)
    .map((problem) => problem.excerpt);

describe('a long dash', () => {
  test.each([
    ['Un sac — cousu main', ['—']],
    ['Un sac—cousu main', ['—']],
    ['― dit-elle', ['―']],
    ['Un sac – cousu main', ['–']],
    ['Un sac\u00a0– cousu main', ['–']],
    ['Un sac –cousu', ['–']],
    ['– premier\n– second', ['–', '–']],
    ['Un sac -- cousu main', ['--']],
    ['a — b ⸺ c', ['—', '⸺']],
    ['Un sac &mdash; cousu main', ['&mdash;']],
    ['Un sac&#8212;cousu, &#x2014; ou &horbar;', ['&#8212;', '&#x2014;', '&horbar;']],
    ['Un sac &ndash; cousu main', ['&ndash;']],
    ['Un sac − cousu main', ['−']],
    ['Un sac −cousu main', ['−']],
    ['Un sac &minus; cousu main', ['&minus;']],
    ['Un sac ‒ cousu, un sac ─ cousu', ['‒', '─']],
  ])('is found in %j', (text, expected) => {
    expect(excerpts(text, 'long-dash')).toEqual(expected);
  });

  test.each([
    '2019–2024',
    'Paris–Lyon',
    'porte-clés',
    'Un sac - cousu main',
    'a--b',
    '-5 degrés',
    '−5 degrés',
    '10 − 5',
    'De −5 à −3',
    'Sel &amp; poivre',
    'Dupont & fils; 3',
    '&#1114112; &#xd800; &inconnu;',
  ])('is not seen in %j', (text) => {
    expect(excerpts(text, 'long-dash')).toEqual([]);
  });
});

describe('an emoji', () => {
  test.each([
    ['Bravo 🎉', ['🎉']],
    ['✨Neuf✨', ['✨', '✨']],
    ['Un cœur ❤️', ['❤️']],
    ['Un cœur ❤ nu', ['❤']],
    ['Fait ✔', ['✔']],
    ['Soleil ☀', ['☀']],
    ['1️⃣ Premier', ['1️⃣']],
    ['#️⃣', ['#️⃣']],
    ['1⃣', ['⃣']],
    ['Drapeau 🇫🇷 français', ['🇫🇷']],
    ['🏴󠁧󠁢󠁷󠁬󠁳󠁿', ['🏴󠁧󠁢󠁷󠁬󠁳󠁿']],
    ['Famille 👨‍👩‍👧‍👦 unie', ['👨‍👩‍👧‍👦']],
    ['Bravo 👍🏽', ['👍🏽']],
    ['Marque ©️', ['©️']],
    ['🇫 seul', ['🇫']],
    ['Bravo &#127881;', ['&#127881;']],
    ['Bravo &#x1F389; !', ['&#x1F389;']],
    ['🫩🪉', ['🫩', '🪉']],
    ['Étoile ⭐', ['⭐']],
  ])('is found in %j', (text, expected) => {
    expect(excerpts(text, 'emoji')).toEqual(expected);
  });

  test.each([
    '0123456789 #1 * 2',
    '© 2026 Marque®, signée ™',
    'a → b ↔ c ← d',
    '★★★★☆',
    '✓ vérifié',
    '§ 3, n° 4, 20 °C, 5 €',
    '½ pomme',
    'œuvre, Ÿ, ﬁn',
    '日本語',
    'e\u0301te\u0301',
  ])('is not seen in %j', (text) => {
    expect(excerpts(text, 'emoji')).toEqual([]);
  });

  test('of the recommended set is always found, whole', () => {
    const recommended = [
      '😀',
      '👩🏿‍🚀',
      '🏳️‍🌈',
      '👁️‍🗨️',
      '🧑‍🤝‍🧑',
      '⌚',
      '⏏️',
      '☎️',
      '♾️',
      '🈁',
      '㊙️',
      '🅰️',
      '🀄',
      '🃏',
      '‼️',
      '↔️',
      '⤴️',
      '〰️',
      'Ⓜ️',
      '🇪🇺',
    ];
    for (const emoji of recommended) expect(excerpts(`a${emoji}b`, 'emoji')).toEqual([emoji]);
  });
});

describe('an unfilled blank', () => {
  test.each([
    ['Bonjour {{nom}} !', ['{{nom}}']],
    ['Bonjour {{ client.prénom }}', ['{{ client.prénom }}']],
    ['Bonjour {nom}', ['{nom}']],
    ['Prix : $\u007bprix}', ['$\u007bprix}']],
    ['Bonjour <%= nom %>', ['<%= nom %>']],
    ['Bonjour %PRENOM%', ['%PRENOM%']],
    ['[NOM] vous attend à [votre ville]', ['[NOM]', '[votre ville]']],
    ['<à compléter>', ['<à compléter>']],
    ['Un <b>sac</b>', ['<b>', '</b>']],
    ['Date (à compléter)', ['(à compléter)']],
    ['Chez XXX depuis toujours', ['XXX']],
    ['Tél. xxxx', ['xxxx']],
    ['TODO', ['TODO']],
    ['Lorem ipsum dolor', ['Lorem ipsum']],
    ['Votre texte ici', ['Votre texte ici']],
    ['Insérez votre slogan', ['Insérez votre']],
    ['Bonjour undefined', ['undefined']],
    ['Solde : NaN', ['NaN']],
    ['Nom : ____', ['____']],
    ['__NOM__', ['__NOM__']],
    ['[object Object]', ['[object Object]']],
  ])('is found in %j', (text, expected) => {
    expect(excerpts(text, 'template')).toEqual(expected);
  });

  test.each([
    'Taille XXL',
    'Un sac [sic]',
    'Note [1]',
    'La suite […]',
    'a < b et c > d',
    '< 3 ans',
    'Un formulaire à compléter',
    '100 % coton',
    'snake_case',
    'xx',
    'nullement',
    'Todoroki',
    'ici votre texte',
  ])('is not seen in %j', (text) => {
    expect(excerpts(text, 'template')).toEqual([]);
  });
});

describe('a banned construction', () => {
  test('list is long, without a repeated id', () => {
    expect(BANNED_CONSTRUCTIONS.length).toBeGreaterThanOrEqual(25);
    expect(new Set(BANNED_CONSTRUCTIONS.map(({ id }) => id)).size).toBe(BANNED_CONSTRUCTIONS.length);
  });

  test.each(BANNED_CONSTRUCTIONS.map((entry) => [entry.id, entry] as const))(
    'is caught in its bad example, and its better one passes every rule: %s',
    (id, entry) => {
      expect(check(entry.bad).map((problem) => problem.entry)).toContain(id);
      expect(check(entry.better)).toEqual([]);
      expect(entry.explanation).toMatch(/[.!]$/);
      for (const text of [entry.bad, entry.better, entry.explanation]) {
        expect(text, 'apostrophe ’ and non-breaking spaces').not.toMatch(/'| [!?;:»]|« /);
      }
    },
  );

  test.each([
    'PLONGEZ DANS l’aventure',
    'plongez\u00a0dans l’aventure',
    'Plongez\n  dans l’aventure',
    'Plon\u00adgez dans l’aventure',
    'Plongez\u200b dans l’aventure',
    "A l'ère de la vitesse",
    'À L’ÈRE DU vélo',
    'A\u0300 l’e\u0300re du vélo',
    'Ce n´est pas seulement beau, c´est solide',
    'À l′ère du vélo',
    'À l‛ère du vélo',
    'Рlоngеz dаns l’aventure',
    'ΡLΟΝGΕΖ DΑΝS l’aventure',
    'Plongez&nbsp;dans l&rsquo;aventure',
    '&#80;longez dans l’aventure',
  ])('is caught however it is typed: %j', (text) => {
    expect(check(text).map((problem) => problem.rule)).toEqual(['banned']);
  });

  test.each([
    ['Plus qu’une place-forte, un refuge', 'plus-qu-un'],
    ['Plus qu’un journal\u00a0: un ami', 'plus-qu-un'],
    ['Une fermeture solide et exceptionnelle', 'exceptionnel'],
    ['Exceptionnellement doux', 'exceptionnel'],
  ])('is caught beside what it looks like: %j', (text, entry) => {
    expect(check(text).map((problem) => problem.entry)).toEqual([entry]);
  });

  test('behind an entity is located in the text as it was typed', () => {
    const text = 'Sel &amp; poivre&nbsp;: plongez&#32;dans la mer.';
    expect(check(text).map(({ start, end }) => text.slice(start, end))).toEqual(['plongez&#32;dans']);
  });

  test('is located in the text as it was typed', () => {
    const text = 'Œuvre : À l’ère\u00a0 du vélo, sublimez tout.';
    expect(check(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      'À l’ère\u00a0 du',
      'sublimez',
    ]);
  });

  test.each([
    'Ce n’est pas le moment de partir.',
    'Le chat plonge dans l’eau.',
    'Une cadence inégale, une inégalité',
    'Les heures de pointe',
    'La maire d’Élevages',
    'Qu’il soit neuf ou non',
    'Il n’est pas bleu. Mais il est beau.',
    'Plus qu’un jour\u00a0: les précommandes ferment.',
    'Il ne reste plus qu’une place, réservez-la.',
    'Ouverture exceptionnelle dimanche',
    'Horaires exceptionnels du pont de mai',
    'La boutique sera exceptionnellement fermée lundi.',
    'Ouvert exceptionnellement dimanche',
  ])('is not seen in %j', (text) => {
    expect(check(text)).toEqual([]);
  });
});

describe('a number', () => {
  const facts = ['F12', 'F3'];
  const rules = (fields: Record<string, string>, declared: readonly string[] | null = facts) =>
    checkCopy({ fields, factsDeclared: declared }).map(({ field, rule, excerpt }) => [field, rule, excerpt]);

  test('without a declared fact in the same render is refused, in each field that has one', () => {
    expect(rules({ titre: 'Il dure 8 heures', texte: 'Rien ici', prix: 'À 1 290,50 €' })).toEqual([
      ['titre', 'fact', '8'],
      ['prix', 'fact', '1 290,50'],
    ]);
  });

  test('passes when the id of a declared fact is written in any field', () => {
    expect(rules({ titre: 'Il dure 8 heures', source: 'F12' })).toEqual([]);
    expect(rules({ titre: 'Il dure 8 heures (F12).' })).toEqual([]);
    expect(rules({ titre: 'Il dure 8 heures', source: 'Sources : F99, F3' })).toEqual([]);
  });

  test.each(['F99', 'F1', 'F123', 'f12', 'AF12', 'F12a', 'F12é', 'éF12', 'F12_', 'F12.5', '_F12'])(
    'is not supported by %j, which is no declared id',
    (source) => {
      expect(rules({ titre: 'Il dure 8 heures', source }).map(([field]) => field)).toContain('titre');
    },
  );

  test('is free when the product declares no fact', () => {
    for (const declared of [null, [], ['']]) expect(rules({ titre: '8 heures' }, declared)).toEqual([]);
  });

  test('is any digit of any script, and fractions; a text without one needs no fact', () => {
    for (const text of ['٣ heures', '½ pomme', '100%', 'A4', '３'])
      expect(rules({ titre: text })).toHaveLength(1);
    expect(rules({ titre: 'Huit heures' })).toEqual([]);
  });
});

describe('the whole check', () => {
  test('reports in reading order, field by field, with French messages', () => {
    const problems = checkCopy({
      fields: { titre: 'Sublimez 🎉 — {{nom}}', texte: 'Boostez' },
      factsDeclared: null,
    });
    expect(problems.map(({ field, rule }) => `${field} ${rule}`)).toEqual([
      'titre banned',
      'titre emoji',
      'titre long-dash',
      'titre template',
      'texte banned',
    ]);
    for (const { message } of problems) expect(message).not.toMatch(/'| [!?;:»]|« /);
  });

  test('places every problem inside its field, whatever the text', () => {
    const seeds = [
      ...BANNED_CONSTRUCTIONS.map(({ bad }) => bad),
      '— ',
      '🎉',
      '👨‍👩‍👧',
      '{{nom}}',
      '[NOM]',
      '12,5',
      '\u00a0',
      '\u00ad',
      'œ',
      'İ',
      '\n',
      '\ud800',
    ];
    let placed = 0;
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(...seeds), fc.string({ unit: 'grapheme', maxLength: 8 })), {
          maxLength: 12,
        }),
        (pieces) => {
          const text = pieces.join('');
          for (const { start, end } of check(text, ['F1'])) {
            expect(0 <= start && start < end && end <= text.length).toBe(true);
            placed += 1;
          }
          const { text: folded, origins } = fold(text);
          expect(origins).toHaveLength(folded.length + 1);
          expect(origins.every((origin, index) => index === 0 || origin >= origins[index - 1]!)).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
    expect(placed).toBeGreaterThan(0);
  });

  test('finishes on texts built to slow a pattern down', () => {
    const hostile = [
      'n’est pas seulement ',
      'pas de a, ',
      'que vous soyez ',
      '{{',
      '[a',
      '<a',
      '_',
      'x',
      '1 ',
      '- ',
      '--',
      ' ',
      '🎉',
      '\u200d',
      'plus qu’un ',
      'l’avenir du ',
      'F12_',
      '\u0301',
      'insérez ',
      'a',
    ];
    // A quadratic rule would exceed the test's time limit on any of these.
    for (const piece of hostile)
      expect(check(piece.repeat(100_000 / piece.length), ['F12']).length).toBeLessThanOrEqual(100);
  });

  test('answers at most a hundred problems, with short excerpts', () => {
    const problems = check(`{${'a'.repeat(79)}} `.repeat(500));
    expect(problems).toHaveLength(100);
    expect(problems.every(({ excerpt }) => excerpt.length <= 80)).toBe(true);
  });
});
