import { expect, test } from 'vitest';
import { ServiceError } from '#lib/core/errors.ts';
import { checkTotalDuration } from '#lib/studio/kinds/video-settings.ts';
import { priceBasis } from '#lib/studio/preview/price-basis.ts';

const plain = (text: string | null | undefined) => text?.replace(/[\u00a0\u202f]/g, ' ');

function refusalOf(...lengthsMs: number[]): string | undefined {
  const clips = lengthsMs.map((durationMs, at) => ({ ref: `ast_${at}`, durationMs }));
  try {
    checkTotalDuration(clips, { min: 0, max: 3, maxTotalMs: 15_000 });
    return undefined;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return plain(error.options.message);
  }
}

test('the length of clips is told with a decimal comma, and never as what would have been taken', () => {
  expect(refusalOf(7_000, 8_000)).toBeUndefined();
  expect(refusalOf(8_000, 7_400)).toBe('Les clips durent 15,4 s en tout, il en faut au plus 15 s.');
  expect(refusalOf(8_000, 7_010)).toBe('Les clips durent 15,1 s en tout, il en faut au plus 15 s.');
});

test('a price by millions of pixels agrees with how many there are', () => {
  const said = (outputPixels: number) =>
    plain(
      priceBasis({ basis: 'per-output-block', blockMicros: '80000', blockPixels: 4_000_000, outputPixels }),
    );
  expect(said(1_000_000)).toBe('0,08 $US par tranche de 4 millions de pixels faits : 1 million');
  expect(said(1_540_000)).toMatch(/ : 1,5 million$/);
  expect(said(1_960_000)).toMatch(/ : 2 millions$/);
  expect(said(16_000_000)).toMatch(/ : 16 millions$/);
});
