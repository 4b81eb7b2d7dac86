import { put } from '@vercel/blob';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { BlobServer } from '#lib/local/blob/server.ts';
import { recordedVideo } from '#lib/providers/fixtures/recorded-video.ts';
import { readMp3, readMp4 } from '#tests/setup/storage/measure-media.ts';
import { useBrowser } from '../setup/browser.ts';
import {
  type Answered,
  booksOf,
  type Caller,
  callerOf,
  finishNow,
  linesOf,
  readableIn,
  readUntil,
} from '../setup/caller.ts';
import { openScenes, type Scenes, type Seat } from '../setup/scenes/brain.ts';
import { fund } from '../setup/scenes/studio.ts';
import { openStoreOf, sendClip } from '../setup/uploads.ts';

const browser = useBrowser();
const app = inject('app');
const PATH = '/api/generations';
const CLIP_MS = 4_000;
const DAY_MS = 86_400_000;

let scenes: Scenes;
let store: BlobServer;
let seat: Seat;
let caller: Caller;
let clip: string;
let face: string;
let voice: Answered;
/** The generations of the cases under test, all started together. */
const started = new Map<string, Answered & { httpStatus: number }>();

const film = (durationMs: number) => recordedVideo({ durationMs, aspectRatio: '16:9', audio: true });

/** The cases: the request, the basis of its price, its cost by the price list in micro-dollars, and the duration of the file in milliseconds. */
const CASES: [
  name: string,
  body: () => Record<string, unknown>,
  basis: string,
  micros: bigint,
  ms: number,
  /** The amount held, where it differs from the cost because the duration is not known beforehand. */
  heldMicros?: bigint,
][] = [
  ['veo', () => ({ durationSeconds: 4 }), 'per-second', 400_000n, 4_000],
  ['best-quality', () => ({ durationSeconds: 4, generateAudio: false }), 'per-second', 800_000n, 4_000],
  [
    'cinematic',
    () => ({ durationSeconds: 5, startImage: face, resolution: '1080p' }),
    'per-second',
    840_000n,
    5_000,
  ],
  [
    'seedance-2',
    () => ({ durationSeconds: 4, startImage: face, endImage: face }),
    'seedance',
    281_232n,
    4_000,
  ],
  // 4 s generated and 4 s of clip: 80,352 tokens at 6 $ per million, the rate with video. Held: the longest film, 15 s.
  ['seedance-2-5', () => ({ clips: [clip] }), 'seedance', 482_112n, 4_000, 1_145_016n],
  ['omni', () => ({ clips: [clip] }), 'source-clip', 520_000n, CLIP_MS],
  ['nova', () => ({ durationSeconds: 6 }), 'per-second', 480_000n, 6_000],
  [
    'replace',
    () => ({ clips: [clip], characters: [face], resolution: '720p' }),
    'source-clip',
    320_000n,
    CLIP_MS,
  ],
  ['motion', () => ({ clips: [clip], characters: [face] }), 'source-clip', 504_000n, CLIP_MS],
];

/** The billing facts that the two Seedance cases record; the others record none. */
const SEEDANCE: Record<string, unknown> = {
  'seedance-2': expect.objectContaining({ tier: '480p', rate: 'without-video', inputMs: 0 }),
  'seedance-2-5': expect.objectContaining({ tier: '480p', rate: 'with-video', inputMs: CLIP_MS }),
};

beforeAll(async () => {
  scenes = await openScenes(app);
  store = await openStoreOf(app);
  seat = await scenes.seat();
  await fund(seat, 50_000_000n);
  caller = callerOf(app.baseUrl, seat);
  clip = (await sendClip(app, seat, 'rush.mp4', await film(CLIP_MS))).id;
  const image = await caller.post(PATH, { kind: 'image', brief: 'Un visage de face' });
  const made = await seat.ctx.db.asset.findFirstOrThrow({ where: { generationId: image.json.id } });
  face = made.id;
  voice = (
    await caller.post(PATH, { kind: 'voice', text: 'Nos bougies sont coulées à la main, une par une.' })
  ).json;
  await Promise.all([
    ...CASES.map(async ([name, body]) => {
      const { status, json } = await caller.post(PATH, {
        kind: 'video',
        case: name,
        brief: 'Une flamme',
        ...body(),
      });
      started.set(name, { ...json, httpStatus: status });
    }),
    ...(['clip', 'character'] as const).map(async (role) => {
      const body = { kind: 'lipsync', voiceGenerationId: voice.id, [role]: role === 'clip' ? clip : face };
      const { status, json } = await caller.post(PATH, body);
      started.set(`lipsync by ${role}`, { ...json, httpStatus: status });
    }),
  ]);
  // Read by these tests alone: a pass of the scheduler comes every five minutes.
  await seat.ctx.db.generation.updateMany({
    where: { accountId: seat.accountId, state: 'SUBMITTED' },
    data: { readableAt: new Date(Date.now() + DAY_MS), dueAt: new Date(Date.now() + DAY_MS) },
  });
});
afterAll(async () => {
  await store?.close();
  await scenes?.close();
});

