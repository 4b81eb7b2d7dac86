import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { decodeInTurn } from '#lib/storage/media/decode-in-turn.ts';
import { checkMask } from '#lib/studio/composition/check-composition.ts';
import { composeProductImage } from '#lib/studio/composition/compose-product-image.ts';
import { fitImage } from '#lib/studio/references/fit-inline.ts';
import { blackAndWhite } from '#lib/studio/retouch/edit-mask.ts';
import { uprightPicture } from '#lib/studio/retouch/upright.ts';

const size = { width: 40, height: 30 };
let picture: Uint8Array;
let mask: Uint8Array;

beforeAll(async () => {
  const noise = Uint8Array.from({ length: 40 * 30 * 3 }, (_, index) => (index * 7919) % 256);
  picture = await sharp(noise, { raw: { ...size, channels: 3 } })
    .webp()
    .toBuffer();
  const white = { create: { width: 20, height: 30, channels: 3, background: '#fff' } } as const;
  mask = await sharp({ create: { ...size, channels: 3, background: '#000' } })
    .composite([{ input: await sharp(white).png().toBuffer(), left: 0, top: 0 }])
    .png()
    .toBuffer();
});

const webp = () => ({ ...size, bytes: picture, contentType: 'image/webp' });

/** Every operation that decodes a picture of an account, by name. */
const WORKS: Record<string, (owner: string) => Promise<unknown>> = {
  'a reference that is too heavy': (owner) => fitImage(webp(), { mostBytes: 1, owner }),
  'a picture to retouch': (owner) =>
    uprightPicture({ ...webp(), file: { ref: 'ast_1', contentType: 'image/webp' } }, owner),
  'a mask as the model reads it': (owner) => blackAndWhite(mask, size, owner),
  'a mask that is judged': (owner) => checkMask(sharp, mask, { picture: size, field: 'edit.mask', owner }),
  'a composition': (owner) => composeProductImage({ product: picture, generated: picture, mask }, { owner }),
};

test('a picture to retouch that lies on its side is sent upright, and one that stands is sent as it is', async () => {
  const file = { ref: 'ast_1', contentType: 'image/jpeg' };
  const sent = async (orientation: number) => {
    const jpeg = await sharp(picture).withMetadata({ orientation }).jpeg().toBuffer();
    const bytes = new Uint8Array(jpeg);
    const made = await uprightPicture({ ...size, bytes, contentType: 'image/jpeg', file }, 'acc_upright');
    return { made, isSame: made.bytes === bytes };
  };
  expect(await sent(6)).toMatchObject({ made: { width: 30, height: 40 }, isSame: false });
  expect(await sent(1)).toMatchObject({ made: size, isSame: true });
});

describe.each(Object.entries(WORKS))('%s', (_, work) => {
  test('waits until one of the places for pictures is free', async () => {
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const held = ['un', 'deux'].map((owner) => decodeInTurn(owner, () => over));
    let isDone = false;
    const waiting = work('trois').then(() => {
      isDone = true;
    });
    try {
      // Far longer than it takes.
      await new Promise((turn) => setTimeout(turn, 300));
      expect(isDone).toBe(false);
    } finally {
      end();
    }
    await Promise.all([...held, waiting]);
    expect(isDone).toBe(true);
  });

  test('is done beside what another account holds, and in a turn that its own account has', async () => {
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const held = decodeInTurn('un', () => over);
    try {
      await work('trois');
      await decodeInTurn('trois', () => work('trois'));
    } finally {
      end();
    }
    await held;
  });
});
