import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { composeProductImage } from '#lib/studio/composition/compose-product-image.ts';
import { longestHold } from '#tests/factories/watching/held-loop.ts';

const [width, height] = [5_760, 4_000];

/** A photograph of 23 megapixels, and a mask that opens its left half. */
async function pictures() {
  const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const;
  const picture = (background: string) =>
    sharp({ create: { width: 1_440, height: 1_000, channels: 3, background, noise } })
      .resize(width, height)
      .jpeg()
      .toBuffer();
  const [product, generated] = [await picture('#8a4b2a'), await picture('#2a4b8a')];
  return { product, generated, mask: await halfMask({ width, height }) };
}

/** A mask that opens its left half. */
async function halfMask({ width, height }: { width: number; height: number }): Promise<Buffer> {
  const white = { create: { width: width / 2, height, channels: 3, background: '#fff' } } as const;
  return sharp({ create: { width, height, channels: 3, background: '#000' } })
    .composite([{ input: await sharp(white).png().toBuffer(), left: 0, top: 0 }])
    .png()
    .toBuffer();
}

/** How many pictures this process read while `work` ran, in the threads by which it reads files too. */
async function countingReads<T extends object>(work: () => Promise<T>): Promise<T & { read: number }> {
  let [atWork, read] = [0, 0];
  const count = (now: number) => {
    if (now > atWork) read += 1;
    atWork = now;
  };
  sharp.queue.on('change', count);
  try {
    return { ...(await work()), read };
  } finally {
    sharp.queue.off('change', count);
  }
}

describe('a composition of 23 megapixels', () => {
  test('holds nobody else up for a tenth of a second, and is what a small one is', async () => {
    const input = await pictures();
    const { result, heldMs, read } = await countingReads(() => longestHold(() => composeProductImage(input)));
    console.log(`composition of 23 megapixels: the loop was held ${heldMs.toFixed(0)} ms at most`);
    expect(heldMs).toBeLessThan(100);
    // The product's own size is all that is read here. Four at once in this process kept a file waiting for 18 s, apart for one.
    expect(read).toBeLessThanOrEqual(1);
    expect([result.width, result.height]).toEqual([width, height]);
    expect(result.coverage).toBeCloseTo(0.5, 3);
    const kept = { left: width - 8, top: 100, width: 8, height: 8 };
    const pixels = (image: Uint8Array) => sharp(image).extract(kept).ensureAlpha().raw().toBuffer();
    expect(await pixels(result.png)).toEqual(await pixels(input.product));
  });
});

describe('a composition in a process of its own', () => {
  test('that fails there is refused for its reason', async () => {
    // Just over the size from which a process of its own composes: what that process says of a failure is the same at any size.
    const small = { width: 2_016, height: 2_000 };
    const plain = (background: string) => sharp({ create: { ...small, channels: 3, background } });
    const product = await plain('#8a4b2a').jpeg().toBuffer();
    const input = { product, generated: product, mask: await plain('#000').png().toBuffer() };
    const { refusal, read } = await countingReads(async () => ({
      refusal: await composeProductImage(input).catch((error: unknown) => error),
    }));
    expect(refusal).toMatchObject({ code: 'composition-failed', options: { detail: 'mask-coverage' } });
    expect(read).toBeLessThanOrEqual(1);
    await expect(
      composeProductImage({ ...input, generated: new Uint8Array([1, 2, 3]), mask: await halfMask(small) }),
    ).rejects.toMatchObject({ options: { detail: 'unreadable' } });
  });
});
