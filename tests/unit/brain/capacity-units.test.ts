import { expect, it } from 'vitest';
import { capacityUnits } from '#lib/brain/capacity-units.ts';

it('counts one unit per begun KiB of UTF-8 of the title, a line feed and the body', () => {
  expect(capacityUnits('', '')).toBe(1);
  expect(capacityUnits('t', 'x'.repeat(1022))).toBe(1);
  expect(capacityUnits('t', 'x'.repeat(1023))).toBe(2);
  expect(capacityUnits('é', 'x'.repeat(1021))).toBe(1);
  expect(capacityUnits('é', 'é'.repeat(511))).toBe(2);
  expect(capacityUnits('t', '😀'.repeat(256))).toBe(2);
  expect(capacityUnits('t', 'x'.repeat(131_072))).toBe(129);
});
