import { readFile } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { probeMedia } from '#lib/storage/media/probe.ts';
import { isFromModel, markOrigin, readProvenance } from '#lib/storage/media/provenance/provenance.ts';
import { withoutMark } from '#lib/storage/media/provenance/svg-carrier.ts';
import { xmpPacket } from '#lib/storage/media/provenance/xmp.ts';
import { digitalSourceOf } from '#lib/studio/generation/digital-source.ts';
import { sheetOrigin } from '#lib/studio/renders/sheet-origin.ts';

const root = new URL('../../../../', import.meta.url);
const file = async (path: string) => new Uint8Array(await readFile(new URL(path, root)));
const fixture = (name: string) => file(`tests/fixtures/media/${name}`);
const recorded = (name: string) => file(`lib/providers/${name}`);

const SIGNED = [
  ['signed.png', 'image/png'],
  ['signed.jpg', 'image/jpeg'],
  ['signed.mp3', 'audio/mpeg'],
] as const;
const PLAIN = [
  ['gateway/recorded/scene-still.png', 'image/png'],
  ['gateway/recorded/scene-hills.jpg', 'image/jpeg'],
  ['gateway/recorded/scene-studio.webp', 'image/webp'],
  ['gateway/recorded/loop-1x1.mp4', 'video/mp4'],
  ['elevenlabs/recorded/voice.mp3', 'audio/mpeg'],
] as const;
const source = 'trainedAlgorithmicMedia';
const DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M1 1h6v6z"/></svg>';

/** The manifest store of the signed PNG, with its signature. */
async function realStore(): Promise<Buffer> {
  const png = Buffer.from(await fixture('signed.png'));
  const at = png.indexOf('caBX', 0, 'latin1');
  return png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4));
}
const size = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const littleSize = (value: number) => size(value).reverse();

/** The samples of a film or a recording, with their offset: the content of `mdat`, or of `data`. */
function samplesOf(bytes: Uint8Array): string {
  const file = Buffer.from(bytes);
  const at = file.indexOf(file.toString('latin1', 0, 4) === 'RIFF' ? 'data' : 'mdat', 0, 'latin1');
  const length =
    file.toString('latin1', 0, 4) === 'RIFF' ? file.readUInt32LE(at + 4) : file.readUInt32BE(at - 4) - 8;
  const from = file.toString('latin1', 0, 4) === 'RIFF' ? at + 8 : at + 4;
  return `${from}:${file.subarray(from, from + length).toString('base64')}`;
}

describe('a file with a manifest', () => {
  test.each(SIGNED)(
    '%s is known by it and is given back as the very same bytes',
    async (name, contentType) => {
      const bytes = await fixture(name);
      expect(readProvenance(bytes, contentType)).toBe('manifest');
      const kept = markOrigin(bytes, { contentType, source });
      expect(kept.provenance).toBe('manifest');
      expect(kept.bytes).toBe(bytes);
    },
  );

  test('is found in an MP4’s box and in a WebP’s chunk too', async () => {
    const store = await realStore();
    const body = Buffer.concat([
      Buffer.from('d8fec3d61b0e483c92975828877ec481', 'hex'),
      Buffer.from('\0\0\0\0manifest\0\0\0\0\0\0\0\0\0', 'latin1'),
      store,
    ]);
    const film = Buffer.concat([
      await recorded('gateway/recorded/loop-1x1.mp4'),
      size(body.length + 8),
      Buffer.from('uuid'),
      body,
    ]);
    expect(readProvenance(film, 'video/mp4')).toBe('manifest');
    const webp = Buffer.from(await recorded('gateway/recorded/scene-studio.webp'));
    const padded = Buffer.concat([store, Buffer.alloc(store.length % 2)]);
    const carrying = Buffer.concat([webp, Buffer.from('C2PA'), littleSize(store.length), padded]);
    carrying.writeUInt32LE(carrying.length - 8, 4);
    expect(readProvenance(carrying, 'image/webp')).toBe('manifest');
  });

  test('is not what merely has the name of one: a chunk, a segment or a box that holds something else', async () => {
    const png = Buffer.from(await fixture('signed.png'));
    const at = png.indexOf('jumd', 0, 'latin1');
    png.write('XXXX', at, 'latin1');
    expect(readProvenance(png, 'image/png')).toBe('none');
  });
});

