import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Pagination } from '#app/_ui/data/navigation.tsx';

test('where a list goes forward alone, what leads to its first page does not say that it leads to the one before', () => {
  const drawn = (toFirst: boolean) =>
    renderToStaticMarkup(
      createElement(Pagination, {
        summary: '50 lignes',
        previousHref: '/audit',
        nextHref: '/audit?apres=x',
        toFirst,
      }),
    );
  expect(drawn(false)).toMatch(/rel="prev"[^>]*>.*Précédent/);
  expect(drawn(true)).toContain('Début');
  expect(drawn(true)).not.toMatch(/Précédent|rel="prev"/);
});
