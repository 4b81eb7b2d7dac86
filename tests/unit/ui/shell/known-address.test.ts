import { expect, test } from 'vitest';
import { knownAddress } from '#app/_ui/shell/drawn-for/known-address.ts';
import { createId } from '#lib/core/ids.ts';

const AT = 'https://atelier.exemple';

test('an address that names a row leads to the page that every account has, and no further', () => {
  const generation = createId('generation');
  expect(knownAddress(`${AT}/espaces/${createId('space')}?memoire=${createId('memory')}#texte`)).toBe(
    `${AT}/espaces`,
  );
  expect(knownAddress(`${AT}/journal/${generation}?kind=image`)).toBe(`${AT}/journal`);
  expect(knownAddress(`${AT}/developpeurs/evenements/${createId('webhookEndpoint')}`)).toBe(
    `${AT}/developpeurs/evenements`,
  );
  expect(knownAddress(`${AT}/journal/comparer?ids=${generation},${createId('generation')}`)).toBe(
    `${AT}/journal/comparer`,
  );
  expect(knownAddress(`${AT}/audit?action=x&apres=1764151200000-${createId('audit')}`)).toBe(`${AT}/audit`);
});

test('an address that names nobody’s row stays as it is', () => {
  for (const path of ['/contexte', '/journal?kind=image&q=bougie_ambre', '/modeles/story-produit#fond'])
    expect(knownAddress(AT + path)).toBe(AT + path);
});
