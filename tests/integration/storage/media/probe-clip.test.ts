import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import {
  ALL_FORMATS,
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  type InputAudioTrack,
  type InputVideoTrack,
  Mp4OutputFormat,
  Output,
  WebMOutputFormat,
} from 'mediabunny';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { measureInChild, UnreadableFile } from '#lib/storage/media/measure-in-child.ts';
import { measureOnce } from '#lib/storage/media/measure-once.ts';
import { MediaRefusal } from '#lib/storage/media/media-refusal.ts';
import { measureClip, measureTrack, type ProbeOptions, probeMedia } from '#lib/storage/media/probe.ts';

const file = (name: string) =>
  new Uint8Array(readFileSync(new URL(`../../../fixtures/media/${name}`, import.meta.url)));

async function outcome(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'accepted';
  } catch (error) {
    if (error instanceof MediaRefusal) return error.reason;
    throw error;
  }
}
const probing = (bytes: Uint8Array, options?: ProbeOptions) => outcome(probeMedia(bytes, options));

/** The same packets, later: a file that was cut from the middle of a stream. */
async function startingAt(name: string, seconds: number): Promise<Uint8Array> {
  const input = new Input({ source: new BufferSource(file(name)), formats: ALL_FORMATS });
  const target = new BufferTarget();
  const format = name.endsWith('.webm')
    ? new WebMOutputFormat()
    : new Mp4OutputFormat({ fastStart: 'fragmented' });
  const output = new Output({ format, target });
  const [video, audio] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
  const sources: [InputVideoTrack | InputAudioTrack, EncodedVideoPacketSource | EncodedAudioPacketSource][] =
    [];
  const videoCodec = await video?.getCodec();
  if (video && videoCodec) {
    const source = new EncodedVideoPacketSource(videoCodec);
    output.addVideoTrack(source);
    sources.push([video, source]);
  }
  const audioCodec = await audio?.getCodec();
  if (audio && audioCodec) {
    const source = new EncodedAudioPacketSource(audioCodec);
    output.addAudioTrack(source);
    sources.push([audio, source]);
  }
  await output.start();
  await Promise.all(
    sources.map(async ([track, source]) => {
      const decoderConfig = (await track.getDecoderConfig()) as never;
      for await (const packet of new EncodedPacketSink(track).packets())
        await source.add(packet.clone({ timestamp: packet.timestamp + seconds }), { decoderConfig });
      source.close();
    }),
  );
  await output.finalize();
  return new Uint8Array(target.buffer as ArrayBuffer);
}

