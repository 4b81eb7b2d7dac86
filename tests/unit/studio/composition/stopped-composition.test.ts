import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { composeProductImage } from '#lib/studio/composition/compose-product-image.ts';

const SIDE = 2_048;
const picture = (background: string) =>
  sharp({ create: { width: SIDE, height: SIDE, channels: 3, background } })
    .png()
    .toBuffer();

/** Composes while the first so many of its processes are sent the signal that ends a service and all of its processes. */
async function composedWhile(stopped: number): Promise<unknown> {
  let begun = 0;
  const end = (message: unknown) => {
    const child = (message as { process: ChildProcess }).process;
    begun += 1;
    if (begun <= stopped) child.once('spawn', () => child.kill('SIGTERM'));
  };
  const white = await sharp({ create: { width: SIDE / 2, height: SIDE, channels: 3, background: 'white' } })
    .png()
    .toBuffer();
  const mask = await sharp(await picture('black'))
    .composite([{ input: white, left: 0, top: 0 }])
    .png()
    .toBuffer();
  const [product, generated] = [await picture('#aa3311'), await picture('#1133aa')];
  subscribe('child_process', end);
  try {
    return await composeProductImage({ product, mask, generated }, { owner: 'acc' }).catch(
      (error: unknown) => error,
    );
  } finally {
    unsubscribe('child_process', end);
  }
}

test('a large composition whose process is stopped with the service is made again: its picture is paid', async () => {
  expect(await composedWhile(1)).toMatchObject({ width: SIDE, height: SIDE });
});

test('one whose processes are all stopped is a fault of ours, and not of the pictures', async () => {
  expect(await composedWhile(Number.POSITIVE_INFINITY)).toMatchObject({
    name: 'ChildFailure',
    reason: 'stopped',
  });
});
