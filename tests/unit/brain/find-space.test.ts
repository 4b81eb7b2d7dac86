import { expect, test } from 'vitest';
import { spaceNamed } from '#lib/brain/queries/find-space.ts';
import { ServiceError } from '#lib/core/errors.ts';

test('a Space is named by what is seen of its name: accents, case, kinds of apostrophes and characters that nobody sees aside', () => {
  const spaces = [
    { id: 'spc_1', name: 'Atelier\u200b d’Été' },
    { id: 'spc_2', name: 'Atelier' },
  ];
  const named = ['atelier d’ete', "Atelier d'Été", 'Atelier\u200b d’Été', 'ATELIER', 'spc_1'];
  const found = named.map((name) => spaceNamed(spaces, name).id);
  expect(found).toEqual(['spc_1', 'spc_1', 'spc_1', 'spc_2', 'spc_1']);
  expect(() => spaceNamed(spaces, 'Lune')).toThrow();
});

test('hyphens, quotation marks and spaces around or between its words are no part of a name; other signs are', () => {
  const spaces = [
    { id: 'spc_1', name: 'Maison Élan' },
    { id: 'spc_2', name: 'Guide C++' },
    { id: 'spc_3', name: 'Sous-marque' },
  ];
  const named = ['maison-elan', '«\u00a0Maison Élan\u00a0»', '“Maison  Élan”', ' spc_1 ', 'sous marque'];
  const found = named.map((name) => spaceNamed(spaces, name).id);
  expect(found).toEqual(['spc_1', 'spc_1', 'spc_1', 'spc_1', 'spc_3']);
  for (const other of ['Guide C#', 'Guide C', 'Maisonélan', '--'])
    expect(() => spaceNamed(spaces, other), other).toThrow(ServiceError);
  // A name typed exactly is that one, even if others have the same words.
  const twins = [...spaces, { id: 'spc_4', name: 'maison-élan' }];
  expect(spaceNamed(twins, 'Maison Élan').id).toBe('spc_1');
  expect(spaceNamed(twins, 'Maison-Élan').id).toBe('spc_4');
  expect(() => spaceNamed(twins, 'maison_elan')).toThrow('Plusieurs espaces');
});

test('a name that is none is told those that there are, the nearest first, ten at most', () => {
  const refusalOf = (names: readonly string[], named: string) => {
    try {
      return spaceNamed(
        names.map((name, n) => ({ id: `spc_${n}`, name })),
        named,
      ).id;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return `${error.code} ${error.options.message}`;
    }
  };
  expect(refusalOf(['Perso', 'Maison\nÉlan\u{e0041}'], 'Maison Elna')).toBe(
    'not_found Cet espace est introuvable dans ce compte. On y trouve\u00a0: «\u00a0Maison Élan\u00a0», «\u00a0Perso\u00a0».',
  );
  const many = Array.from({ length: 12 }, (_, n) => `Espace ${n}`);
  expect(refusalOf(many, 'Lune')).toMatch(/«\u00a0Espace 9\u00a0» et 2 autres\.$/);
  expect(refusalOf([], 'Lune')).toBe('not_found Cet espace est introuvable dans ce compte.');
});

test('of more Spaces of one name than a refusal tells, it says how many others there are', () => {
  const spaces = Array.from({ length: 8 }, (_, n) => ({ id: `spc_${n}`, name: 'Maison Élan' }));
  const said = (count: number) => {
    try {
      spaceNamed(spaces.slice(0, count), 'maison elan');
    } catch (error) {
      return (error as Error).message;
    }
    return null;
  };
  expect(said(5)).toContain('(spc_0, spc_1, spc_2, spc_3, spc_4).');
  expect(said(6)).toContain('spc_4 et 1 autre).');
  expect(said(8)).toContain('spc_4 et 3 autres).');
});
