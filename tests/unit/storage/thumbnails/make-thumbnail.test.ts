import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { markOrigin, readProvenance } from '#lib/storage/media/provenance/provenance.ts';
import { makeThumbnail } from '#lib/storage/thumbnails/make-thumbnail.ts';

const picture = (width: number, height: number) => {
  const noise = Uint8Array.from(
    { length: width * height * 3 },
    (_, index) => (Math.imul(index ^ (index >>> 7), 2_654_435_761) >>> 13) % 256,
  );
  return sharp(noise, { raw: { width, height, channels: 3 } });
};
const sizeOf = async (bytes: Uint8Array | null) => {
  const { format, width, height } = await sharp(bytes ?? new Uint8Array()).metadata();
  return [format, width, height];
};

describe('a thumbnail', () => {
  it.each([
    ['a square', 1024, 1024, [320, 320]],
    ['a landscape', 1280, 720, [569, 320]],
    ['a portrait', 720, 1280, [320, 569]],
    ['a banner', 2400, 300, [960, 120]],
    ['a picture that is smaller', 200, 100, [200, 100]],
  ])('of %s is WebP, 320 pixels on its shorter side, never enlarged', async (_, width, height, size) => {
    const made = await makeThumbnail(await picture(width, height).png().toBuffer());
    expect(await sizeOf(made)).toEqual(['webp', ...size]);
  });

  it('stands upright, and is the first frame of what moves', async () => {
    const lying = await picture(800, 400).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect(await sizeOf(await makeThumbnail(lying))).toEqual(['webp', 320, 640]);
    const frames = await Promise.all(
      ['red', 'lime', 'blue'].map((background) =>
        sharp({ create: { width: 400, height: 400, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const moving = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    expect((await sharp(moving).metadata()).pages).toBe(3);
    const made = await makeThumbnail(moving);
    expect((await sharp(made ?? new Uint8Array()).metadata()).pages ?? 1).toBe(1);
    const [red = 0, green = 255] = await sharp(made ?? new Uint8Array())
      .raw()
      .toBuffer();
    expect(red - green).toBeGreaterThan(150);
  });

  it('is made of a PNG that moves too', async () => {
    const still = await picture(400, 400).png().toBuffer();
    const body = Buffer.from('acTL\0\0\0\u0001\0\0\0\0', 'latin1');
    const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(8);
    crc.writeUInt32BE(crc32(body));
    // After the signature and the header, before the picture.
    const moving = Buffer.concat([still.subarray(0, 33), length, body, crc, still.subarray(33)]);
    expect(await sizeOf(await makeThumbnail(moving))).toEqual(['webp', 320, 320]);
  });

  it('says as its picture does that a model made it', async () => {
    const { bytes } = markOrigin(await picture(640, 640).png().toBuffer(), {
      contentType: 'image/png',
      source: 'trainedAlgorithmicMedia',
    });
    const made = await makeThumbnail(bytes);
    expect(readProvenance(made ?? new Uint8Array(), 'image/webp')).toBe('mark');
  });

  it('is not made of a bomb, of what is cut, of a drawing or of a document', async () => {
    const bomb = Buffer.from(await picture(8, 8).png().toBuffer());
    bomb.writeUInt32BE(60_000, 16);
    bomb.writeUInt32BE(60_000, 20);
    const whole = await picture(900, 900).png().toBuffer();
    const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"/>');
    for (const bytes of [bomb, whole.subarray(0, whole.length / 2), drawing, Buffer.from('%PDF-1.7 x')])
      expect(await makeThumbnail(bytes)).toBeNull();
    expect(await makeThumbnail(whole, { maxPixels: 900 * 900 - 1 })).toBeNull();
  });
});
