/** Durations read from the bytes by the rules of the formats. Shares no code with the product, whose measures the tests compare with these. */

type Mp4Track = {
  handler: 'vide' | 'soun' | string;
  codec: string;
  /** The sum of the durations of all samples. */
  durationMs: number;
  samples: number;
  /** Whether every sample lies inside the file's media data. */
  whole: boolean;
  width: number;
  height: number;
};

type Box = { type: string; start: number; end: number };

function* boxes(view: DataView, from: number, to: number): Generator<Box> {
  for (let at = from; at + 8 <= to; ) {
    let size = view.getUint32(at);
    let head = 8;
    if (size === 1) {
      size = Number(view.getBigUint64(at + 8));
      head = 16;
    }
    if (size === 0) size = to - at;
    if (size < head || at + size > to) throw new Error('a box is larger than what holds it');
    yield { type: text(view, at + 4), start: at + head, end: at + size };
    at += size;
  }
}

const text = (view: DataView, at: number) =>
  String.fromCharCode(...[0, 1, 2, 3].map((step) => view.getUint8(at + step)));

function find(view: DataView, inside: { start: number; end: number }, ...path: string[]): Box {
  let here: { start: number; end: number } = inside;
  for (const type of path) {
    const next = [...boxes(view, here.start, here.end)].find((box) => box.type === type);
    if (!next) throw new Error(`no ${type} box`);
    here = next;
  }
  return here as Box;
}

/** The tracks of a plain (not fragmented) mp4, from its sample tables. Throws if the file is not one. */
export function readMp4(bytes: Uint8Array): Mp4Track[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const file = { start: 0, end: bytes.byteLength };
  const media = [...boxes(view, 0, bytes.byteLength)].filter(({ type }) => type === 'mdat');
  const movie = find(view, file, 'moov');
  return [...boxes(view, movie.start, movie.end)]
    .filter(({ type }) => type === 'trak')
    .map((track) => readTrack(view, track, media));
}

function readTrack(view: DataView, track: Box, media: Box[]): Mp4Track {
  const header = find(view, track, 'mdia', 'mdhd');
  const timescale = view.getUint32(header.start + (view.getUint8(header.start) === 1 ? 20 : 12));
  const handler = text(view, find(view, track, 'mdia', 'hdlr').start + 8);
  const table = find(view, track, 'mdia', 'minf', 'stbl');
  const times = find(view, table, 'stts').start;
  let [units, samples] = [0, 0];
  for (let entry = 0; entry < view.getUint32(times + 4); entry += 1) {
    const count = view.getUint32(times + 8 + entry * 8);
    samples += count;
    units += count * view.getUint32(times + 12 + entry * 8);
  }
  const description = find(view, table, 'stsd').start + 8;
  const isVideo = handler === 'vide';
  return {
    handler,
    codec: text(view, description + 4),
    durationMs: (units / timescale) * 1_000,
    samples,
    whole: samplesAreWhole(view, table, media, samples),
    width: isVideo ? view.getUint16(description + 32) : 0,
    height: isVideo ? view.getUint16(description + 34) : 0,
  };
}

function samplesAreWhole(view: DataView, table: Box, media: Box[], samples: number): boolean {
  const sizes = find(view, table, 'stsz').start;
  const common = view.getUint32(sizes + 4);
  if (view.getUint32(sizes + 8) !== samples) return false;
  const sizeOf = (sample: number) => common || view.getUint32(sizes + 12 + sample * 4);
  const runs = find(view, table, 'stsc').start;
  const chunks = find(view, table, 'stco').start;
  let sample = 0;
  for (let chunk = 0; chunk < view.getUint32(chunks + 4); chunk += 1) {
    let perChunk = 0;
    for (let run = 0; run < view.getUint32(runs + 4); run += 1)
      if (view.getUint32(runs + 8 + run * 12) <= chunk + 1) perChunk = view.getUint32(runs + 12 + run * 12);
    let at = view.getUint32(chunks + 8 + chunk * 4);
    for (let index = 0; index < perChunk; index += 1, sample += 1) {
      const end = at + sizeOf(sample);
      if (!media.some((box) => at >= box.start && end <= box.end)) return false;
      at = end;
    }
  }
  return sample === samples;
}

const BITRATES = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const RATES = [44_100, 48_000, 32_000];

/** The duration of an MPEG-1 layer III file, in milliseconds: counts its frames to the last byte, after an optional ID3v2 tag. */
export function readMp3(bytes: Uint8Array): { durationMs: number; frames: number; whole: boolean } {
  let [at, frames, durationMs] = [tagBytes(bytes), 0, 0];
  while (at + 4 <= bytes.length) {
    const [first = 0, second = 0, third = 0] = bytes.subarray(at, at + 3);
    const bitrate = BITRATES[third >> 4];
    const rate = RATES[(third >> 2) & 3];
    if (first !== 0xff || (second & 0xfe) !== 0xfa || !bitrate || !rate) break;
    at += Math.floor((144_000 * bitrate) / rate) + ((third >> 1) & 1);
    frames += 1;
    durationMs += (1_152 / rate) * 1_000;
  }
  return { durationMs, frames, whole: at === bytes.length };
}

/** The size in bytes of the ID3v2 tag at the start, with its header of ten bytes; the tag's size is written with seven bits per byte. */
function tagBytes(bytes: Uint8Array): number {
  if (String.fromCharCode(...bytes.subarray(0, 3)) !== 'ID3') return 0;
  return 10 + bytes.subarray(6, 10).reduce((size, byte) => (size << 7) | (byte & 0x7f), 0);
}