describe('a request that is refused', () => {
  let stranger: Seat;
  let asks: Caller;
  let face2: string;
  let good: string;
  let brief: string;
  let cut: string;
  beforeAll(async () => {
    stranger = await scenes.seat();
    await fund(stranger, 50_000_000n);
    asks = callerOf(app.baseUrl, stranger);
    const image = await asks.post(PATH, { kind: 'image', brief: 'Un visage' });
    face2 = (await stranger.ctx.db.asset.findFirstOrThrow({ where: { generationId: image.json.id } })).id;
    good = (await sendClip(app, stranger, 'bon.mp4', await film(11_000))).id;
    brief = (await sendClip(app, stranger, 'bref.mp4', await film(1_000))).id;
    const whole = await film(4_000);
    const sent = await sendClip(app, stranger, 'coupe.mp4', whole);
    cut = sent.id;
    // Truncated in the store after the app measured it.
    await put(sent.pathname, Buffer.from(whole.subarray(0, whole.length / 2)), {
      access: 'private',
      token: store.token,
      contentType: 'video/mp4',
      allowOverwrite: true,
    });
  });

  it.each<[detail: string, code: string, body: () => Record<string, unknown>, sentence: RegExp]>([
    ['clip-too-long', 'reference-refused', () => ({ case: 'omni', clips: [good] }), /trop long/],
    ['clip-too-short', 'reference-refused', () => ({ case: 'omni', clips: [brief] }), /trop court/],
    ['clip-unreadable', 'reference-refused', () => ({ case: 'omni', clips: [cut] }), /abîmé ou incomplet/],
    ['not-a-clip', 'reference-refused', () => ({ case: 'omni', clips: [face2] }), /clip|vidéo/],
    [
      'host-not-allowed',
      'reference-refused',
      () => ({ case: 'omni', clips: ['https://ailleurs.exemple.test/a.mp4'] }),
      /autorisé|accepté|adresse/,
    ],
    ['not-found', 'reference-refused', () => ({ case: 'omni', clips: [clip] }), /compte/],
    ['durationSeconds', 'invalid', () => ({ case: 'veo', durationSeconds: 5 }), /\p{L}/u],
    ['durationSeconds', 'invalid', () => ({ case: 'motion', durationSeconds: 5, clips: [good] }), /\p{L}/u],
    [
      'frames-and-references',
      'invalid',
      () => ({ case: 'veo', startImage: face2, characters: [face2] }),
      /\p{L}/u,
    ],
    ['frames-and-references', 'invalid', () => ({ case: 'veo', endImage: face2 }), /\p{L}/u],
    ['clip', 'invalid', () => ({ case: 'omni' }), /\p{L}/u],
    ['clip', 'invalid', () => ({ case: 'veo', clips: [good] }), /\p{L}/u],
    ['character', 'invalid', () => ({ case: 'motion', clips: [good] }), /\p{L}/u],
    [
      'character',
      'invalid',
      () => ({ case: 'omni', clips: [good], characters: Array(6).fill(face2) }),
      /\p{L}/u,
    ],
  ])(
    '%s (%s) is told in French with its detail, and leaves no row and no line',
    async (detail, code, body, sentence) => {
      const before = await booksOf(stranger);
      const asked = { kind: 'video', brief: 'Une flamme', ...body() };
      const { status, json } = await asks.post(PATH, asked);
      expect({ status, code: json.error?.code, detail: json.error?.detail }).toEqual({
        status: code === 'invalid' ? 400 : 422,
        code,
        detail,
      });
      expect(json.error?.message).toMatch(sentence);
      const [clip] = (asked as unknown as { clips?: string[] }).clips ?? [];
      expect(code === 'invalid' ? Boolean(json.error?.problems?.[0]?.field) : json.error?.subject).toBe(
        code === 'invalid' ? true : clip,
      );
      expect(await booksOf(stranger)).toEqual(before);
      expect(before.rows).toBe(1);
    },
  );
});

describe('a voice', () => {
  it('is delivered within its request as an mp3 whose length is the one told and whose letters are what is billed', async () => {
    expect(voice).toMatchObject({ kind: 'VOICE', assetType: 'AUDIO', status: 'done', charge: 'settled' });
    const [file] = voice.files;
    const { bytes, contentType } = await caller.file(file?.url ?? '');
    expect(contentType).toBe('audio/mpeg');
    const read = readMp3(bytes);
    expect(read.whole).toBe(true);
    expect(Math.abs(read.durationMs - (voice.params.voiceMs ?? 0))).toBeLessThan(30);
    expect(file?.durationMs).toBe(voice.params.voiceMs);
    // 48 characters at $0.10 per thousand.
    expect(await linesOf(seat, voice.id)).toEqual([
      ['RESERVE', 0n],
      ['SETTLE', -4_800n],
    ]);
  });
});

