import { expect, test } from 'vitest';
import { readArguments } from '#lib/mcp/protocol/read-arguments.ts';

const announced = {
  properties: {
    q: { type: 'string' },
    limit: { type: 'integer' },
    pillars: { type: 'array', items: { type: 'string', enum: ['ITEMS', 'PEOPLE'] } },
    pillar: { type: 'string', enum: ['ITEMS', 'PEOPLE'] },
    parentId: {},
  },
  required: ['q'],
};

test('what a model writes otherwise than announced is read as it was meant', () => {
  const written = { q: '12', limit: '12', pillars: 'ITEMS, PEOPLE', parentId: null };
  expect(readArguments(announced, written)).toEqual({ q: '12', limit: 12, pillars: ['ITEMS', 'PEOPLE'] });
  expect(readArguments(announced, { q: 'a', limit: null, pillars: null })).toEqual({ q: 'a' });
  const inAnyCase = { q: 'items', pillar: ' items', pillars: ['People', 'ITEMS'] };
  const asAnnounced = { q: 'items', pillar: 'ITEMS', pillars: ['PEOPLE', 'ITEMS'] };
  expect(readArguments(announced, inAnyCase)).toEqual(asAnnounced);
  expect(readArguments(announced, { q: 'a', pillars: 'items, people' })).toEqual({
    q: 'a',
    pillars: ['ITEMS', 'PEOPLE'],
  });
});

test('an optional argument that is blank or an empty list is left out; a list that came as JSON between quotes is a list', () => {
  const filledIn = { q: 'a', limit: '', pillar: ' ', pillars: [], parentId: '' };
  expect(readArguments(announced, filledIn)).toEqual({ q: 'a' });
  for (const pillars of ['', ' ', '[]'])
    expect(readArguments(announced, { q: 'a', pillars }), pillars).toEqual({ q: 'a' });
  for (const pillars of ['["ITEMS","PEOPLE"]', ' [ "items", "People" ] '])
    expect(readArguments(announced, { q: 'a', pillars }), pillars).toEqual({
      q: 'a',
      pillars: ['ITEMS', 'PEOPLE'],
    });
  // What is not JSON is split at its commas, and left to the tool to refuse.
  expect(readArguments(announced, { q: 'a', pillars: '[ITEMS, PEOPLE]' })).toEqual({
    q: 'a',
    pillars: ['[ITEMS', 'PEOPLE]'],
  });
  // An empty argument that is required, and one that is unknown, are kept.
  expect(readArguments(announced, { q: '', inconnu: '' })).toEqual({ q: '', inconnu: '' });
});

test('what is meant otherwise, missing or unknown stays as it came, for the tool to judge', () => {
  for (const given of [
    { q: null },
    { q: 'a', limit: '1.5' },
    { q: 'a', limit: 'dix' },
    { q: 'a', limit: '9'.repeat(20) },
    { q: 'a', limit: true, pillars: ['ITEMS'] },
    { q: 'a', pillar: 'Offre', pillars: ['Offre', 3, null] },
    { q: 'a', pillar: 3, pillars: { ITEMS: true } },
    { q: 'a', inconnu: null, autre: '3' },
    ['a'],
    'a',
    null,
  ])
    expect(readArguments(announced, given)).toEqual(given);
});
