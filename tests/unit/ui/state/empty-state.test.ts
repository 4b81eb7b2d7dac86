import { Inbox } from 'lucide';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { EmptyState } from '#app/_ui/state/states.tsx';

test('the words of an example are whole on a phone, where the long title above it may be broken anywhere', () => {
  const html = renderToStaticMarkup(
    createElement(EmptyState, {
      icon: Inbox,
      title: 'Rien',
      example: createElement('p', null, '0,03\u00a0$US'),
    }),
  );
  expect(html).toMatch(/^<section class="[^"]*\bwrap-anywhere\b/);
  expect(html).toMatch(/<figure class="[^"]*\bwrap-normal\b/);
});
