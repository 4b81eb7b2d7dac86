import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { memberChoices } from '#app/_cockpit/member-choices.ts';
import { FilterForm } from '#app/_studio/journal/filters/filter-form.tsx';

/** The selected option of a filter, by its value and its words. */
function chosen(name: string, value: string) {
  const html = renderToStaticMarkup(
    createElement(FilterForm, {
      asked: (one) => (one === name ? value : ''),
      ask: () => {},
      pending: false,
      products: [{ id: 'lumen', name: 'Maison Lumen' }],
      members: [],
    }),
  );
  const [, select = ''] = new RegExp(`<select[^>]*name="${name}"[^>]*>(.*?)</select>`).exec(html) ?? [];
  return /<option value="([^"]*)" selected="">([^<]*)</.exec(select)?.slice(1);
}

test('a filter that the address asks for is the one that its field shows, even one that is no longer offered', () => {
  expect(chosen('productId', 'lumen')).toEqual(['lumen', 'Maison Lumen']);
  expect(chosen('productId', 'ancien')).toEqual(['ancien', 'ancien']);
  expect(chosen('case', 'voice')).toEqual(['voice', 'Voix']);
  expect(chosen('case', '')).toEqual(['', 'Tous les cas']);
});

test('the members to filter by are told apart: a removed one is marked, and erased ones, who share a name, are not offered', () => {
  const members = [
    { id: 'a', name: 'Inès Roy', isRemoved: true },
    { id: 'b', name: 'Membre effacé', isRemoved: true },
    { id: 'c', name: 'Membre effacé', isRemoved: true },
    { id: 'd', name: 'Paul Vasseur', isRemoved: false },
  ];
  const present = [
    { id: 'd', name: 'Paul Vasseur' },
    { id: 'a', name: 'Inès Roy (membre retiré)' },
  ];
  expect(memberChoices(members, undefined)).toEqual(present);
  expect(memberChoices(members, 'a')).toEqual(present);
  expect(memberChoices(members, 'b')).toEqual([...present, { id: 'b', name: 'Un membre qui n’est plus là' }]);
});
