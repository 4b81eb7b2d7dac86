import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { recordedVideo } from '#lib/providers/fixtures/recorded-video.ts';
import { measureTracks } from '#lib/storage/media/measure-tracks.ts';
import type { Generation } from '#lib/studio/generation/generation.ts';
import { differencesOf } from '#lib/studio/jobs/differences.ts';
import { lastWords, runCommand, stopProcess, untilAnswers, wordsOf } from '#tests/deployment/child.ts';
import { inLiveFrame } from '#tests/factories/files/live-frame.ts';

const LIVE_VIDEO = {
  kind: 'VIDEO',
  params: { mode: 'live', settings: { resolution: '720p', aspectRatio: '16:9', durationSeconds: 4 } },
} as unknown as Generation;

test('a recorded clip in the frame of a live one is what a live request of 720p asked for; as it was recorded it is not', async () => {
  const loop = await recordedVideo({ durationMs: 4_000, aspectRatio: '16:9', audio: true });
  const differences = async (clip: Uint8Array) => {
    const { seconds, video } = await measureTracks(clip, 'mp4');
    const size = { width: video?.width ?? 0, height: video?.height ?? 0 };
    return differencesOf(LIVE_VIDEO, { ...size, durationMs: (seconds ?? 0) * 1_000 });
  };
  expect(await differences(loop)).toEqual(['resolution']);
  expect(await differences(inLiveFrame(loop))).toEqual([]);
});

test('no clip, and one in another frame, are refused rather than written over', async () => {
  const upright = await recordedVideo({ durationMs: 1_000, aspectRatio: '9:16', audio: false });
  expect(() => inLiveFrame(upright)).toThrow('180 × 320');
  expect(() => inLiveFrame(new Uint8Array(100))).toThrow('no recorded clip');
});

test('an error is told with its causes, each once, a code where there are no words', () => {
  const refused = Object.assign(new Error(''), { code: 'ECONNREFUSED' });
  const fetched = new TypeError('fetch failed', { cause: refused });
  expect(wordsOf(new Error('Waited 240 s for it.', { cause: fetched }))).toBe(
    'Waited 240 s for it. — fetch failed — ECONNREFUSED',
  );
  const repeated = new Error('it: fetch failed', { cause: new Error('fetch failed') });
  expect(wordsOf(repeated)).toBe('it: fetch failed');
});

test('a command that fails is told with its end and what it said; one that does not gives what it printed', () => {
  const node = (code: string) => runCommand(process.execPath, ['-e', code], {});
  expect(node('console.log("done")')).toBe('done\n');
  expect(() => node('console.log("begun"); console.error("no room"); process.exit(3)')).toThrow(
    /it ended with 3\n.*begun.*no room/s,
  );
});

test('a server that ends while it is waited for is told with its last words, and one that stays is ended', async () => {
  const start = (code: string) => {
    const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'ignore', 'pipe'] });
    return { child, said: lastWords(child) };
  };
  const notYet = () => Promise.reject(new Error('not yet'));
  const gone = start('console.error("no such database"); process.exit(4)');
  await expect(untilAnswers('it to answer', gone, notYet)).rejects.toThrow(
    /it to answer: It ended \(4\)\..*no such database/s,
  );
  const staying = start('setInterval(() => undefined, 1_000)');
  expect(await untilAnswers('it to answer', staying, async () => 'well')).toBe('well');
  await stopProcess(staying.child, 'SIGTERM');
  expect(staying.child.signalCode).toBe('SIGTERM');
  await stopProcess(staying.child, 'SIGTERM');
});
