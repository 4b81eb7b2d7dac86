import { expect, it } from 'vitest';
import { type Neighbours, placeBeside, type Shown } from '#app/_studio/lightbox/shown.ts';

const rowOf = (id: string, files: number) =>
  ({ id, files: Array.from({ length: files }, (_, at) => ({ url: `${id}-${at}` })) }) as unknown as Shown;

it('the whole screen leads through the files of a row that has several, then to the neighbours, and stops at both ends', () => {
  const [newer, row, older] = [rowOf('newer', 2), rowOf('row', 3), rowOf('older', 2)];
  const step = (file: number, forward: boolean, beside: Neighbours = { newer, older }) => {
    const place = placeBeside({ row, file }, beside, forward);
    return place && [place.row.id, place.file];
  };
  expect([0, 1, 2].map((file) => step(file, true))).toEqual([
    ['row', 1],
    ['row', 2],
    ['older', 0],
  ]);
  // Going back, the former generation is entered at its last file.
  expect([2, 1, 0].map((file) => step(file, false))).toEqual([
    ['row', 1],
    ['row', 0],
    ['newer', 1],
  ]);
  const noNeighbours = { newer: null, older: null };
  expect([step(2, true, noNeighbours), step(0, false, noNeighbours)]).toEqual([null, null]);
  // A generation without files left is shown as such.
  expect(step(0, false, { newer: rowOf('empty', 0), older: null })).toEqual(['empty', 0]);
});
