import { describe, expect, test } from 'vitest';
import { nameAndSiteProblems } from '#lib/brain/name-and-site.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { nameFault } from '#lib/core/input/name-fault.ts';
import { nameProblem } from '#lib/identity/members/name-problem.ts';
import { requireName as requireFileName } from '#lib/storage/refusals.ts';
import { requireName as requireFilterName } from '#lib/studio/saved-filters/saved-filters.ts';

const faultOf = (name: string) => nameFault(name, 120);

describe('a name reads as it is stored', () => {
  test('one with a change of direction, a tag, a control or a character without width is refused, and the sentence says which', () => {
    for (const [code, name] of [
      ['U+202E', 'Lampes \u202etnemeiap'],
      ['U+2067', 'Espace \u206754-12\u2069'],
      ['U+202A', '\u202aLumen\u202c'],
      ['U+200F', '12\u200f-\u200f54'],
      ['U+200B', 'Lu\u200bmen'],
      ['U+200D', 'Lu\u200dmen'],
      ['U+2060', 'Lu\u2060men'],
      ['U+FEFF', 'Lu\ufeffmen'],
      ['U+FE0F', 'Lumen\ufe0f'],
      ['U+3164', 'Lumen\u3164'],
      ['U+E0041', 'Lumen\u{e0041}'],
      ['U+E0061', '🏴\u{e0061}\u{e007f}'],
      ['U+0009', 'Lumen\tMaison'],
      ['U+0007', 'Lumen\u0007'],
    ] as const)
      expect([code, faultOf(name)]).toEqual([
        code,
        `Un nom ne contient aucun caractère invisible, comme ici ${code}\u00a0: effacez-le, ou tapez le nom de nouveau.`,
      ]);
    for (const end of ['\n', '\r\n', '\u0085', '\u2028', '\u2029', '\v'])
      expect(faultOf(`Lumen${end}Maison`)).toBe('Un nom tient sur une ligne.');
  });

  test('what emoji and scripts need passes: joiners, styles, variants, marks of right-to-left names, a soft or no-break space', () => {
    const names = [
      'Lumen\u00a0Maison',
      'Lumen\u202f!',
      '\ufeff Lumen \u200a',
      'Atelier 👩\u200d🎨 🏳️\u200d🌈 👍🏽 1️⃣ ❤️',
      '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} Wembley',
      'Super\u00admarché',
      'می\u200cخواهم',
      'ශ්\u200dරී ලංකා',
      'ACME (ישראל)\u200e',
      '辻\u{e0100}本',
      'ធនាគារ\u200bជាតិ',
      'Zoe\u0308',
      'ＬＵＭＥＮ',
    ];
    expect(names.filter((name) => faultOf(name) !== null)).toEqual([]);
  });

  test('every door takes the rule, and names its field: Spaces and projects, members, filters, concepts and their kin', () => {
    const name = 'Lumen \u202enemuL';
    const message = faultOf(name);
    const thrown = (work: () => unknown) => {
      try {
        return work();
      } catch (error) {
        return error instanceof ServiceError ? error.options.problems : error;
      }
    };
    expect(nameAndSiteProblems({ name })).toEqual([{ field: 'name', message }]);
    expect(nameProblem(name)).toBe(message);
    expect(thrown(() => requireFilterName(name))).toEqual([{ field: 'name', message }]);
    expect(thrown(() => requireFileName('title', name, 80))).toEqual([{ field: 'title', message }]);
    expect(requireFileName('title', ' Lumen ', 80)).toBe('Lumen');
  });

  test('a soft hyphen hides no web address from the rule of names that are mailed', () => {
    expect(nameProblem('Banque evil.\u00adcom')).toBe('Un nom ne contient pas d’adresse web.');
  });
});

describe('the address of a Space or of a project', () => {
  const siteFaults = (websiteUrl: string | null) =>
    nameAndSiteProblems({ websiteUrl }).map(({ field }) => field);

  test('is complete and of the web: no other scheme becomes a link of a page', () => {
    for (const url of ['http://lumen.fr', 'https://lumen.fr/a?b=c#d', 'HTTPS://lumen.fr'])
      expect([url, siteFaults(url)]).toEqual([url, []]);
    for (const url of ['javascript:alert(1)', 'data:text/html,x', 'ftp://lumen.fr', 'lumen.fr', '//lumen.fr'])
      expect([url, siteFaults(url)]).toEqual([url, ['websiteUrl']]);
    expect(siteFaults(null)).toEqual([]);
  });

  test('has at most 2,000 characters', () => {
    const ofLength = (length: number) => 'https://lumen.fr/'.padEnd(length, 'a');
    expect([siteFaults(ofLength(2_000)), siteFaults(ofLength(2_001))]).toEqual([[], ['websiteUrl']]);
  });
});