describe('a file without one', () => {
  test.each(PLAIN)('%s is marked, and measures what it measured', async (name, contentType) => {
    const bytes = await recorded(name);
    expect(readProvenance(bytes, contentType)).toBe('none');
    const marked = markOrigin(bytes, { contentType, source });
    expect(marked.provenance).toBe('mark');
    expect(readProvenance(marked.bytes, contentType)).toBe('mark');
    expect(Buffer.from(marked.bytes).toString('latin1')).toContain(
      'Iptc4xmpExt:DigitalSourceType="http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia"',
    );
    const [before, after] = [await probeMedia(bytes), await probeMedia(marked.bytes)];
    expect({ ...after, bytes: 0 }).toEqual({ ...before, bytes: 0 });
    // Marking again changes nothing: a closing may be repeated.
    expect(markOrigin(marked.bytes, { contentType, source }).bytes).toBe(marked.bytes);
  });

  test.each(PLAIN.slice(0, 3))(
    '%s keeps every pixel, and an XMP reader reads the mark',
    async (name, contentType) => {
      const bytes = await recorded(name);
      const marked = markOrigin(bytes, { contentType, source }).bytes;
      const pixels = (one: Uint8Array) => sharp(one).raw().toBuffer();
      expect((await pixels(marked)).equals(await pixels(bytes))).toBe(true);
      const { xmp } = await sharp(marked).metadata();
      expect(xmp?.toString()).toBe(Buffer.from(xmpPacket(source)).toString());
    },
  );

  test('with XMP of its own keeps what it says, with one statement more', async () => {
    for (const format of ['png', 'jpeg', 'webp'] as const) {
      const own = Buffer.from(xmpPacket(source))
        .toString()
        .replace(
          /<rdf:Description.*?\/>/,
          '<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" dc:format="x"/>',
        );
      const bytes = await sharp({ create: { width: 9, height: 7, channels: 4, background: '#f008' } })
        .withXmp(own)
        .toFormat(format)
        .toBuffer();
      const marked = markOrigin(bytes, { contentType: `image/${format}`, source });
      expect(marked.provenance, format).toBe('mark');
      const { xmp } = await sharp(marked.bytes).metadata();
      expect(xmp?.toString(), format).toContain('dc:format="x"');
      expect(xmp?.toString(), format).toContain('DigitalSourceType');
    }
  });

  test('of a lossless WebP with alpha keeps its canvas and its alpha', async () => {
    const bytes = await sharp({ create: { width: 33, height: 21, channels: 4, background: '#0f08' } })
      .webp({ lossless: true })
      .toBuffer();
    const marked = markOrigin(bytes, { contentType: 'image/webp', source });
    expect(marked.provenance).toBe('mark');
    expect(await sharp(marked.bytes).metadata()).toMatchObject({ width: 33, height: 21, hasAlpha: true });
  });

  test.each([
    ['clip.mov', 'video/quicktime'],
    ['track.m4a', 'audio/mp4'],
    ['track.wav', 'audio/wav'],
  ])('%s is marked, measures what it measured, and keeps every sample', async (name, contentType) => {
    const bytes = await fixture(name);
    expect(readProvenance(bytes, contentType)).toBe('none');
    const marked = markOrigin(bytes, { contentType, source });
    expect(marked.provenance).toBe('mark');
    expect(readProvenance(marked.bytes, contentType)).toBe('mark');
    const [before, after] = [await probeMedia(bytes), await probeMedia(marked.bytes)];
    expect({ ...after, bytes: 0 }).toEqual({ ...before, bytes: 0 });
    expect(samplesOf(marked.bytes)).toEqual(samplesOf(bytes));
    expect(markOrigin(marked.bytes, { contentType, source }).bytes).toBe(marked.bytes);
  });

  test('a film of QuickTime whose index comes before its samples is left as it is', async () => {
    const film = Buffer.from(await fixture('clip-faststart.mp4'));
    expect(markOrigin(film, { contentType: 'video/quicktime', source })).toEqual({
      bytes: film,
      provenance: 'none',
    });
  });

  test('a GIF of two frames keeps every pixel of both, and XMP of its own keeps what it says', async () => {
    const frames = sharp({
      create: { width: 12, height: 20, pageHeight: 10, channels: 3, background: '#284' } as never,
    });
    const bytes = new Uint8Array(await frames.gif().toBuffer());
    const contentType = 'image/gif';
    const marked = markOrigin(bytes, { contentType, source });
    expect(marked.provenance).toBe('mark');
    const pixels = (one: Uint8Array) => sharp(one, { animated: true }).raw().toBuffer();
    expect((await pixels(marked.bytes)).equals(await pixels(bytes))).toBe(true);
    expect({ ...(await probeMedia(marked.bytes)), bytes: 0 }).toEqual({
      ...(await probeMedia(bytes)),
      bytes: 0,
    });
    const own = Buffer.from(
      Buffer.from(marked.bytes)
        .toString('latin1')
        .replace(/ Iptc4xmpExt:DigitalSourceType="[^"]*"/, ' Iptc4xmpExt:Event="x"'),
      'latin1',
    );
    expect(readProvenance(own, contentType)).toBe('none');
    const again = markOrigin(own, { contentType, source });
    expect(again.provenance).toBe('mark');
    expect(Buffer.from(again.bytes).toString('latin1')).toContain('Iptc4xmpExt:Event="x"');
    expect((await pixels(again.bytes)).equals(await pixels(bytes))).toBe(true);
  });

  test.each([
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M1 1h6v6z"/></svg>',
    '<?xml version="1.0"?>\n<!-- é -->\n<svg xmlns="http://www.w3.org/2000/svg" aria-label="a > b" width="8" height="8">é</svg>',
  ])(
    'a drawing is marked in its metadata, draws the same, and is the author’s without it: %s',
    async (drawing) => {
      const bytes = new Uint8Array(Buffer.from(drawing));
      const contentType = 'image/svg+xml';
      const marked = markOrigin(bytes, { contentType, source });
      expect(marked.provenance).toBe('mark');
      const text = Buffer.from(marked.bytes).toString();
      expect(text).not.toContain('xpacket');
      expect(withoutMark(text)).toBe(drawing);
      const pixels = (one: Uint8Array) => sharp(one).raw().toBuffer();
      expect((await pixels(marked.bytes)).equals(await pixels(bytes))).toBe(true);
      expect(markOrigin(marked.bytes, { contentType, source }).bytes).toBe(marked.bytes);
      const signed = Buffer.from(
        drawing.replace('</svg>', '<metadata><c2pa:manifest>AA==</c2pa:manifest></metadata></svg>'),
      );
      expect(markOrigin(signed, { contentType, source })).toEqual({ bytes: signed, provenance: 'manifest' });
    },
  );

  test('of a format that is not marked is given back as it is, and a drawing with no room too', async () => {
    const webm = await fixture('clip.webm');
    expect(markOrigin(webm, { contentType: 'video/webm', source })).toEqual({
      bytes: webm,
      provenance: 'none',
    });
    const bytes = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
    expect(markOrigin(bytes, { contentType: 'image/svg+xml', source })).toEqual({
      bytes,
      provenance: 'none',
    });
  });
});