describe('a clip or a track', () => {
  test.each([
    ['clip.mp4', 'video', 'mp4', 'video/mp4', 3200, 'avc', 'aac'],
    ['clip-faststart.mp4', 'video', 'mp4', 'video/mp4', 3200, 'avc', 'aac'],
    ['clip-fragmented.mp4', 'video', 'mp4', 'video/mp4', 3200, 'avc', 'aac'],
    ['clip-short-audio.mp4', 'video', 'mp4', 'video/mp4', 3200, 'avc', 'aac'],
    ['clip-one-frame.mp4', 'video', 'mp4', 'video/mp4', 100, 'avc', null],
    ['clip.mov', 'video', 'mov', 'video/quicktime', 3200, 'avc', 'aac'],
    ['clip.webm', 'video', 'webm', 'video/webm', 3232, 'vp8', 'vorbis'],
    ['clip-live.webm', 'video', 'webm', 'video/webm', 3207, 'vp9', 'opus'],
    ['track.webm', 'audio', 'webm', 'audio/webm', 3201, null, 'opus'],
    ['track.m4a', 'audio', 'm4a', 'audio/mp4', 3200, null, 'aac'],
    ['track-in-mp4.mp4', 'audio', 'm4a', 'audio/mp4', 3200, null, 'aac'],
    ['track.mp3', 'audio', 'mp3', 'audio/mpeg', 3276, null, 'mp3'],
    ['track-vbr.mp3', 'audio', 'mp3', 'audio/mpeg', 3276, null, 'mp3'],
    ['track.wav', 'audio', 'wav', 'audio/wav', 1500, null, 'pcm-u8'],
  ])(
    'is known by its bytes and measured by its longest track: %s',
    async (name, kind, format, contentType, durationMs, videoCodec, audioCodec) => {
      const probed = await probeMedia(file(name));
      expect(probed).toMatchObject({ kind, format, contentType, videoCodec, audioCodec });
      if (probed.kind === 'image') throw new Error('not an image');
      expect(Math.abs(probed.durationMs - durationMs)).toBeLessThanOrEqual(30);
      expect([probed.hasVideo, probed.hasAudio]).toEqual([videoCodec !== null, audioCodec !== null]);
      expect([probed.width, probed.height]).toEqual(videoCodec ? [64, 48] : [null, null]);
      expect(probed.framesPerSecond === null ? null : Math.round(probed.framesPerSecond)).toBe(
        videoCodec ? 10 : null,
      );
    },
  );

  test.each([
    ['clip.webm', 3232],
    ['clip-live.webm', 3207],
    ['clip.mp4', 3200],
    ['track.webm', 3201],
  ])(
    'that starts at 20 s, as one cut from a stream does, is as long as what it holds: %s',
    async (name, durationMs) => {
      const probed = await probeMedia(await startingAt(name, 20));
      if (probed.kind === 'image') throw new Error('not an image');
      // The priming of a coded sound begins before zero in the original, and counts once it comes after.
      expect(Math.abs(probed.durationMs - durationMs)).toBeLessThanOrEqual(80);
    },
  );

  test('with an XML document in its head is a clip: cameras and recorders write one', async () => {
    const xml = '<?xml version="1.0" encoding="UTF-8"?><NonRealTimeMeta><svg/></NonRealTimeMeta>';
    const clip = file('clip-fragmented.mp4');
    const ftyp = new DataView(clip.buffer).getUint32(0);
    const box = new Uint8Array(8 + xml.length);
    new DataView(box.buffer).setUint32(0, box.byteLength);
    box.set(Buffer.from(`free${xml}`, 'latin1'), 4);
    const within = new Uint8Array(Buffer.concat([clip.subarray(0, ftyp), box, clip.subarray(ftyp)]));
    expect(await probing(within)).toBe('accepted');
    const wav = file('track.wav');
    const chunk = Buffer.alloc(8 + xml.length + (xml.length % 2), ' ');
    chunk.write('iXML', 0, 'latin1');
    chunk.writeUInt32LE(chunk.byteLength - 8, 4);
    chunk.write(xml, 8, 'latin1');
    const recorded = new Uint8Array(Buffer.concat([wav.subarray(0, 12), chunk, wav.subarray(12)]));
    new DataView(recorded.buffer).setUint32(4, recorded.byteLength - 8, true);
    expect(await probing(recorded)).toBe('accepted');
  });

  test('is measured as it is shown when it is rotated', async () => {
    expect(await probeMedia(file('clip-rotated.mp4'))).toMatchObject({ width: 48, height: 64 });
  });

  test.each([
    'clip.mp4',
    'clip-faststart.mp4',
    'clip-fragmented.mp4',
    'clip-one-frame.mp4',
    'clip.mov',
    'clip.webm',
    'track.webm',
    'track.m4a',
    'track.wav',
  ])('cut anywhere is unreadable: %s', async (name) => {
    const bytes = file(name);
    for (const share of [0.3, 0.5, 0.9]) {
      expect(await probing(bytes.subarray(0, Math.floor(bytes.byteLength * share)))).toBe('clip-unreadable');
    }
  });

  test('that streams without a length, cut, is measured by what is there', async () => {
    for (const name of ['clip-live.webm', 'track.mp3']) {
      const bytes = file(name);
      const probed = await probeMedia(bytes.subarray(0, bytes.byteLength >> 1));
      if (probed.kind === 'image') throw new Error('not an image');
      expect(probed.durationMs).toBeGreaterThan(500);
      expect(probed.durationMs).toBeLessThan(2000);
    }
  });

  test('is not believed on its head alone', async () => {
    const garbage = Uint8Array.from({ length: 4000 }, (_, index) => (index * 7919) % 251);
    for (const name of ['clip.mp4', 'clip.mov', 'clip.webm', 'track.m4a', 'track.wav']) {
      const bytes = file(name).slice(0, 4032);
      bytes.set(garbage.subarray(0, bytes.byteLength - 32), 32);
      expect(await probing(bytes)).toBe('clip-unreadable');
    }
    const frees = file('clip.mp4').slice(0, 32 + 4000);
    frees.fill(0, 32);
    new DataView(frees.buffer).setUint32(32, 4000);
    frees.set(Buffer.from('free'), 36);
    expect(await probing(frees)).toBe('clip-unreadable');
  });

  test('must be what it was declared to be, by type and by name', async () => {
    expect(await probing(file('clip.mp4'), { declaredType: 'video/quicktime' })).toBe('type-mismatch');
    expect(await probing(file('clip.mp4'), { declaredType: 'video/mp4', fileName: 'a.webm' })).toBe(
      'type-mismatch',
    );
    expect(await probing(file('clip.mp4'), { declaredType: 'audio/mp4' })).toBe('type-mismatch');
    expect(await probing(file('clip.mp4'), { fileName: 'a.m4a' })).toBe('type-mismatch');
    expect(await probing(file('clip.mp4'), { declaredType: 'image/png' })).toBe('type-mismatch');
    expect(await probing(file('track.mp3'), { declaredType: 'text/html' })).toBe('type-mismatch');
    expect(
      await probing(file('clip.mp4'), { declaredType: 'video/mp4; codecs=avc1', fileName: 'Ma prise.MP4' }),
    ).toBe('accepted');
    expect(await probing(file('track.m4a'), { declaredType: 'audio/x-m4a', fileName: 'a.m4a' })).toBe(
      'accepted',
    );
    expect(await probing(file('track.wav'), { declaredType: 'audio/x-wav' })).toBe('accepted');
    expect(await probing(file('track-in-mp4.mp4'), { fileName: 'a.m4a' })).toBe('accepted');
    expect(
      await probing(file('clip.mov'), { declaredType: 'application/octet-stream', fileName: 'prise' }),
    ).toBe('accepted');
  });

  test('is refused when the format, the weight or nothing at all is there', async () => {
    expect(await probing(file('clip.mkv'))).toBe('type-not-accepted');
    expect(await probing(file('clip.mp4'), { accept: ['webm'] })).toBe('type-not-accepted');
    expect(await probing(file('clip.mp4'), { accept: ['m4a'] })).toBe('type-not-accepted');
    expect(await probing(file('clip.mp4'), { maxBytes: 1000 })).toBe('too-large');
    expect(await probing(new Uint8Array(50 * 1024 * 1024 + 1))).toBe('too-large');
    expect(await probing(new Uint8Array())).toBe('empty');
    expect(await probing(new TextEncoder().encode('#EXTM3U\n#EXTINF:3,\nhttps://example.com/a.ts\n'))).toBe(
      'type-not-accepted',
    );
  });

  test('that is also a page, a PDF or an archive is refused', async () => {
    const clip = file('clip.mp4');
    const box = (body: string) => {
      const bytes = new Uint8Array(8 + body.length);
      new DataView(bytes.buffer).setUint32(0, bytes.byteLength);
      bytes.set(Buffer.from(`free${body}`, 'latin1'), 4);
      return bytes;
    };
    const join = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts));
    const ftyp = new DataView(clip.buffer).getUint32(0);
    const inside = (body: string) => join(clip.subarray(0, ftyp), box(body), clip.subarray(ftyp));
    const zipEnd = `PK\u0005\u0006${'\0'.repeat(18)}`;
    expect(await probing(inside('<html><script>alert(1)</script>'))).toBe('hidden-content');
    expect(await probing(inside('%PDF-1.7'))).toBe('hidden-content');
    expect(await probing(join(clip, box(zipEnd)))).toBe('hidden-content');
    expect(await probing(join(clip, Buffer.from('PK\u0003\u0004 an archive')))).toBe('clip-unreadable');
    expect(await probing(join(clip, box('rien')))).toBe('accepted');
  });

  test('damaged at random is measured or refused, and never anything else', async () => {
    const names = [
      'clip.mp4',
      'clip-fragmented.mp4',
      'clip.mov',
      'clip-live.webm',
      'clip.webm',
      'track.mp3',
      'track.wav',
      'track.m4a',
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...names),
        fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), fc.nat(255)), {
          minLength: 1,
          maxLength: 12,
        }),
        async (name, changes) => {
          const bytes = file(name);
          for (const [where, value] of changes) bytes[Math.floor(where * bytes.byteLength)] = value;
          await probing(bytes);
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('a reference clip', () => {
  test('must be a film between the two durations', async () => {
    expect(await outcome(measureClip(file('clip.mp4'), { minMs: 3200, maxMs: 3200 }))).toBe('accepted');
    expect(await outcome(measureClip(file('clip.mp4'), { minMs: 3201 }))).toBe('clip-too-short');
    expect(await outcome(measureClip(file('clip.mp4'), { maxMs: 3199 }))).toBe('clip-too-long');
  });

  test('is no clip when it has sound alone, is a picture, or is nothing known', async () => {
    for (const name of [
      'track.mp3',
      'track.m4a',
      'track-in-mp4.mp4',
      'track.wav',
      'track.webm',
      'clip.mkv',
    ]) {
      expect(await outcome(measureClip(file(name)))).toBe('not-a-clip');
    }
    const picture = sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } });
    for (const bytes of [await picture.png().toBuffer(), new TextEncoder().encode('bonjour')])
      expect(await outcome(measureClip(bytes))).toBe('not-a-clip');
  });

  test('that cannot be read is unreadable, not merely no clip', async () => {
    expect(await outcome(measureClip(file('clip.mp4').subarray(0, 2000)))).toBe('clip-unreadable');
  });
});

