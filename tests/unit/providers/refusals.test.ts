import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { manualClock } from '#lib/core/clock.ts';
import { RECORDED_DEFAULT_VOICE_ID } from '#lib/providers/elevenlabs/recorded-answers.ts';
import { sizeOf } from '#lib/providers/gateway/image.ts';
import { WORKFLOW_INPUTS } from '#lib/providers/github/recorded-rules.ts';
import { MODELS, VIDEO_CASES } from '#lib/providers/models/catalogue.ts';
import { createProviders, recordedServices } from '#lib/providers/wiring/create-providers.ts';
import { REFUSALS, refusalsTable } from '#lib/providers/wiring/refusals.ts';
import { NOON, PORT_CALLS } from './calls.ts';
import {
  askRule,
  BROKEN,
  type Broken,
  clip,
  recorded,
  refusalMatrix,
  type Sent,
  WELL_ASKED,
  widest,
} from './refusal-matrix.ts';

describe('the recorded services know the rules of the real ones', () => {
  test.each(VIDEO_CASES)('%s: the widest legal requests are taken', async (name) => {
    const { providers, sent } = recorded();
    const requests = widest(name);
    expect(requests.length).toBeGreaterThan(0);
    for (const [index, request] of requests.entries())
      expect(await providers.video.start(request, { idempotencyKey: `gen_${index}` })).toMatchObject({
        outcome: 'started',
      });
    expect(sent).toHaveLength(requests.length);
  });

  test.each(REFUSALS)('$id: what the service refuses is refused ($source)', async (rule) => {
    const { services } = recorded();
    const { at, before, ...broken } = BROKEN[rule.id] as Broken;
    if (before) expect((await askRule(rule, { ...broken, body: before }, services)).ok).toBe(true);
    const answer = await askRule(rule, broken, at ? recordedServices(() => new Date(at)) : services);
    expect([answer.status, await answer.text()]).toEqual([rule.status, expect.stringContaining(rule.says)]);
  });

  test('nine video cases × each widest request × each refusal of its model: taken as it is, refused once it breaks a rule', async () => {
    const lines = await refusalMatrix();
    expect(new Set(lines.map((line) => line.case)).size).toBe(9);
    expect(lines.length).toBeGreaterThan(60);
    const { whole = [], broken = [] } = Object.groupBy(lines, ({ rule }) =>
      rule === null ? 'whole' : 'broken',
    );
    expect(whole.filter(({ status, says }) => status !== 200 || says !== 'started')).toEqual([]);
    expect(broken.filter(({ status }) => status < 400 || status >= 500)).toEqual([]);
    for (const half of [whole, broken]) expect(new Set(half.map((line) => line.case)).size).toBe(9);
  });

  test('the longest text with every setting of a voice is taken; each lipsync too, under a key', async () => {
    const { providers, sent } = recorded();
    const voice = { voiceId: RECORDED_DEFAULT_VOICE_ID, stability: 1, similarityBoost: 1, speed: 1.2 };
    const text = 'a'.repeat(MODELS.voice.limits.textCharacters ?? 0);
    expect(text).toHaveLength(5_000);
    expect(await providers.voice.synthesize({ ...voice, text })).toMatchObject({ outcome: 'success' });
    for (const [name, visual] of [
      ['lipsync', clip],
      ['lipsync-character', { kind: 'url', url: 'https://files.example/a.png' }],
    ] as const) {
      const audio = { kind: 'url', url: 'https://files.example/a.mp3' } as const;
      const asked = { case: name, visual: visual as { kind: 'url'; url: string }, audio, audioMs: 60_000 };
      const options = { idempotencyKey: `gen_01m81zrramxrxr9v4zwzrxc2jk-${name}` };
      expect(await providers.lipsync.start(asked, options)).toMatchObject({ outcome: 'started' });
    }
    expect(sent).toHaveLength(3);
  });

  test('every rule is broken by a test, and every line of the table has its source', () => {
    expect(Object.keys(BROKEN).sort()).toEqual(REFUSALS.map(({ id }) => id).sort());
    for (const { source } of REFUSALS) expect(source).toMatch(/^\[[ST]\] \S/);
  });

  test('docs/providers.md shows the very table that is enforced', async () => {
    expect(await readFile('docs/providers.md', 'utf8')).toContain(refusalsTable());
  });

  test('a refused start is told as refused, not as begun', async () => {
    const { providers } = recorded();
    const request = { case: 'veo', prompt: 'x', durationSeconds: 5, aspectRatio: '16:9' };
    expect(await providers.video.start(request)).toMatchObject({
      outcome: 'failed',
      reason: 'invalid-request',
      retrySafe: 'refused',
    });
  });

  test('a video start that is repeated under its key is the first one’s job, however late', async () => {
    const later = manualClock(NOON);
    const { video } = createProviders({ live: new Set(), clock: later, secrets: {} });
    const request = { case: 'veo', prompt: 'La mer', durationSeconds: 4, resolution: '720p' };
    const begun = await video.start(request, { idempotencyKey: 'gen_1' });
    later.advance(60_000);
    expect(await video.start(request, { idempotencyKey: 'gen_1' })).toEqual(begun);
    expect(await video.start(request, { idempotencyKey: 'gen_2' })).not.toEqual(begun);
  });

  test('a lost start of a lipsync is repeated under its key as one job; a key that is none is refused', async () => {
    const { providers, services, sent } = recorded();
    const request = {
      case: 'lipsync',
      visual: { kind: 'url', url: 'https://files.example/a.mp4' },
      audio: { kind: 'url', url: 'https://files.example/a.mp3' },
      audioMs: 4_000,
    } as const;
    const first = await providers.lipsync.start(request, { idempotencyKey: 'gen_1' });
    expect(first).toEqual(await providers.lipsync.start(request, { idempotencyKey: 'gen_1' }));
    expect(first).not.toEqual(await providers.lipsync.start(request, { idempotencyKey: 'gen_2' }));
    // The job is stored, not created again in the same way: a later request still gets the first one.
    const later = manualClock(NOON);
    const remembering = createProviders({ live: new Set(), clock: later, secrets: {} });
    const begun = await remembering.lipsync.start(request, { idempotencyKey: 'gen_1' });
    later.advance(60_000);
    expect(await remembering.lipsync.start(request, { idempotencyKey: 'gen_1' })).toEqual(begun);
    const [one] = sent as [Sent, ...Sent[]];
    const headers = { ...(one.init.headers as Record<string, string>), 'idempotency-key': 'a key' };
    expect((await services(one.url, { ...one.init, headers })).status).toBe(400);
  });
});

