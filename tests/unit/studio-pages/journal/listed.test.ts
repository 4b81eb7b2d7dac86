import { expect, it } from 'vitest';
import { listedWords } from '#app/_studio/journal/listed-words.ts';
import { withArrivals } from '#app/_studio/journal/use-arrivals.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');

it('the foot of the journal counts what is listed, whatever was decided, deleted or arrived since the service counted', () => {
  expect(plain(listedWords(48, 60, true))).toBe('48 sur 60 générations');
  // Ten of the queue were decided: they are neither listed nor counted any more.
  expect(plain(listedWords(38, 50, true))).toBe('38 sur 50 générations');
  expect(plain(listedWords(48, 10_001, true))).toBe('48 sur plus de 10 000 générations');
  // The whole list is loaded.
  expect(plain(listedWords(3, 2, false))).toBe('3 générations');
  expect(plain(listedWords(0, 1, false))).toBe('0 génération');
});

it('a row that comes to a list takes its place there: what ended late was asked for before others', () => {
  const row = (id: string, minute: number) =>
    ({ id, createdAt: `2026-11-21T10:0${minute}:00.000Z` }) as GenerationView;
  const rows = [row('gen_c', 5), row('gen_a', 1)];
  const head = [row('gen_d', 7), row('gen_c', 5), row('gen_b', 3)];
  expect(withArrivals(rows, head).map(({ id }) => id)).toEqual(['gen_d', 'gen_c', 'gen_b', 'gen_a']);
  // Nothing new: the same array, so that nothing is rendered again.
  expect(withArrivals(rows, [row('gen_c', 5)])).toBe(rows);
});
