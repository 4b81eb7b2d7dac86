import { list } from '@vercel/blob';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { BlobServer } from '#lib/local/blob/server.ts';
import { localSecrets } from '#lib/local/secrets.ts';
import type { Scenario } from '#lib/providers/fixtures/scenarios.ts';
import {
  age,
  ageTo,
  type Caller,
  callerOf,
  finishNow,
  linesOf,
  readableIn,
  sweepOver,
  sweepUntilClosed,
} from '../setup/caller.ts';
import { openScenes, type Scenes, type Seat } from '../setup/scenes/brain.ts';
import { fund, generate } from '../setup/scenes/studio.ts';
import { openStoreOf } from '../setup/uploads.ts';

const app = inject('app');
const PATH = '/api/generations';
const VIDEO = { kind: 'video', case: 'veo', brief: 'Une flamme', durationSeconds: 4 };

let scenes: Scenes;
let store: BlobServer;
let seat: Seat;
let caller: Caller;
beforeAll(async () => {
  scenes = await openScenes(app);
  store = await openStoreOf(app);
  seat = await scenes.seat();
  await fund(seat, 50_000_000n);
  caller = callerOf(app.baseUrl, seat);
});
afterAll(async () => {
  await store?.close();
  await scenes?.close();
});

const started = (scenario: Scenario) => generate(app, seat, VIDEO, scenario);
const refunded = [
  ['RESERVE', 0n],
  ['REFUND', 0n],
];

describe('a provider that does wrong', () => {
  it.each<[Scenario, 'in its request' | 'when it is read', string, RegExp]>([
    ['timeout', 'in its request', 'provider-failure', /pas répondu à temps/],
    ['bad-answer', 'in its request', 'provider-failure', /remboursé/],
    ['private-url', 'when it is read', 'provider-failure', /fichier inutilisable/],
    ['garbage-file', 'when it is read', 'provider-failure', /fichier inutilisable/],
    ['video-failed', 'when it is read', 'provider-failure', /remboursé/],
    ['setting-dropped', 'when it is read', 'setting-dropped', /réglage facturé/],
  ])(
    '« %s » ends %s over HTTP, refunded, with its sentence and without a file',
    async (scenario, when, code, sentence) => {
      const id = await started(scenario);
      if (when === 'when it is read') {
        // However long the machine takes, nobody asks the provider before the row was seen to run.
        await readableIn(seat, id, 3_600_000);
        expect((await caller.get(`${PATH}/${id}`)).json.status).toBe('running');
        await finishNow(seat, id);
        await readableIn(seat, id, -1_000);
      }
      const { json } = await caller.get(`${PATH}/${id}`);
      expect(json).toMatchObject({ status: 'failed', code, charge: 'refunded', files: [], costUsd: null });
      expect(json.message).toMatch(sentence);
      expect(await linesOf(seat, id)).toEqual(refunded);
      expect((await list({ prefix: `generations/${id}/`, token: store.token })).blobs).toEqual([]);
    },
  );

  it('a job that is never told in words that can be read stays open, and is timed out at two hours', async () => {
    const { CRON_SECRET } = await localSecrets(app.dataDir);
    const id = await started('video-nonsense');
    await finishNow(seat, id);
    await ageTo(seat, id, 118);
    expect((await caller.get(`${PATH}/${id}`)).json).toMatchObject({ status: 'running', charge: 'open' });
    await sweepOver(app.baseUrl, CRON_SECRET);
    expect((await caller.get(`${PATH}/${id}`)).json).toMatchObject({ status: 'running' });
    await age(seat, id, 2.1);
    await sweepUntilClosed(app.baseUrl, CRON_SECRET, seat, id);
    const { json } = await caller.get(`${PATH}/${id}`);
    expect(json).toMatchObject({
      status: 'failed',
      code: 'video_timeout',
      charge: 'refunded',
      closedBy: 'sweep',
    });
    expect(json.message).toContain('deux heures');
    expect(await linesOf(seat, id)).toEqual(refunded);
  });
});