describe('the recorded services give what they are asked for, and no more', () => {
  test('a run is told of to whom asks for it; a voice has its times where it is asked with them', async () => {
    const { services } = recorded();
    const { dispatch, speech } = WELL_ASKED;
    expect((await askRule({ route: 'dispatches' }, { body: dispatch }, services)).status).toBe(204);
    const told = { body: { ...dispatch, return_run_details: true } };
    const run = (await (await askRule({ route: 'dispatches' }, told, services)).json()) as object;
    expect(run).toMatchObject({ workflow_run_id: expect.any(Number), html_url: expect.any(String) });
    const spoken = { route: 'v1/text-to-speech' };
    const timed = (await (await askRule(spoken, { body: speech }, services)).json()) as object;
    expect(Object.keys(timed)).toEqual(['audio_base64', 'alignment']);
    const url = `https://api.elevenlabs.io/v1/text-to-speech/${RECORDED_DEFAULT_VOICE_ID}`;
    const alone = await askRule(spoken, { url, body: speech }, services);
    expect([alone.status, alone.headers.get('content-type')]).toEqual([200, 'audio/mpeg']);
    expect((await askRule(spoken, { url: `${url}/stream`, body: speech }, services)).status).toBe(404);
  });

  test('nothing is made by a read, nor read by what makes', async () => {
    const { services } = recorded();
    const places = ['https://ai-gateway.vercel.sh/v4/ai/image-model', 'https://api.sync.so/v2/generate'];
    for (const url of places) expect((await askRule({ route: '' }, { url }, services)).status).toBe(404);
    const job = await askRule({ route: '' }, { url: `${places[1]}/job_1`, body: {} }, services);
    expect(job.ok).toBe(false);
  });

  test('the inputs that a dispatch may have are those that the workflow declares', async () => {
    const text = await readFile('.github/workflows/atelier-render.yml', 'utf8');
    const { inputs } = parse(text).on.workflow_dispatch as { inputs: Record<string, { required: boolean }> };
    const { required = [], optional = [] } = Object.groupBy(Object.keys(inputs), (name) =>
      inputs[name]?.required ? 'required' : 'optional',
    );
    expect({ required, optional }).toEqual(WORKFLOW_INPUTS);
  });

  test('too many requests are told in each service’s own words', async () => {
    const providers = createProviders({
      live: new Set(),
      clock: manualClock(NOON),
      secrets: {},
      fixtures: { scenario: 'rate-limited' },
      sleep: async () => {},
    });
    const paid = PORT_CALLS.filter(({ name }) => /generate|synthesize|start|dispatch/.test(name));
    const told = await Promise.all(paid.map(({ run }) => run(providers)));
    expect(told.length).toBeGreaterThan(6);
    for (const failure of told)
      expect(failure).toMatchObject({
        reason: 'rate-limited',
        retrySafe: 'surely-not-sent',
        status: 429,
        detail: expect.stringMatching(/rate.limit|too_many_concurrent_requests/i),
      });
  });
});

const RATIOS: readonly string[] = MODELS['image-fast'].limits.aspectRatios ?? [];

describe('an image is asked by its pixels', () => {
  test.each(RATIOS)('%s: one megapixel at most, within a hundredth', (ratio) => {
    const { width, height } = sizeOf(ratio);
    const [w = 1, h = 1] = ratio.split(':').map(Number);
    expect([width % 16, height % 16]).toEqual([0, 0]);
    expect(width * height).toBeLessThanOrEqual(1_048_576);
    expect(width * height).toBeGreaterThan(0.95 * 1_048_576);
    expect(Math.abs(width / height / (w / h) - 1)).toBeLessThanOrEqual(0.01);
  });
});