test('a picture says that it is a model’s by its mark or by its manifest, and says nothing otherwise', async () => {
  const plain = await recorded('gateway/recorded/scene-still.png');
  expect(isFromModel(plain)).toBe(false);
  expect(isFromModel(markOrigin(plain, { contentType: 'image/png', source }).bytes)).toBe(true);
  expect(isFromModel(await fixture('signed.png'))).toBe(true);
});

test('a template’s sheet is told to hold a model’s work when one of its pictures says so, and only then', async () => {
  const sheet = await recorded('gateway/recorded/scene-still.png');
  const photo = await recorded('gateway/recorded/scene-hills.jpg');
  expect(readProvenance(sheetOrigin(sheet, [photo]), 'image/png')).toBe('none');
  for (const made of [
    await fixture('signed.jpg'),
    markOrigin(photo, { contentType: 'image/jpeg', source }).bytes,
  ])
    expect(sheetOrigin(sheet, [photo, made]).toString('latin1')).toContain(
      'digitalsourcetype/compositeWithTrainedAlgorithmicMedia',
    );
});

test('a sheet that has nothing to tell is given on as it lies in memory', async () => {
  const sheet = await recorded('gateway/recorded/scene-still.png');
  const given = sheetOrigin(sheet, []);
  expect([given.equals(sheet), given.buffer === sheet.buffer]).toEqual([true, true]);
});

test('what a model made is told from what it made a part of', () => {
  const file = { ref: 'upl_a' };
  expect(digitalSourceOf({ references: {} })).toBe('trainedAlgorithmicMedia');
  expect(digitalSourceOf({ references: { roles: { images: [file], startImage: file } } })).toBe(source);
  for (const roles of [{ product: file, mask: file }, { clips: [file] }])
    expect(digitalSourceOf({ references: { roles } })).toBe('compositeWithTrainedAlgorithmicMedia');
  const larger = { references: { roles: { images: [file] } }, params: { case: 'image-upscale' } };
  expect(digitalSourceOf(larger)).toBe('compositeWithTrainedAlgorithmicMedia');
});

