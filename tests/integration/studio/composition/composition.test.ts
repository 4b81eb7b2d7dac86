import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '#lib/core/errors.ts';
import { keptOutside } from '#lib/studio/composition/blend.ts';
import { checkComposition } from '#lib/studio/composition/check-composition.ts';
import { composeProductImage } from '#lib/studio/composition/compose-product-image.ts';
import type { CompositionInput } from '#lib/studio/composition/composition.ts';
import type { SharpFactory, SharpLoader } from '#lib/studio/composition/load-sharp.ts';

const bytes = (buffer: Buffer) => new Uint8Array(buffer);
type Raw = { width: number; height: number; channels: 1 | 3 | 4 };
const png = async (data: Uint8Array, raw: Raw) => bytes(await sharp(data, { raw }).png().toBuffer());
const pixels = async (image: Uint8Array) => bytes(await sharp(image).ensureAlpha().raw().toBuffer());
const noise = (length: number, seed: number) =>
  Uint8Array.from({ length }, (_, i) => ((i + 1) * (seed * 2 + 7919)) % 256);
const plain = async (width: number, height: number, background: string) =>
  bytes(
    await sharp({ create: { width, height, channels: 4, background } })
      .png()
      .toBuffer(),
  );

/** A mask whose first `open` pixels are white. */
const maskOf = (width: number, height: number, open: number) =>
  png(
    Uint8Array.from({ length: width * height }, (_, i) => (i < open ? 255 : 0)),
    { width, height, channels: 1 },
  );

async function outcome(input: CompositionInput, load?: SharpLoader): Promise<string> {
  try {
    await composeProductImage(input, load ? { load } : {});
    return 'composed';
  } catch (error) {
    if (error instanceof ServiceError) return [error.code, error.options.detail].filter(Boolean).join(' ');
    throw error;
  }
}

