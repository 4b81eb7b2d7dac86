import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { SpaceChoice } from '#app/_cockpit/spaces/space-choice.tsx';
import { SegmentedControl } from '#app/_ui/form/choice.tsx';
import { FormContext } from '#app/_ui/form/form-context.ts';

/** An element as it is drawn in a form whose `field` was refused. */
function refused(field: string, element: ReactElement) {
  const state = {
    status: 'refused' as const,
    message: '',
    problems: [{ field, message: 'Non, pas ainsi.' }],
  };
  return renderToStaticMarkup(createElement(FormContext, { value: { state, pending: false } }, element));
}

test('a choice that is refused takes the focus and is described by its refusal; another one does neither', () => {
  const roles = createElement(SegmentedControl, {
    label: 'Rôle',
    name: 'role',
    options: [{ value: 'MEMBER', label: 'Membre' }],
  });
  const html = refused('role', roles);
  const [, id] = /<fieldset data-refused="true" aria-describedby="([^"]+)"/.exec(html) ?? [];
  expect(html).toContain(`<p id="${id}" class="mt-1.5 text-fail text-sm">Non, pas ainsi.</p>`);
  expect(refused('name', roles)).not.toMatch(/data-refused|aria-describedby/);
});

test('refused Spaces are found by the focus: their choice is the first field in them', () => {
  const spaces = createElement(SpaceChoice, { spaces: [], given: {}, all: 'Tous.' });
  const html = refused('spaces', spaces);
  expect(html).toMatch(/^<div data-refused="true".*?<input type="radio" name="reach"/);
  expect(html).toMatch(/<p role="alert"[^>]*>Non, pas ainsi\.<\/p>/);
  expect(refused('name', spaces)).not.toContain('data-refused');
});