test('a track may come from a film, but needs sound', async () => {
  expect((await measureTrack(file('clip.mp4'))).hasAudio).toBe(true);
  expect(await outcome(measureTrack(file('clip-one-frame.mp4')))).toBe('clip-unreadable');
});

describe('a file made to harm its reader', () => {
  /** A film whose index says that it holds four billion samples: 11 KB that ask for gigabytes. */
  const bomb = () => {
    const bytes = file('clip.mp4');
    new DataView(bytes.buffer).setUint32(Buffer.from(bytes.buffer).indexOf('stts') + 12, 0xffff_ffff);
    return bytes;
  };

  test('exhausts the memory of its own process, and is unreadable', async () => {
    await expect(measureInChild(bomb(), 'mp4', { heapMb: 48, timeoutMs: 15_000 })).rejects.toThrow(
      UnreadableFile,
    );
  });

  test('is stopped at its time, and the next files are read', async () => {
    const late = measureInChild(file('clip.mp4'), 'mp4', { heapMb: 48, timeoutMs: 1 });
    const others = [1, 2, 3].map(() => measureInChild(file('clip.mp4'), 'mp4'));
    await expect(late).rejects.toThrow(UnreadableFile);
    for (const measured of await Promise.all(others)) expect(measured.seconds).toBeCloseTo(3.2, 1);
  });

  test('keeps no other account’s files waiting, however many came before them', async () => {
    const ended: string[] = [];
    const measured = (owner: string) =>
      measureInChild(file('clip.mp4'), 'mp4', { owner }).then(() => void ended.push(owner));
    await Promise.all([...Array.from({ length: 12 }, () => measured('attaquant')), measured('victime')]);
    // In two places and in the order in which they came, it would begin once eleven had ended; its own process may be held for a while.
    expect(ended.indexOf('victime')).toBeLessThan(11);
  });

  test('nested a hundred thousand boxes deep is unreadable', async () => {
    const depth = 100_000;
    const bytes = new Uint8Array(32 + depth * 8);
    bytes.set(file('clip.mp4').subarray(0, 32));
    for (let level = 0; level < depth; level += 1) {
      new DataView(bytes.buffer).setUint32(32 + level * 8, (depth - level) * 8);
      bytes.set(Buffer.from('moov'), 36 + level * 8);
    }
    expect(await probing(bytes)).toBe('clip-unreadable');
  });
});

