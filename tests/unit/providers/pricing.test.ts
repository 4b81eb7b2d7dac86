import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CaseId, MODELS } from '#lib/providers/models/catalogue.ts';
import {
  estimateInputTokens,
  estimateMicros,
  formulaCostMicros,
  type PricingQuantities,
  pricingRecord,
  requestedCostMicros,
  seedanceTokens,
} from '#lib/providers/models/pricing.ts';

describe('prices, worked by hand', () => {
  test.each<[string, CaseId, PricingQuantities, bigint]>([
    ['one image at $0.070', 'image-best', {}, 70_000n],
    ['4 megapixels made larger: one block', 'image-upscale', { outputPixels: 4_000_000 }, 80_000n],
    ['one pixel more: two blocks', 'image-upscale', { outputPixels: 4_000_001 }, 160_000n],
    [
      '5 s of Seedance 2.5 at 1080p, which has its own rate',
      'seedance-2-5',
      // 5 s × 1920 × 1080 × 24 / 1024 = 243,000 tokens × $11/M
      { outputMs: 5_000, resolution: '1080p' },
      2_673_000n,
    ],
    ['one image and 3 megapixels of reference: 0.070 + 3 × 0.030', 'image-best', { references: 3 }, 160_000n],
    ['312 tokens in at $2/M, 233 out at $10/M', 'vector', { inputTokens: 312, outputTokens: 233 }, 2_954n],
    ['a token is a whole of micro-dollars', 'vector', { inputTokens: 1, outputTokens: 0 }, 2n],
    ['840 characters at $0.10 per thousand', 'voice', { characters: 840 }, 84_000n],
    ['1 character', 'voice', { characters: 1 }, 100n],
    ['8 s of fast Veo at $0.10', 'veo', { outputMs: 8_000, resolution: '720p' }, 800_000n],
    [
      '8 s of fast Veo, silent, at $0.08',
      'veo',
      { outputMs: 8_000, resolution: '720p', audio: false },
      640_000n,
    ],
    ['6 s of best quality in 4K at $0.60', 'best-quality', { outputMs: 6_000, resolution: '4k' }, 3_600_000n],
    // 5 s × 1280 × 720 × 24 / 1024 = 108,000 tokens × $7.0/M
    ['5 s of Seedance 720p from text', 'seedance-2', { outputMs: 5_000, resolution: '720p' }, 756_000n],
    // (5 + 3.2) s × 21,600 tokens/s = 177,120 tokens × $4.3/M = $0.761616
    [
      '5 s of Seedance 720p with a 3.2 s clip',
      'seedance-2',
      { outputMs: 5_000, inputMs: 3_200, resolution: '720p' },
      761_616n,
    ],
    // 5 s × 1920 × 1080 × 24 / 1024 = 243,000 tokens × $7.7/M
    ['5 s of Seedance 2 in 1080p', 'seedance-2', { outputMs: 5_000, resolution: '1080p' }, 1_871_100n],
    // (5 + 2) s × 48,600 tokens/s = 340,200 tokens × $4.7/M
    [
      '5 s of Seedance 2 in 1080p with a 2 s clip',
      'seedance-2',
      { outputMs: 5_000, inputMs: 2_000, resolution: '1080p' },
      1_598_940n,
    ],
    [
      'Seedance by the tokens it reports',
      'seedance-2',
      { outputTokens: 87_300, resolution: '720p' },
      611_100n,
    ],
    ['a 4.5 s source clip edited by Omni at $0.13', 'omni', { sourceMs: 4_500, outputMs: 99_000 }, 585_000n],
    [
      'a 10.001 s motion clip at $0.126, rounded up',
      'motion',
      { sourceMs: 10_001, resolution: '720p' },
      1_260_126n,
    ],
    ['7.321 s of lipsync at $0.05', 'lipsync', { outputMs: 7_321 }, 366_050n],
    ['of 50 frames a second, twice that', 'lipsync', { outputMs: 7_321, framesPerSecond: 50 }, 732_100n],
    ['of 29.97, as of 30', 'lipsync', { outputMs: 10_000, framesPerSecond: 29.97 }, 600_000n],
    ['of fewer than 25, as of 25', 'lipsync', { outputMs: 10_000, framesPerSecond: 23.976 }, 500_000n],
    ['of 25 that end a moment late', 'lipsync', { outputMs: 10_000, framesPerSecond: 25.02 }, 500_000n],
    ['a face that speaks at 30', 'lipsync-character', { outputMs: 10_000, framesPerSecond: 30 }, 1_596_000n],
    [
      'a video is billed by its seconds, whatever its frames',
      'veo',
      { outputMs: 4_000, resolution: '720p', framesPerSecond: 60 },
      400_000n,
    ],
    ['a render of 61 s is two begun minutes', 'render', { runMs: 61_000 }, 20_000n],
    ['a render of 0 s is one begun minute', 'render', { runMs: 0 }, 10_000n],
  ])('%s', (_, name, quantities, micros) => {
    expect(formulaCostMicros(name, quantities)).toBe(micros);
  });

  test('a reserve holds the whole output allowance of a pictogram, and ten minutes of a render', () => {
    expect(estimateMicros('vector', { inputTokens: 100 })).toBe(200n + 20_000n);
    expect(estimateMicros('render', {})).toBe(100_000n);
  });

  test('a text is held for one token per two characters, and 64 more', () => {
    expect(['', 'a', 'ab', 'abc'].map(estimateInputTokens)).toEqual([64, 65, 65, 66]);
  });

  test('Seedance counts tokens of what is made and of what is given; nothing else does', () => {
    expect(seedanceTokens('seedance-2', { outputMs: 5_000, resolution: '720p' })).toBe(108_000);
    expect(seedanceTokens('seedance-2', { outputMs: 5_000, inputMs: 3_200, resolution: '720p' })).toBe(
      177_120,
    );
    expect(seedanceTokens('seedance-2', { outputMs: 1, resolution: '720p' })).toBe(22);
    expect(seedanceTokens('veo', { outputMs: 5_000, resolution: '720p' })).toBeUndefined();
    expect(() => seedanceTokens('seedance-2', { resolution: '720p' })).toThrow('outputMs is needed');
  });

  const quantities: [CaseId, PricingQuantities, keyof PricingQuantities][] = [
    ['image-best', { images: -1 }, 'images'],
    ['image-best', { references: -1 }, 'references'],
    ['image-upscale', {}, 'outputPixels'],
    ['vector', { outputTokens: 1 }, 'inputTokens'],
    ['vector', { inputTokens: 1 }, 'outputTokens'],
    ['voice', {}, 'characters'],
    ['veo', { resolution: '720p' }, 'outputMs'],
    ['seedance-2', { resolution: '720p' }, 'outputMs'],
    ['seedance-2', { resolution: '720p', outputMs: 1, inputMs: -1 }, 'inputMs'],
    ['seedance-2', { resolution: '720p', outputTokens: -1 }, 'outputTokens'],
    ['omni', {}, 'sourceMs'],
    ['render', {}, 'runMs'],
  ];
  test.each(quantities)('a price of %s by %o names what it needs: %s', (name, given, missing) => {
    expect(() => formulaCostMicros(name, given)).toThrow(`${missing} is needed to price this case`);
  });

  test.each([undefined, Number.NaN, Number.POSITIVE_INFINITY, -1])('%s is no quantity', (characters) => {
    expect(() => formulaCostMicros('voice', characters === undefined ? {} : { characters })).toThrow(
      new RangeError('characters is needed to price this case'),
    );
  });

  test('nothing costs nothing, where nothing can be asked for', () => {
    expect(formulaCostMicros('voice', { characters: 0 })).toBe(0n);
  });

  test('the record says how many frames were billed only where they are more than those of the rate', () => {
    const framesOf = (name: CaseId, framesPerSecond?: number) =>
      pricingRecord(name, {
        outputMs: 1_000,
        resolution: '720p',
        ...(framesPerSecond === undefined ? {} : { framesPerSecond }),
      });
    const atRate = { basis: 'per-second', perSecondMicros: '50000', outputMs: 1_000 };
    expect(framesOf('lipsync', 50)).toEqual({ ...atRate, framesPerSecond: 50, atFramesPerSecond: 25 });
    expect(framesOf('lipsync', 29.97)).toEqual({ ...atRate, framesPerSecond: 30, atFramesPerSecond: 25 });
    for (const few of [undefined, 12, 25, 25.02]) expect(framesOf('lipsync', few)).toEqual(atRate);
    expect(framesOf('veo', 60)).toEqual({ ...atRate, perSecondMicros: '100000' });
    expect(() => framesOf('lipsync', Number.NaN)).toThrow('framesPerSecond is needed to price this case');
  });

  test('the record of a price keeps the facts that it is made of, and names what is missing', () => {
    const record = pricingRecord;
    expect(record('image-best', {})).toEqual({
      basis: 'per-image',
      images: 1,
      references: 0,
      imageMicros: '70000',
    });
    expect(record('image-best', { images: 3, references: 2 })).toMatchObject({ images: 3, references: 2 });
    expect(record('image-upscale', { outputPixels: 5 })).toEqual({
      basis: 'per-output-block',
      blockMicros: '80000',
      blockPixels: 4_000_000,
      outputPixels: 5,
    });
    expect(record('vector', {})).toEqual({
      basis: 'per-token',
      inputPerMillionMicros: '2000000',
      outputPerMillionMicros: '10000000',
    });
    const seedance = (inputMs?: number) =>
      record('seedance-2', {
        outputMs: 5,
        resolution: '720p',
        ...(inputMs === undefined ? {} : { inputMs }),
      });
    const without = { rate: 'without-video', perMillionTokensMicros: '7000000', inputMs: 0, outputMs: 5 };
    expect(seedance()).toMatchObject(without);
    expect(seedance(0)).toMatchObject(without);
    expect(seedance(1)).toMatchObject({ rate: 'with-video', perMillionTokensMicros: '4300000', inputMs: 1 });
    expect(() => record('image-upscale', {})).toThrow('outputPixels is needed');
    expect(() => record('veo', { resolution: '720p' })).toThrow('outputMs is needed');
    expect(() => record('seedance-2', { resolution: '720p' })).toThrow('outputMs is needed');
    expect(() => record('motion', { resolution: '720p' })).toThrow('sourceMs is needed');
  });

  const jobs: [CaseId, PricingQuantities, string][] = [
    ['veo', { outputMs: 8_000, resolution: '720p', audio: false }, 'perSecondMicros'],
    ['lipsync', { outputMs: 8_000, framesPerSecond: 50 }, 'perSecondMicros'],
    ['seedance-2', { outputMs: 5_000, resolution: '1080p' }, 'perMillionTokensMicros'],
    ['seedance-2', { outputMs: 5_000, inputMs: 2_000, resolution: '1080p' }, 'perMillionTokensMicros'],
    ['motion', { sourceMs: 4_500, resolution: '720p' }, 'perSecondMicros'],
    ['render', { runMs: 61_000 }, 'perMinuteMicros'],
  ];
  test.each(jobs)(
    'a job (%s, %o) costs what its request’s rate makes of what was measured',
    (name, measured, rate) => {
      const record = pricingRecord(name, measured);
      const now = formulaCostMicros(name, measured);
      expect(requestedCostMicros(name, record, measured)).toBe(now);
      const tripled = { ...record, [rate]: String(3n * BigInt(String(record[rate]))) };
      expect(requestedCostMicros(name, tripled, measured)).toBe(3n * now);
      // A row that records no rate, or none that can be read, is priced by the table.
      for (const unsaid of [{}, { ...record, [rate]: '-1' }, { ...record, [rate]: 7 }])
        expect(requestedCostMicros(name, unsaid, measured)).toBe(now);
    },
  );

  test('the frames that a request’s rate is of are its own too', () => {
    const measured = { outputMs: 1_000, framesPerSecond: 50 };
    const requested = { ...pricingRecord('lipsync', measured), atFramesPerSecond: 50 };
    expect(requestedCostMicros('lipsync', requested, measured)).toBe(50_000n);
  });

  test('a request whose case is counted otherwise by now has no price by the table', () => {
    const requested = { basis: 'source-clip', perSecondMicros: '1' };
    expect(() => requestedCostMicros('veo', requested, { outputMs: 1 })).toThrow(RangeError);
    expect(() => requestedCostMicros('gone', {}, { outputMs: 1 })).toThrow('unknown case');
  });

  test('what a price needs and misses is named', () => {
    expect(() => estimateMicros('seedance-2', { outputMs: 1_000 })).toThrow('resolution');
    expect(() => estimateMicros('veo', { resolution: '720p' })).toThrow('outputMs');
    expect(() => estimateMicros('motion', { outputMs: 5_000, resolution: '720p' })).toThrow('sourceMs');
    expect(() => estimateMicros('veo', { outputMs: 1_000, resolution: '8k' })).toThrow('resolution');
    expect(() => estimateMicros('sora', {})).toThrow('unknown case');
    expect(() => estimateMicros('toString', {})).toThrow('unknown case');
  });
});