describe('a composition', () => {
  test('keeps every pixel outside the mask and takes every pixel inside, whatever the mask and the transparency', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 4, max: 40 }),
        fc.integer({ min: 4, max: 40 }),
        fc.nat(1000),
        fc.constantFrom(3 as const, 4 as const),
        fc.infiniteStream(fc.constantFrom(0, 0, 5, 100, 200, 250, 255)),
        async (width, height, seed, channels, levels) => {
          const grey = Uint8Array.from({ length: width * height }, () => levels.next().value as number);
          grey[0] = 0;
          grey[1] = 255;
          grey.fill(0, 2, 2 + Math.ceil(grey.length * 0.06));
          const product = await png(noise(width * height * channels, seed), { width, height, channels });
          const generated = await png(noise(width * height * channels, seed + 1), {
            width,
            height,
            channels,
          });
          const mask = await png(grey, { width, height, channels: 1 });
          const result = await composeProductImage({ product, generated, mask });
          expect([result.width, result.height]).toEqual([width, height]);
          const [before, drawn, after] = [
            await pixels(product),
            await pixels(generated),
            await pixels(result.png),
          ];
          for (let pixel = 0; pixel < grey.length; pixel += 1) {
            const at = [pixel * 4, pixel * 4 + 4] as const;
            if (grey[pixel]! <= 12) expect(after.subarray(...at)).toEqual(before.subarray(...at));
            if (grey[pixel]! >= 243) expect(after.subarray(...at)).toEqual(drawn.subarray(...at));
          }
          expect(result.coverage).toBeCloseTo(grey.filter((level) => level > 12).length / grey.length, 10);
        },
      ),
      { numRuns: 100 },
    );
  });

  test('mixes along a soft edge without the colour of what is invisible', async () => {
    const product = await plain(10, 10, 'rgba(255,0,0,1)');
    const mask = await png(new Uint8Array(100).fill(128, 0, 50), { width: 10, height: 10, channels: 1 });
    const over = await composeProductImage({
      product,
      generated: await plain(10, 10, 'rgba(0,0,255,1)'),
      mask,
    });
    expect([...(await pixels(over.png)).subarray(0, 4)]).toEqual([127, 0, 128, 255]);
    const unseen = await composeProductImage({
      product,
      generated: await plain(10, 10, 'rgba(0,0,255,0)'),
      mask,
    });
    expect([...(await pixels(unseen.png)).subarray(0, 4)]).toEqual([255, 0, 0, 127]);
  });

  test.each([
    [0, 'composition-failed mask-coverage'],
    [9, 'composition-failed mask-coverage'],
    [10, 'composed'],
    [9500, 'composed'],
    [9501, 'composition-failed mask-coverage'],
    [10_000, 'composition-failed mask-coverage'],
  ])('opens from 0.1 % to 95 % of the picture: %i pixels of 10,000', async (open, expected) => {
    const [product, generated] = [await plain(100, 100, 'red'), await plain(100, 100, 'blue')];
    const mask = await maskOf(100, 100, open);
    expect(await outcome({ product, generated, mask })).toBe(expected);
    // Judged alike before anybody is paid.
    const checked = checkComposition({ product, mask, offered: ['1:1'] }).then(
      () => 'composed',
      ({ code, options }: ServiceError) => `${code} ${options.detail}`,
    );
    expect(await checked).toBe(expected);
  });

  test('has the product’s size, whatever the provider drew at', async () => {
    const product = await png(noise(60 * 40 * 3, 1), { width: 60, height: 40, channels: 3 });
    const result = await composeProductImage({
      product,
      generated: await plain(120, 81, 'blue'),
      mask: await maskOf(30, 20, 200),
    });
    expect([result.width, result.height]).toEqual([60, 40]);
    expect(result.coverage).toBeCloseTo(200 / 600, 2);
  });

  test('refuses a picture or a mask of other proportions', async () => {
    const [product, mask] = [await plain(60, 40, 'red'), await maskOf(60, 40, 500)];
    expect(await outcome({ product, mask, generated: await plain(60, 60, 'blue') })).toBe(
      'composition-failed proportions',
    );
    const square = await maskOf(50, 50, 500);
    expect(await outcome({ product, mask: square, generated: product })).toBe(
      'composition-failed proportions',
    );
  });

  test('a product a little off its format is composed with what was drawn a little off it the other way', async () => {
    // Refused before anything is paid beyond 2 % of the format; 912 × 1,136 is what is asked of the model for 4:5.
    const [product, mask] = [await plain(157, 200, 'red'), await maskOf(157, 200, 5_000)];
    expect((await checkComposition({ product, mask, offered: ['4:5'] })).aspectRatio).toBe('4:5');
    const compose = (generated: Uint8Array) =>
      composeProductImage({ product, mask, generated }, { aspectRatio: '4:5' });
    const { width, height } = await compose(await plain(912, 1_136, 'blue'));
    expect([width, height]).toEqual([157, 200]);
    await expect(compose(await plain(770, 1_000, 'blue'))).rejects.toMatchObject({
      code: 'composition-failed',
      options: { detail: 'proportions' },
    });
  });

  test('stands upright when the photograph was taken sideways', async () => {
    const product = bytes(
      await sharp(await plain(60, 40, 'red'))
        .withMetadata({ orientation: 6 })
        .jpeg()
        .toBuffer(),
    );
    const result = await composeProductImage({
      product,
      generated: await plain(40, 60, 'blue'),
      mask: await maskOf(40, 60, 500),
    });
    expect([result.width, result.height]).toEqual([40, 60]);
  });

  test('reads a mask in colour, in JPEG, or drawn by transparency', async () => {
    const product = await plain(64, 64, 'red');
    const half = Uint8Array.from({ length: 64 * 64 * 4 }, (_, i) =>
      i % 4 !== 3 || i < 64 * 64 * 2 ? 255 : 0,
    );
    const mask = await png(half, { width: 64, height: 64, channels: 4 });
    const jpeg = bytes(await sharp(mask).flatten({ background: 'black' }).jpeg({ quality: 60 }).toBuffer());
    for (const shape of [mask, jpeg]) {
      expect((await composeProductImage({ product, generated: product, mask: shape })).coverage).toBeCloseTo(
        0.5,
        2,
      );
    }
  });

  test('of greyscale, palette and 16-bit pictures is exact too', async () => {
    const grey = await png(noise(400, 3), { width: 20, height: 20, channels: 1 });
    const palette = bytes(
      await sharp(await png(noise(1200, 4), { width: 20, height: 20, channels: 3 }))
        .png({ palette: true, colours: 16 })
        .toBuffer(),
    );
    const deep = bytes(
      await sharp(await png(noise(1200, 5), { width: 20, height: 20, channels: 3 }))
        .toColourspace('rgb16')
        .png()
        .toBuffer(),
    );
    const mask = await maskOf(20, 20, 100);
    for (const product of [grey, palette, deep]) {
      expect(await outcome({ product, generated: await plain(20, 20, 'blue'), mask })).toBe('composed');
    }
  });

  test('fails on what is no picture, is cut or is too big', async () => {
    const [picture, mask] = [await plain(60, 40, 'red'), await maskOf(60, 40, 500)];
    const cases = [
      new Uint8Array(),
      new TextEncoder().encode('bonjour'),
      picture.subarray(0, picture.length >> 1),
    ];
    for (const bad of cases) {
      expect(await outcome({ product: bad, generated: picture, mask })).toBe('composition-failed unreadable');
      expect(await outcome({ product: picture, generated: bad, mask })).toBe('composition-failed unreadable');
      expect(await outcome({ product: picture, generated: picture, mask: bad })).toBe(
        'composition-failed unreadable',
      );
    }
    const huge = await plain(6000, 4100, 'red');
    expect(await outcome({ product: huge, generated: picture, mask })).toBe('composition-failed too-large');
  });

  test('is unavailable, not failed, when the library does not load', async () => {
    const load = async () => {
      throw new Error('cannot open shared object file');
    };
    const picture = await plain(9, 9, 'red');
    expect(await outcome({ product: picture, generated: picture, mask: picture }, load)).toBe(
      'composition-unavailable',
    );
  });

  test('whose written file differs from the product by one level fails the pixel check', async () => {
    const [product, generated, mask] = [
      await plain(20, 20, '#808080'),
      await plain(20, 20, 'blue'),
      await maskOf(20, 20, 100),
    ];
    const off: SharpLoader = async () => {
      const wrapped = (input: Uint8Array, settings?: { raw?: Raw }) => {
        if (settings?.raw) input[input.length - 4]! += 1;
        return sharp(input, settings);
      };
      return wrapped as unknown as SharpFactory;
    };
    expect(await outcome({ product, generated, mask }, off)).toBe('composition-failed pixels');
  });
});

