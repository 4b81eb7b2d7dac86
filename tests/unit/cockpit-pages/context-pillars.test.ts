import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime.js';
import {
  PathnameContext,
  SearchParamsContext,
} from 'next/dist/shared/lib/hooks-client-context.shared-runtime.js';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Controls } from '#app/(cockpit)/contexte/controls.tsx';
import { PILLAR_ROLES } from '#lib/brain/templates.ts';

/** The controls of a context of the first pillars. */
function drawn(pillars: number): string {
  const controls = createElement(Controls, {
    spaces: [{ id: 'spc_a', name: 'Lumen' }],
    spaceId: 'spc_a',
    maxChars: 4_000,
    q: '',
    answered: null,
    pillars: PILLAR_ROLES.map((role, at) => ({ role, label: role, icon: null, asked: at < pillars })),
  });
  const query = createElement(SearchParamsContext, { value: new URLSearchParams() }, controls);
  const path = createElement(PathnameContext, { value: '/contexte' }, query);
  return renderToStaticMarkup(createElement(AppRouterContext, { value: {} as never }, path));
}

test('the last pillar of a context, which stays ticked when it is pressed, says why in a region that was there before', () => {
  expect(drawn(1)).toMatch(
    /<p role="status"[^>]*>Un contexte a au moins un pilier\u00a0: le dernier reste coché\.<\/p>/,
  );
  expect(drawn(2)).toMatch(/<p role="status"[^>]*><\/p>/);
});