describe('every price', () => {
  const names = Object.keys(MODELS) as CaseId[];
  const resolutionOf = (name: CaseId): string | undefined => MODELS[name].limits.resolutions?.[0];

  test('is never negative, never decreases with quantity, and is never below the exact amount', () => {
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.nat(120_000), fc.nat(120_000), (name, a, b) => {
        const price = (quantity: number) => {
          const resolution = resolutionOf(name);
          return formulaCostMicros(name, {
            images: quantity,
            references: quantity,
            inputTokens: quantity,
            ...(name === 'vector' ? { outputTokens: quantity } : {}),
            characters: quantity,
            outputMs: quantity,
            sourceMs: quantity,
            outputPixels: quantity,
            runMs: quantity,
            ...(resolution ? { resolution } : {}),
          });
        };
        const [low, high] = a < b ? [a, b] : [b, a];
        expect(price(low)).toBeGreaterThanOrEqual(0n);
        expect(price(high)).toBeGreaterThanOrEqual(price(low));
      }),
    );
  });

  test('can be written on a row as JSON', () => {
    for (const name of names) {
      const resolution = resolutionOf(name);
      const record = pricingRecord(name, {
        outputMs: 5_000,
        sourceMs: 4_000,
        outputPixels: 4_000_001,
        inputMs: 3_000,
        ...(resolution ? { resolution } : {}),
      });
      expect(JSON.parse(JSON.stringify(record))).toEqual(record);
      expect(record.basis).toBe(MODELS[name].pricing.basis);
    }
    expect(
      pricingRecord('seedance-2', { outputMs: 5_000, inputMs: 3_200, resolution: '720p' }),
    ).toMatchObject({ tier: '720p', rate: 'with-video', inputMs: 3_200 });
  });
});
