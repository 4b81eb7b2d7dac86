import { expect, test } from 'vitest';
import { spaceNamed } from '#lib/brain/queries/find-space.ts';

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
