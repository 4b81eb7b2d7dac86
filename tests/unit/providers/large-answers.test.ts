import { expect, test } from 'vitest';
import { longestHold } from '#tests/factories/watching/held-loop.ts';
import { json, liveProviders, scriptedNetwork } from './calls.ts';

/** A long clip in 4K: 117 MB, or 156 MB of base64. */
const BLOCKS = 2_500;
const block = Buffer.from(Uint8Array.from({ length: 48 * 1_024 }, (_, at) => (at * 7 + (at >> 8)) & 255));
const MOST_HELD_MS = 100;
const MOST_TRIES = 3;

/** An answer as a network gives it: the file in chunks of 64 KiB, between `before` and `after`. */
function answerOf(before: string, after: string): Response {
  const piece = new Uint8Array(Buffer.from(block.toString('base64')));
  let given = -1;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      given += 1;
      if (given === 0) controller.enqueue(new Uint8Array(Buffer.from(before)));
      else if (given <= BLOCKS) controller.enqueue(piece);
      else {
        controller.enqueue(new Uint8Array(Buffer.from(after)));
        controller.close();
      }
    },
  });
  return new Response(body, { headers: { 'content-type': 'application/json' } });
}

const JOB = { operation: { id: 'job_1' }, modelId: 'google/veo-3.1-generate-001' };

/** The longest time in milliseconds that a read blocked the event loop, the least of some tries; each try checks what was read. */
async function heldBy(before: string, after: string): Promise<number> {
  let heldMs = Number.POSITIVE_INFINITY;
  for (let tried = 0; tried < MOST_TRIES && heldMs >= MOST_HELD_MS; tried++) {
    const network = scriptedNetwork(() => answerOf(before, after));
    const watched = await longestHold(() => liveProviders(network.fetch).video.status(JOB));
    heldMs = Math.min(heldMs, watched.heldMs);
    const { result } = watched;
    if (result.outcome !== 'completed' || result.file.kind !== 'bytes') throw new Error(result.outcome);
    const { bytes } = result.file;
    expect(bytes.length).toBe(BLOCKS * block.length);
    for (const at of [0, BLOCKS - 1])
      expect(Buffer.compare(block, bytes.subarray(at * block.length, (at + 1) * block.length))).toBe(0);
  }
  return heldMs;
}

test('a long video that comes as base64 is read whole, and holds nobody else up for a tenth of a second', async () => {
  const before = '{"status":"completed","videos":[{"type":"base64","data":"';
  expect(await heldBy(before, '"}],"warnings":[]}')).toBeLessThan(MOST_HELD_MS);
});

test('so is one that comes as an address of its own bytes', async () => {
  const before = '{"status":"completed","videos":[{"type":"url","url":"data:video/mp4;base64,';
  expect(await heldBy(before, '"}]}')).toBeLessThan(MOST_HELD_MS);
});

test('a finished job whose answer is larger than is read has ended: asked again, it would be as large', async () => {
  // Four megabytes besides the files exceed the limit as a file of two hundred does, and are quicker to make.
  const url = `data:video/mp4,${'%00'.repeat(1_500_000)}`;
  const network = scriptedNetwork(json({ status: 'completed', videos: [{ type: 'url', url }] }));
  expect(await liveProviders(network.fetch).video.status(JOB)).toEqual({
    outcome: 'job-failed',
    reason: 'no-file',
    detail: 'completed with more than is read',
    paid: true,
  });
  expect(network.sent).toHaveLength(1);
});

test('a finished job whose file takes longer to come than a status may is read whole', async () => {
  const said = { status: 'completed', videos: [{ type: 'url', url: 'https://files.example/video.mp4' }] };
  const network = scriptedNetwork((init) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const late = setTimeout(() => {
          controller.enqueue(new Uint8Array(Buffer.from(JSON.stringify(said))));
          controller.close();
        }, 200);
        init.signal?.addEventListener('abort', () => {
          clearTimeout(late);
          controller.error(init.signal?.reason);
        });
      },
    });
    return new Response(body, { headers: { 'content-type': 'application/json' } });
  });
  const { video } = liveProviders(network.fetch, { budgets: { videoStatus: 50 } });
  expect(await video.status(JOB)).toMatchObject({ outcome: 'completed' });
});
