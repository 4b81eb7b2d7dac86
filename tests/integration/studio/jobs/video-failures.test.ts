import { describe, expect, it } from 'vitest';
import type { Scenario } from '#lib/providers/fixtures/scenarios.ts';
import { getGeneration } from '#lib/studio/journal/get-generation.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { sweepGenerations } from '#lib/studio/sweep/sweep-generations.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import { broken } from '#tests/factories/statements/broken-statements.ts';
import { request, type StudioScene, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';
import { asSystem, audits, kindsOf, MINUTE, started, VEO } from './video-scene.ts';

const service = useTestService({ poolMax: 20 });

describe('a video', () => {
  const noFile = { status: 'failed', code: 'provider-failure', charge: 'refunded' };
  const delivered = { status: 'done', charge: 'settled' };
  const whole = { ...delivered, params: expect.not.objectContaining({ endFrameDropped: true }) };

  it.each<[Scenario, object, { paid?: object; told?: string }]>([
    ['video-failed', noFile, {}],
    ['video-cancelled', noFile, {}],
    ['garbage-file', noFile, { paid: { reason: 'step-failed', costUsd: expect.any(Number) } }],
    [
      'setting-dropped',
      { ...noFile, code: 'setting-dropped' },
      { paid: expect.objectContaining({ reason: 'setting-dropped', dropped: ['resolution'] }) },
    ],
    [
      'reference-dropped',
      { ...noFile, code: 'setting-dropped', message: expect.stringContaining('n’a pas tenu compte') },
      { paid: expect.objectContaining({ reason: 'setting-dropped', dropped: ['references'] }) },
    ],
    ['video-nonsense', { status: 'running', charge: 'open' }, {}],
    ['end-frame-dropped', { ...delivered, params: { endFrameDropped: true } }, {}],
    ['cost-divergence', delivered, { told: 'generation.cost_divergence' }],
    ['url-file', whole, {}],
  ])('« %s » ends as %o', async (scenario, expected, { paid, told }) => {
    const scene = await studioScene(service, { scenario });
    const { row } = await started(scene);
    scene.clock.advance(MINUTE);
    expect(await getGeneration(scene.ctx, { generationId: row.id })).toMatchObject(expected);
    const actions = await audits(service, row.id);
    expect(actions.find(({ action }) => action === 'generation.paid_not_delivered')?.data).toEqual(paid);
    expect(actions.map(({ action }) => action)).toEqual(
      told ? expect.arrayContaining([told]) : expect.not.arrayContaining(['generation.cost_divergence']),
    );
  });

  it.each([
    ['calls completed without a file', 'no-file', 'inutilisable'],
    ['ended by its moderation at a price', 'content-refused', 'règles de contenu'],
  ] as const)('that the provider %s is refunded, and what was paid is told', async (_, reason, said) => {
    const scene = await studioScene(service);
    const { row } = await started(scene);
    scene.clock.advance(MINUTE);
    const { providers } = scene.ctx.studio;
    const status = async () =>
      ({ outcome: 'job-failed', reason, detail: 'simulated', paid: true, costMicros: 400_000n }) as const;
    const empty = scene.with({ providers: { ...providers, video: { ...providers.video, status } } });
    const view = await getGeneration(empty, { generationId: row.id });
    expect(view).toMatchObject({ status: 'failed', code: 'provider-failure', charge: 'refunded' });
    expect(view.message).toContain(said);
    expect((await audits(service, row.id)).at(-1)).toEqual({
      action: 'generation.paid_not_delivered',
      data: { reason: 'step-failed', costUsd: 0.4 },
    });
  });

  it('finished at the provider, whose file nobody could fetch in two hours, is refunded and told as paid', async () => {
    const scene = await studioScene(service, { scenario: 'url-file' });
    const { row } = await started(scene);
    let fetched = 0;
    const unreachable = async () => {
      fetched += 1;
      return new Response(null, { status: 503 });
    };
    const { providers } = scene.ctx.studio;
    const cut = scene.with({ providers: { ...providers, openRecorded: unreachable } });
    scene.clock.advance(6 * MINUTE);
    expect((await getGeneration(cut, { generationId: row.id })).status).toBe('running');
    expect(fetched).toBe(1);
    scene.clock.advance(115 * MINUTE);
    expect(await getGeneration(cut, { generationId: row.id })).toMatchObject({ code: 'video_timeout' });
    expect(fetched).toBe(1);
    const told = (await audits(service, row.id)).slice(-2);
    expect(told.map(({ action }) => action)).toEqual([
      'generation.late_look',
      'generation.paid_not_delivered',
    ]);
    expect(told.at(-1)?.data).toEqual({ reason: 'step-failed', costUsd: expect.any(Number) });
    expect(await kindsOf(service, row.id)).toEqual(['RESERVE', 'REFUND']);
  });

  it('whose time runs out while its file is stored ends by the clock, as whoever looked was told: refunded, and told as paid', async () => {
    const scene = await studioScene(service);
    const { row } = await started(scene);
    scene.clock.advance(120 * MINUTE - 1);
    const put: StudioScene['store']['put'] = async (...file) => {
      const stored = await scene.store.put(...file);
      scene.clock.advance(1);
      return stored;
    };
    const slow = scene.with({ store: { ...scene.store, put } });
    expect(await sweepGenerations(asSystem(slow))).toMatchObject({
      videoTimeout: 1,
      videoSettled: 0,
      videoFailed: 0,
      errors: 0,
    });
    expect(await getGeneration(scene.ctx, { generationId: row.id })).toMatchObject({
      status: 'failed',
      code: 'video_timeout',
      charge: 'refunded',
      costUsd: null,
      files: [],
      closedBy: 'sweep',
    });
    expect((await audits(service, row.id)).map(({ action }) => action)).toEqual([
      'generation.failed',
      'generation.late_look',
      'generation.paid_not_delivered',
    ]);
    expect(await kindsOf(service, row.id)).toEqual(['RESERVE', 'REFUND']);
    expect(await bookFaults(service)).toEqual([]);
  });

  it('whose status is a word that nobody knows goes on running, and the word is logged once', async () => {
    const scene = await studioScene(service);
    const ids = [(await started(scene)).row.id, (await started(scene)).row.id];
    const { providers } = scene.ctx.studio;
    const status = async () => ({
      outcome: 'pending' as const,
      warnings: [],
      unknownStatus: 'levitating-slowly',
    });
    const odd = scene.with({ providers: { ...providers, video: { ...providers.video, status } } });
    for (let look = 0; look < 2; look++) {
      scene.clock.advance(6 * MINUTE);
      for (const generationId of ids)
        expect(await getGeneration(odd, { generationId })).toMatchObject({
          status: 'running',
          charge: 'open',
        });
    }
    expect(scene.lines.filter(({ event }) => event === 'generation.status_unknown')).toEqual([
      expect.objectContaining({ generationId: ids[0], status: 'levitating-slowly' }),
    ]);
  });

  it('is never started when the provider does not answer: refunded in the request', async () => {
    const scene = await studioScene(service, { scenario: 'timeout', budgets: { videoStart: 30 } });
    const { row, outcome } = await started(scene);
    expect(outcome).toBe('failed');
    expect(row.message).toContain('n’a pas répondu à temps');
    expect(await kindsOf(service, row.id)).toEqual(['RESERVE', 'REFUND']);
  });

  it('that was started but could not be recorded is audited, and refunded as orphaned after 15 minutes', async () => {
    const scene = await studioScene(service);
    const ctx = broken(service, scene, ['studio.submitted']);
    const { row } = await submitGeneration(ctx, { request: request(VEO) });
    expect(row.state).toBe('STARTING');
    const [pending] = await audits(service, row.id);
    expect(pending).toMatchObject({
      action: 'generation.submit_pending',
      data: { providerJobId: expect.any(String) },
    });
    scene.clock.advance(15 * MINUTE - 1);
    expect(await sweepGenerations(asSystem(scene.ctx))).toMatchObject({ videoFailed: 0 });
    scene.clock.advance(1);
    expect(await sweepGenerations(asSystem(scene.ctx))).toMatchObject({ videoFailed: 1 });
    expect(await getGeneration(scene.ctx, { generationId: row.id })).toMatchObject({
      code: 'orphaned',
      charge: 'refunded',
    });
  });

  it('that is orphaned while its start hangs is audited with the job that runs on at the provider', async () => {
    const scene = await studioScene(service);
    const { providers } = scene.ctx.studio;
    const start: typeof providers.video.start = async (...asked) => {
      const answer = await providers.video.start(...asked);
      scene.clock.advance(15 * MINUTE);
      await sweepGenerations(asSystem(scene.ctx));
      return answer;
    };
    const hung = scene.with({ providers: { ...providers, video: { ...providers.video, start } } });
    const { row } = await submitGeneration(hung, { request: request(VEO) });
    expect(row).toMatchObject({ state: 'FAILED', code: 'orphaned' });
    expect(await audits(service, row.id)).toContainEqual({
      action: 'generation.submit_pending',
      data: { providerJobId: expect.any(String) },
    });
    expect(await kindsOf(service, row.id)).toEqual(['RESERVE', 'REFUND']);
  });
});