test('the same bytes are read once, a failed reading again', async () => {
  let readings = 0;
  const measure = async () => {
    readings += 1;
    if (readings === 1) throw new UnreadableFile();
    return { seconds: 1, video: null, audio: { codec: 'mp3' } };
  };
  const bytes = crypto.getRandomValues(new Uint8Array(100));
  await expect(measureOnce(bytes, 'mp3', measure)).rejects.toThrow(UnreadableFile);
  for (let time = 0; time < 3; time += 1)
    expect(await measureOnce(bytes.slice(), 'mp3', measure)).toMatchObject({ seconds: 1 });
  expect(readings).toBe(2);
  await measureOnce(bytes, 'wav', measure);
  expect(readings).toBe(3);
});

test('a large file is told from others in pieces, between which others have their turn', async () => {
  let turns = 0;
  let waiting = setImmediate(function turn() {
    turns += 1;
    waiting = setImmediate(turn);
  });
  try {
    const large = new Uint8Array(16 * 1024 * 1024);
    const measured = { seconds: 1, video: null, audio: { codec: 'mp3' } };
    expect(await measureOnce(large, 'mp3', async () => measured)).toBe(measured);
    expect(turns).toBeGreaterThanOrEqual(6);
    // The last piece counts too: another file is not taken for this one.
    const other = large.slice();
    other[other.length - 1] = 1;
    const otherwise = { ...measured, seconds: 2 };
    expect(await measureOnce(other, 'mp3', async () => otherwise)).toBe(otherwise);
    expect(await measureOnce(large.slice(), 'mp3', async () => otherwise)).toBe(measured);
  } finally {
    clearImmediate(waiting);
  }
});