describe('over HTTP, from request to file', () => {
  const ended = async (name: string) => {
    const row = started.get(name);
    if (!row) throw new Error(`${name} was not started`);
    const { json } = await caller.get(`${PATH}/${row.id}`);
    if (json.status !== 'running') return json;
    // The provider has finished, and the 15 seconds before it may be asked again are over.
    await finishNow(seat, row.id);
    await readableIn(seat, row.id, -1_000);
    return readUntil(caller, row.id, ({ status }) => status !== 'running');
  };

  /** Downloads the file of a generation, and checks it against its own sample tables. */
  async function download(row: Answered) {
    const [file] = row.files;
    const { status, contentType, bytes } = await caller.file(file?.url ?? '');
    expect({ status, contentType }).toEqual({ status: 200, contentType: 'video/mp4' });
    expect(bytes.length).toBe(file?.bytes);
    const tracks = readMp4(bytes);
    expect(tracks.every(({ whole }) => whole)).toBe(true);
    const picture = tracks.find(({ handler }) => handler === 'vide');
    expect(picture).toMatchObject({ codec: 'avc1', width: file?.width, height: file?.height });
    const durationMs = Math.max(...tracks.map((track) => track.durationMs));
    expect(Math.abs(durationMs - (file?.durationMs ?? 0))).toBeLessThan(2);
    return { durationMs, tracks };
  }

  it.each(CASES)(
    '%s runs at once, is read done, billed by its basis, and its mp4 lasts what the row says',
    async (name, _body, basis, micros, ms, heldMicros = micros) => {
      const row = started.get(name);
      expect(row).toMatchObject({
        httpStatus: 202,
        status: 'running',
        pollUrl: `${PATH}/${row?.id}`,
        kind: name === 'motion' ? 'MOTION' : 'VIDEO',
        assetType: 'VIDEO',
        case: name,
        heldUsd: Number(heldMicros) / 1e6,
        params: { pricing: { basis }, webhook: false },
      });
      const done = await ended(name);
      expect(done).toMatchObject({
        status: 'done',
        closedBy: 'read',
        charge: 'settled',
        costUsd: Number(micros) / 1e6,
      });
      expect(await linesOf(seat, done.id)).toEqual([
        ['RESERVE', 0n],
        ['SETTLE', -micros],
      ]);
      const { durationMs, tracks } = await download(done);
      expect(Math.abs(durationMs - ms)).toBeLessThan(2);
      expect(tracks.some(({ handler }) => handler === 'soun')).toBe(!['best-quality', 'nova'].includes(name));
      expect(done.params.pricing).toMatchObject(
        basis === 'source-clip' ? { basis, sourceMs: CLIP_MS } : { basis },
      );
      expect(done.params.seedance ?? null).toEqual(SEEDANCE[name] ?? null);
    },
  );

  it.each([
    ['lipsync by clip', 'lipsync', 50_000],
    ['lipsync by character', 'lipsync-character', 133_000],
  ])(
    '%s says the finished voice, lasts as long and is billed per second of it',
    async (name, caseId, perSecond) => {
      const row = started.get(name);
      expect(row).toMatchObject({
        httpStatus: 202,
        status: 'running',
        kind: 'LIPSYNC',
        assetType: 'VIDEO',
        case: caseId,
        pollUrl: `${PATH}/${row?.id}`,
        heldUsd: expect.any(Number),
      });
      expect(row?.heldUsd).toBeGreaterThan(0);
      const done = await ended(name);
      expect(done).toMatchObject({ status: 'done', references: { voiceGenerationId: voice.id } });
      const voiceMs = voice.params.voiceMs ?? 0;
      const { durationMs } = await download(done);
      expect(Math.abs(durationMs - voiceMs)).toBeLessThan(50);
      const [, settle] = await linesOf(seat, done.id);
      expect(settle).toEqual(['SETTLE', -BigInt(Math.ceil((voiceMs * perSecond) / 1_000))]);
    },
  );

  it('every video plays in a browser that has the codec, at the length that its row says', async ({
    skip,
  }) => {
    const rows = await Promise.all([...started.keys()].map(ended));
    expect(rows).toHaveLength(CASES.length + 2);
    const page = await browser.newPage();
    await page.context().addCookies([{ ...seat.cookie, url: app.baseUrl }]);
    await page.goto('/connexion');
    const canPlay = await page.evaluate(() =>
      document.createElement('video').canPlayType('video/mp4; codecs="avc1.42E01E"'),
    );
    skip(canPlay === '', 'this browser is built without H.264; the sample tables were read above');
    const played = await page.evaluate(
      (urls) =>
        Promise.all(
          urls.map(
            (url) =>
              new Promise<{ seconds: number; error?: string }>((resolve) => {
                const video = document.createElement('video');
                video.preload = 'auto';
                video.muted = true;
                video.onloadeddata = () => resolve({ seconds: video.videoWidth > 0 ? video.duration : 0 });
                video.onerror = () => resolve({ seconds: 0, error: video.error?.message ?? '' });
                video.src = url;
              }),
          ),
        ),
      rows.map(({ files }) => files[0]?.url ?? ''),
    );
    for (const [index, { seconds, error }] of played.entries()) {
      expect(error).toBeUndefined();
      expect(seconds).toBeCloseTo((rows[index]?.files[0]?.durationMs ?? 0) / 1_000, 1);
    }
  });
});
