import fc from 'fast-check';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { decodeInTurn } from '#lib/storage/media/decode-in-turn.ts';
import { MediaRefusal } from '#lib/storage/media/media-refusal.ts';
import { type ImageFormat, MEDIA_LIMITS } from '#lib/storage/media/media-types.ts';
import { type ProbeOptions, probeImageFile } from '#lib/storage/media/probe.ts';
import { isTransparent } from '#lib/storage/media/transparency.ts';
import { longestHold } from '#tests/factories/watching/held-loop.ts';

const formats = ['png', 'jpeg', 'webp', 'gif'] as const;
const still = {} as Record<ImageFormat, Uint8Array>;
const moving = {} as Record<'gif' | 'webp', Uint8Array>;
const join = (...parts: (Uint8Array | string)[]) =>
  new Uint8Array(
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part))),
  );

beforeAll(async () => {
  const noise = Uint8Array.from({ length: 40 * 30 * 3 }, (_, index) => (index * 7919) % 256);
  const picture = () => sharp(noise, { raw: { width: 40, height: 30, channels: 3 } });
  for (const format of formats) still[format] = new Uint8Array(await picture().toFormat(format).toBuffer());
  const frames = await Promise.all(
    ['red', 'lime', 'blue'].map((background) =>
      sharp({ create: { width: 20, height: 10, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  for (const format of ['gif', 'webp'] as const) {
    moving[format] = new Uint8Array(
      await sharp(frames, { join: { animated: true } })
        .toFormat(format)
        .toBuffer(),
    );
  }
});

async function probing(bytes: Uint8Array, options?: ProbeOptions): Promise<string> {
  try {
    await probeImageFile(bytes, options);
    return 'accepted';
  } catch (error) {
    if (error instanceof MediaRefusal) return error.reason;
    throw error;
  }
}

/** A progressive JPEG of one colour with so many scans, each of which refines one coefficient by one bit: valid, and read through entirely. */
function refined(jpeg: Buffer, count: number): Uint8Array {
  const starts = [...jpeg.keys()].filter((at) => jpeg[at] === 0xff && jpeg[at + 1] === 0xda);
  const last = starts.at(-1) ?? 0;
  const table = jpeg.subarray(jpeg.lastIndexOf(Buffer.from([0xff, 0xc4]), last), last);
  const headEnd = 2 + jpeg.readUInt16BE(last + 2);
  const scan = jpeg.subarray(last, -2);
  const [first = 0, second = 0] = starts;
  const colours = jpeg.subarray(0, jpeg.indexOf(Buffer.from([0xff, 0xc4]), first + 1) || second);
  const scans = Array.from({ length: count - 1 }, (_, index) => {
    const one = Buffer.from(scan);
    const [coefficient, low] = [1 + Math.floor(index / 14), 13 - (index % 14)];
    one.set([coefficient, coefficient, (low === 13 ? 0 : (low + 1) << 4) | low], headEnd - 3);
    return one;
  });
  return join(colours, table, ...scans, Uint8Array.from([0xff, 0xd9]));
}

describe('an image', () => {
  test.each(formats)('is known by its bytes and measured: %s', async (format) => {
    expect(await probeImageFile(still[format])).toMatchObject({
      kind: 'image',
      format,
      contentType: `image/${format}`,
      extension: format === 'jpeg' ? 'jpg' : format,
      bytes: still[format].byteLength,
      width: 40,
      height: 30,
      animated: false,
    });
  });

  test('that moves is said to move, an animated PNG included', async () => {
    for (const format of ['gif', 'webp'] as const) {
      expect(await probeImageFile(moving[format])).toMatchObject({ animated: true, width: 20, height: 10 });
    }
    const acTL = Buffer.from('0000000861635444', 'hex');
    acTL.write('acTL', 4);
    const { crc32 } = await import('node:zlib');
    const body = Buffer.concat([Buffer.from('acTL'), Buffer.from([0, 0, 0, 1, 0, 0, 0, 0])]);
    const crc = Buffer.alloc(4);
    crc.writeUInt32BE(crc32(body));
    const length = Buffer.from([0, 0, 0, 8]);
    const apng = join(still.png.subarray(0, 33), length, body, crc, still.png.subarray(33));
    expect(await probeImageFile(apng)).toMatchObject({ format: 'png', animated: true });
    // By either name, as what it contains.
    for (const named of [{ fileName: 'a.png' }, { fileName: 'a.apng', declaredType: 'image/apng' }])
      expect(await probing(apng, named)).toBe('accepted');
  });

  test('of a phone is measured upright', async () => {
    const turned = await sharp(still.jpeg).withMetadata({ orientation: 6 }).toBuffer();
    expect(await probeImageFile(new Uint8Array(turned))).toMatchObject({ width: 30, height: 40 });
  });

  test.each(formats)('cut anywhere is unreadable: %s', async (format) => {
    for (const share of [0.5, 0.9, 0.99]) {
      const cut = still[format].subarray(0, Math.floor(still[format].byteLength * share));
      expect(['image-unreadable', 'type-not-accepted']).toContain(await probing(cut));
    }
  });

  test('with a broken middle is unreadable though its head and end are right', async () => {
    const broken = still.png.slice();
    broken.fill(0x55, 60, broken.byteLength - 40);
    expect(await probing(broken)).toBe('image-unreadable');
    expect(await probing(join(still.png.subarray(0, 33), still.png.subarray(-12)))).toBe('image-unreadable');
  });

  test('that claims more pixels than a machine should decode is refused before decoding', async () => {
    const huge = new Uint8Array(
      await sharp(Buffer.alloc(1), { raw: { width: 1, height: 1, channels: 1 } })
        .resize(9000, 9000, { kernel: 'nearest' })
        .toColourspace('b-w')
        .png({ compressionLevel: 1 })
        .toBuffer(),
    );
    expect(huge.byteLength).toBeLessThan(MEDIA_LIMITS.uploadedImageBytes);
    expect(await probing(huge)).toBe('image-too-big');
  });

  test('that would take its reader through its pixels a thousand times is refused before decoding; one of a hundred is read', async () => {
    const flat = { create: { width: 64, height: 64, channels: 3, background: '#777' } } as const;
    const jpeg = await sharp(flat).jpeg({ progressive: true }).toBuffer();
    const scansOf = (count: number) => refined(jpeg, count);
    expect(await probing(scansOf(100))).toBe('accepted');
    expect(await probing(scansOf(101))).toBe('image-unreadable');
    expect(await probing(scansOf(800))).toBe('image-unreadable');
  });

  test('waits until one of two places is free, however many are sent at once', async () => {
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const held = ['un', 'deux'].map((owner) => decodeInTurn(owner, () => over));
    const read: string[] = [];
    const waiting = [
      probeImageFile(still.png, { owner: 'trois' }).then(() => read.push('probed')),
      isTransparent(still.png, 'quatre').then(() => read.push('seen through')),
    ];
    try {
      // Far longer than either takes.
      await new Promise((turn) => setTimeout(turn, 300));
      expect(read).toEqual([]);
    } finally {
      end();
    }
    await Promise.all([...held, ...waiting]);
    expect(read.sort()).toEqual(['probed', 'seen through']);
  });

  test('of one account waits for that account’s others alone: another account’s is read beside them', async () => {
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const held = decodeInTurn('attaquant', () => over);
    let isRead = false;
    const waiting = probeImageFile(still.png, { owner: 'attaquant' }).then(() => {
      isRead = true;
    });
    try {
      expect(await probeImageFile(still.png, { owner: 'victime' })).toMatchObject({ format: 'png' });
      await new Promise((turn) => setTimeout(turn, 300));
      expect(isRead).toBe(false);
    } finally {
      end();
    }
    await Promise.all([held, waiting]);
    expect(isRead).toBe(true);
  });

  test.each(formats)('followed by a page, a program, an archive or a PDF is refused: %s', async (format) => {
    for (const tail of [
      '<html><body>x',
      '<script>alert(1)</script>',
      '<?php system(1);',
      'PK\u0003\u0004xxxx',
      '%PDF-1.4',
      '\u007fELF',
    ]) {
      expect(await probing(join(still[format], tail))).toBe('hidden-content');
    }
  });

  test('with a page or an archive in its comments is refused', async () => {
    const comment = (text: string) =>
      join('\xff\xfe', Uint8Array.from([(text.length + 2) >> 8, (text.length + 2) & 255]), text);
    const within = (text: string) => join(still.jpeg.subarray(0, 2), comment(text), still.jpeg.subarray(2));
    expect(await probing(within('un commentaire'))).toBe('accepted');
    expect(await probing(within('<ScRiPt>alert(1)</script>'))).toBe('hidden-content');
    expect(await probing(within('%PDF-1.4'))).toBe('hidden-content');
    const zipEnd = (commentLength: number) =>
      join('PK\u0005\u0006', new Uint8Array(16), Uint8Array.from([commentLength & 255, commentLength >> 8]));
    expect(await probing(join(still.jpeg, zipEnd(0)))).toBe('hidden-content');
    expect(
      await probing(
        join(
          still.jpeg.subarray(0, 2),
          comment(Buffer.from(zipEnd(still.jpeg.byteLength - 2)).toString('latin1')),
          still.jpeg.subarray(2),
        ),
      ),
    ).toBe('hidden-content');
  });

  test('with an XML document in its comments or metadata is an image: nothing reads XML that does not begin a file', async () => {
    const xml = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><title>Rive</title></svg>';
    const segment = (marker: string, text: string) =>
      join(marker, Uint8Array.from([(text.length + 2) >> 8, (text.length + 2) & 255]), text);
    for (const within of [
      segment('\xff\xfe', xml),
      segment('\xff\xe1', `http://ns.adobe.com/xap/1.0/\0${xml}`),
    ])
      expect(await probing(join(still.jpeg.subarray(0, 2), within, still.jpeg.subarray(2)))).toBe('accepted');
    // A GIF's comment extension, before its first frame.
    const comment = join('\x21\xfe', Uint8Array.from([xml.length]), xml, '\0');
    const flags = still.gif[10] ?? 0;
    const head = 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
    expect(await probing(join(still.gif.subarray(0, head), comment, still.gif.subarray(head)))).toBe(
      'accepted',
    );
    for (const format of ['png', 'webp'] as const) {
      const written = await sharp(still[format]).withXmp(xml)[format]().toBuffer();
      expect(await probing(new Uint8Array(written))).toBe('accepted');
    }
  });

  test('keeps the second picture that phones hang after a JPEG', async () => {
    expect(await probing(join(still.jpeg, still.jpeg))).toBe('accepted');
    expect(await probing(join(still.png, still.png))).toBe('hidden-content');
    expect(await probing(join(still.png, new Uint8Array(10)))).toBe('accepted');
  });

  test('with a document hung after its film is refused wherever that begins, whatever its capitals', async () => {
    const film = new Uint8Array(100_003).fill(0x3c);
    expect(await probing(join(still.jpeg, film))).toBe('accepted');
    for (const mark of ['<SvG onload=x>', '<?XML version="1.0"?>', '%PDF-1.7', 'Rar!\u001a', '\u007fELF'])
      expect(await probing(join(still.jpeg, film, mark))).toBe('hidden-content');
    // Neither an archive nor a program, whose signatures are case-sensitive.
    for (const other of ['pk\u0003\u0004', 'rar!\u001a', '\u007felf', '<sv', '<'])
      expect(await probing(join(still.jpeg, film, other))).toBe('accepted');
  });

  test.each(['<', '<?', '<?p'])(
    'before megabytes of %j holds the loop for less than 100 ms',
    async (sign) => {
      const room = MEDIA_LIMITS.referenceBytes - still.jpeg.byteLength;
      const hung = join(still.jpeg, new Uint8Array(Buffer.alloc(room, sign)));
      let heldMs = Number.POSITIVE_INFINITY;
      // The least of several tries, because garbage collection does not block all of them.
      for (let again = 0; again < 4 && heldMs >= 100; again++) {
        const watched = await longestHold(() => probing(hung, { maxBytes: MEDIA_LIMITS.referenceBytes }));
        expect(watched.result).toBe('accepted');
        heldMs = Math.min(heldMs, watched.heldMs);
      }
      expect(heldMs).toBeLessThan(100);
    },
  );

  test('must be what it was declared to be', async () => {
    expect(await probing(still.png, { declaredType: 'image/jpeg' })).toBe('type-mismatch');
    expect(await probing(still.png, { fileName: 'a.jpg' })).toBe('type-mismatch');
    expect(await probing(still.png, { fileName: 'a.png.html' })).toBe('type-mismatch');
    expect(await probing(still.jpeg, { declaredType: 'image/jpg', fileName: 'A.JPEG' })).toBe('accepted');
  });

  test('is one of the four types, within its weight', async () => {
    const text = (source: string) => new TextEncoder().encode(source);
    expect(await probing(text('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toBe('type-not-accepted');
    expect(await probing(new Uint8Array(await sharp(still.png).avif().toBuffer()))).toBe('type-not-accepted');
    expect(await probing(new Uint8Array(await sharp(still.png).tiff().toBuffer()))).toBe('type-not-accepted');
    expect(MEDIA_LIMITS.uploadedImageBytes).toBe(4 * 1024 * 1024);
    const room = MEDIA_LIMITS.uploadedImageBytes - still.png.byteLength;
    expect(await probing(join(still.png, new Uint8Array(room)))).toBe('accepted');
    expect(await probing(join(still.png, new Uint8Array(room + 1)))).toBe('too-large');
    expect(
      await probing(join(still.png, new Uint8Array(MEDIA_LIMITS.uploadedImageBytes)), {
        maxBytes: MEDIA_LIMITS.referenceBytes,
      }),
    ).toBe('accepted');
    expect(await probing(new Uint8Array())).toBe('empty');
  });

  test('damaged at random is measured or refused, and never anything else', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...formats),
        fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), fc.nat(255)), {
          minLength: 1,
          maxLength: 8,
        }),
        async (format, changes) => {
          const bytes = still[format].slice();
          for (const [where, value] of changes) bytes[Math.floor(where * bytes.byteLength)] = value;
          await probing(bytes);
        },
      ),
      { numRuns: 200 },
    );
  });
});