test('any bytes, and any real file cut or changed anywhere, are read without an error and never grow otherwise than by a mark', async () => {
  const files = await Promise.all([
    ...SIGNED.map(async ([name, type]) => ({ bytes: await fixture(name), type })),
    ...PLAIN.map(async ([name, type]) => ({ bytes: await recorded(name), type })),
    { bytes: await fixture('clip.mov'), type: 'video/quicktime' },
    { bytes: await fixture('track.wav'), type: 'audio/wav' },
    { bytes: new Uint8Array(await sharp(Buffer.from(DRAWING)).gif().toBuffer()), type: 'image/gif' },
    { bytes: new Uint8Array(Buffer.from(DRAWING)), type: 'image/svg+xml' },
  ]);
  const met = new Set<string>();
  fc.assert(
    fc.property(
      fc.constantFrom(...files),
      fc.nat(),
      fc.nat(),
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 12 }),
      ({ bytes, type }, cut, offset, changes) => {
        const broken = bytes.slice(
          offset % 3 === 0 ? offset % 64 : 0,
          cut % 2 ? bytes.length : cut % bytes.length,
        );
        for (const [at, value] of changes) broken[at % Math.min(2_000, broken.length || 1)] = value;
        const { bytes: kept, provenance } = markOrigin(broken, { contentType: type, source });
        expect(['manifest', 'mark', 'none']).toContain(provenance);
        if (provenance !== 'mark') expect(kept).toBe(broken);
        met.add(provenance);
      },
    ),
    { numRuns: 400 },
  );
  expect(met).toEqual(new Set(['manifest', 'mark', 'none']));
});

test('a file made of millions of empty blocks is left as it is, at once', () => {
  const boxes = Buffer.alloc(8 * 1_000_000, '\0\0\0\x08free', 'latin1');
  boxes.write('ftyp', 4, 'latin1');
  const kept = markOrigin(boxes, { contentType: 'video/mp4', source });
  expect(kept.bytes).toBe(boxes);
  expect(kept.provenance).toBe('none');
});

test('a PNG has one packet unpacked, however many it holds: where that one is too large, the file is left as it is', async () => {
  const png = Buffer.from(await recorded('gateway/recorded/scene-still.png'));
  const HEADER_END = 8 + 25;
  const packed = (packet: Uint8Array) => {
    const body = Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\0', 'latin1'), deflateSync(packet)]);
    return Buffer.concat([size(body.length), Buffer.from('zTXt'), body, Buffer.alloc(4)]);
  };
  const holding = (...chunks: Buffer[]) =>
    Buffer.concat([png.subarray(0, HEADER_END), ...chunks, png.subarray(HEADER_END)]);
  const mark = packed(Buffer.from(xmpPacket(source)));
  expect(readProvenance(holding(mark), 'image/png')).toBe('mark');
  const bytes = holding(packed(Buffer.alloc(1024 * 1024)), mark);
  expect(markOrigin(bytes, { contentType: 'image/png', source })).toEqual({ bytes, provenance: 'none' });
});

test('a recording that its own packet ends on an odd byte, with none after it, is marked all the same', async () => {
  const track = Buffer.from(await fixture('track.wav'));
  const own = Buffer.from('<rdf:RDF></rdf:RDF>');
  const bytes = Buffer.concat([
    track,
    Buffer.alloc(track.length % 2),
    Buffer.from('_PMX'),
    littleSize(own.length),
    own,
  ]);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  expect(bytes.length % 2).toBe(1);
  const marked = markOrigin(bytes, { contentType: 'audio/wav', source });
  expect(marked.provenance).toBe('mark');
  expect(readProvenance(marked.bytes, 'audio/wav')).toBe('mark');
  expect(samplesOf(marked.bytes)).toEqual(samplesOf(bytes));
});

test('a picture that says it has no width is left as it is', async () => {
  const picture = { width: 16, height: 16, channels: 3, background: '#284' } as const;
  const bytes = await sharp({ create: picture }).webp().toBuffer();
  // After the heads of the file and of its one chunk, a frame tag and a start code.
  expect(bytes.toString('latin1', 12, 16)).toBe('VP8 ');
  bytes.writeUInt16LE(0, 26);
  expect(markOrigin(bytes, { contentType: 'image/webp', source })).toEqual({ bytes, provenance: 'none' });
});

test('a film whose list of user data has a length of eight bytes is left as it is: none of four would be true', () => {
  const list = Buffer.concat([size(1), Buffer.from('udta'), size(0), size(16)]);
  const bytes = Buffer.concat([
    size(16),
    Buffer.from('ftypqt  '),
    size(0),
    size(8 + list.length),
    Buffer.from('moov'),
    list,
  ]);
  expect(markOrigin(bytes, { contentType: 'video/quicktime', source })).toEqual({
    bytes,
    provenance: 'none',
  });
});