describe('what is known of a composition before anybody is paid', () => {
  const offered = ['1:1', '4:3', '3:4', '16:9'];
  const check = async (sizes: {
    product: [number, number];
    mask: [number, number, number];
    aspectRatio?: string;
  }) => {
    const product = await plain(...sizes.product, 'red');
    const mask = await maskOf(...sizes.mask);
    return checkComposition({ product, mask, aspectRatio: sizes.aspectRatio, offered });
  };

  test.each([
    [[80, 60], undefined, '4:3'],
    [[60, 80], undefined, '3:4'],
    [[61, 60], undefined, '1:1'],
    [[80, 60], '4:3', '4:3'],
  ] as const)(
    'the format is the product’s: %j, asked %s, is drawn in %s',
    async (size, aspectRatio, drawn) => {
      const [width, height] = size;
      const asked = aspectRatio ? { aspectRatio } : {};
      expect(await check({ product: [width, height], mask: [width, height, width * 20], ...asked })).toEqual({
        aspectRatio: drawn,
      });
    },
  );

  test.each([
    [
      'a mask that opens nothing',
      { product: [80, 60], mask: [80, 60, 0] },
      'mask-coverage',
      'composition.mask',
    ],
    [
      'a mask that opens everything',
      { product: [80, 60], mask: [80, 60, 4800] },
      'mask-coverage',
      'composition.mask',
    ],
    [
      'a mask of other proportions',
      { product: [80, 60], mask: [60, 60, 900] },
      'proportions',
      'composition.mask',
    ],
    [
      'a format that is not the product’s',
      { product: [80, 60], mask: [80, 60, 900], aspectRatio: '1:1' },
      'proportions',
      'aspectRatio',
    ],
    [
      'a product of no format of the model',
      { product: [90, 20], mask: [90, 20, 900] },
      'proportions',
      'composition.product',
    ],
    [
      'a product of more than 24 million pixels',
      { product: [6000, 4100], mask: [60, 41, 900] },
      'too-large',
      'composition.product',
    ],
    [
      'a mask of more than 24 million pixels',
      { product: [60, 41], mask: [6000, 4100, 900_000] },
      'too-large',
      'composition.mask',
    ],
  ] as const)('%s is refused in a sentence that names the field', async (_, sizes, detail, field) => {
    const error = await check(sizes as unknown as Parameters<typeof check>[0]).catch((e) => e);
    expect(error).toMatchObject({ code: 'composition-failed', status: 422, options: { detail } });
    expect(error.options.problems).toEqual([{ field, message: error.options.message }]);
    expect(error.options.message).toMatch(/rien n’a été débité\.$/i);
  });

  test('a library that does not load is told as unavailable', async () => {
    const load = () => Promise.reject(new Error('no library'));
    const picture = await plain(9, 9, 'red');
    await expect(
      checkComposition({ product: picture, mask: picture, offered }, { load }),
    ).rejects.toMatchObject({ code: 'composition-unavailable', status: 503 });
  });
});

test('the pixel check sees any single byte that changed outside the mask, and ignores those inside', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 2, max: 60 }),
      fc.nat(),
      fc.nat(3),
      fc.integer({ min: 1, max: 255 }),
      async (size, where, channel, change) => {
        const product = noise(size * 4, 1);
        const opacity = Uint8Array.from({ length: size }, (_, i) => (i % 2 === 0 ? 0 : 200));
        const output = product.slice();
        const pixel = where % size;
        output[pixel * 4 + channel] = (output[pixel * 4 + channel]! + change) % 256;
        expect(await keptOutside(product, output, opacity)).toBe(pixel % 2 === 1);
      },
    ),
  );
});
