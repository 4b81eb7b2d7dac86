import { expect, test } from 'vitest';
import { drawnFirst } from '#app/(cockpit)/propositions/drawn-first.ts';

const long = 'a'.repeat(60_000);
const one = (id: string, body: string, current: string | null = null) => ({
  id,
  body,
  current: current === null ? null : { body: current },
});
const drawn = (proposals: ReturnType<typeof one>[], asked?: string) => [...drawnFirst(proposals, asked)];

test('short proposals are all drawn, and a single one however long', () => {
  expect(drawn(Array.from({ length: 30 }, (_, at) => one(`${at}`, 'Deux ans.', 'Un an.')))).toHaveLength(30);
  expect(drawn([one('a', long.repeat(2), long.repeat(2))])).toEqual(['a']);
});

test('thirty long ones are not drawn at once: the first, those that still fit, and the one asked for', () => {
  const all = Array.from({ length: 30 }, (_, at) => one(`${at}`, long, long));
  expect(drawn(all)).toEqual(['0']);
  expect(drawn(all, '7')).toEqual(['0', '7']);
  expect(drawn([one('a', long), one('b', long), one('c', 'Court.')])).toEqual(['a', 'c']);
});
