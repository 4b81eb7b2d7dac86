import { createHmac } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Actor, SystemJob } from '#lib/core/actor.ts';
import { usdFromMicros } from '#lib/core/money.ts';
import type { Scenario } from '#lib/providers/fixtures/scenarios.ts';
import { createProviders } from '#lib/providers/wiring/create-providers.ts';
import type { StudioContext } from '#lib/studio/context.ts';
import { getGeneration } from '#lib/studio/journal/get-generation.ts';
import { listGenerations } from '#lib/studio/journal/list-generations.ts';
import { readCaptions } from '#lib/studio/journal/read-captions.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { sweepGenerations } from '#lib/studio/sweep/sweep-generations.ts';
import { acceptVideoWebhook } from '#lib/studio/webhooks/accept-video-webhook.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import { broken } from '#tests/factories/statements/broken-statements.ts';
import { request, type StudioScene, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 20 });
const VEO = { kind: 'video', case: 'veo', brief: 'Une flamme qui vacille', durationSeconds: 4 };
const MINUTE = 60_000;

const asSystem = (ctx: StudioContext, job: SystemJob = 'generations-sweep') => ({
  ...ctx,
  actor: { type: 'system' as const, job },
});
const audits = async (subjectId: string) =>
  (await service.db.auditEntry.findMany({ where: { subjectId }, orderBy: { id: 'asc' } })).map(
    ({ action, data }) => ({ action, data }),
  );
const kindsOf = async (generationId: string) =>
  (await service.db.ledgerLine.findMany({ where: { generationId }, orderBy: { position: 'asc' } })).map(
    (line) => line.kind,
  );

async function started(scene: StudioScene, body: Record<string, unknown> = VEO) {
  const { row, outcome } = await submitGeneration(scene.ctx, { request: request(body) });
  return { row, outcome };
}

/** The provider's own call about a row, under the secret that the row was given. */
async function webhookOf(scene: StudioScene, row: { id: string; providerJobId: string | null }) {
  const { providerWebhookSecret } = await service.db.generation.findUniqueOrThrow({ where: { id: row.id } });
  const rawBody = JSON.stringify({ jobId: row.providerJobId });
  return () => {
    const at = Math.floor(scene.clock.now().getTime() / 1_000);
    const mark = createHmac('sha256', providerWebhookSecret ?? '')
      .update(`${at}.${rawBody}`)
      .digest('hex');
    const system: StudioContext<Actor> = asSystem(scene.ctx, 'video-webhook');
    return acceptVideoWebhook(system, { generationId: row.id, rawBody, signature: `t=${at},v1=${mark}` });
  };
}

describe('a video', () => {
  it('answers running with its reserve and where to read it; a read before 15 s asks nobody', async () => {
    const scene = await studioScene(service);
    const { row, outcome } = await started(scene);
    expect(outcome).toBe('running');
    const view = await getGeneration(scene.ctx, { generationId: row.id });
    expect(view).toMatchObject({
      status: 'running',
      label: 'En cours',
      pollUrl: `/api/generations/${row.id}`,
      charge: 'open',
    });
    expect(view.heldUsd).toBeGreaterThan(0);
    const [reserve] = await service.db.ledgerLine.findMany({ where: { generationId: row.id } });
    expect(reserve).toMatchObject({ kind: 'RESERVE', heldMicros: row.heldMicros });
    expect(view.heldUsd).toBe(usdFromMicros(row.heldMicros));
    expect(view.params.webhook).toBe(true);
    scene.clock.advance(14_999);
    expect((await getGeneration(scene.ctx, { generationId: row.id })).status).toBe('running');
    scene.clock.advance(1);
    const done = await getGeneration(scene.ctx, { generationId: row.id });
    expect(done).toMatchObject({ status: 'done', closedBy: 'read', charge: 'settled' });
    expect(done.files[0]).toMatchObject({ contentType: 'video/mp4', durationMs: expect.any(Number) });
    expect(await kindsOf(row.id)).toEqual(['RESERVE', 'SETTLE']);
  });

  it('is answered after one start alone: no look at the job, no wait, no file, at most nine round trips', async () => {
    const scene = await studioScene(service);
    const { video } = scene.ctx.studio.providers;
    const calls: string[] = [];
    const watched = scene.with({
      providers: {
        ...scene.ctx.studio.providers,
        video: {
          ...video,
          start: (...input) => {
            calls.push('start');
            return video.start(...input);
          },
          status: (...input) => {
            calls.push('status');
            return video.status(...input);
          },
        },
      },
      fetch: (...input) => {
        calls.push('fetch');
        return scene.ctx.studio.fetch(...input);
      },
    });
    const before = service.connection.roundTrips();
    const { outcome } = await submitGeneration(watched, { request: request(VEO) });
    expect(outcome).toBe('running');
    expect(calls).toEqual(['start']);
    expect(service.connection.roundTrips() - before).toBeLessThanOrEqual(9);
  });

  it('asks the provider once however many members read at the same moment', async () => {
    const scene = await studioScene(service);
    const { row } = await started(scene);
    scene.clock.advance(5 * MINUTE);
    let reads = 0;
    const { providers } = scene.ctx.studio;
    const counting = scene.with({
      providers: {
        ...providers,
        video: {
          ...providers.video,
          status: async () => {
            reads += 1;
            return { outcome: 'pending', warnings: [] };
          },
        },
      },
    });
    await Promise.all(Array.from({ length: 30 }, () => getGeneration(counting, { generationId: row.id })));
    expect(reads).toBe(1);
    scene.clock.advance(2_000);
    await Promise.all(Array.from({ length: 30 }, () => getGeneration(counting, { generationId: row.id })));
    expect(reads).toBe(2);
  });

  it('has one reader at a time in a process, however long an answer that holds the video is on its way', async () => {
    const scene = await studioScene(service);
    const { row } = await started(scene);
    scene.clock.advance(MINUTE);
    const { providers } = scene.ctx.studio;
    const { promise: isLet, resolve: letGo } = Promise.withResolvers<void>();
    let reads = 0;
    const status: typeof providers.video.status = async (...asked) => {
      reads += 1;
      if (reads > 1) return { outcome: 'pending', warnings: [] };
      await isLet;
      return providers.video.status(...asked);
    };
    const ctx = scene.with({ providers: { ...providers, video: { ...providers.video, status } } });
    const first = getGeneration(ctx, { generationId: row.id });
    await expect.poll(() => reads).toBe(1);
    for (let page = 0; page < 3; page += 1) {
      scene.clock.advance(3_000);
      expect((await getGeneration(ctx, { generationId: row.id })).status).toBe('running');
    }
    expect(reads).toBe(1);
    letGo();
    expect((await first).status).toBe('done');
  });

  it.each<[string, number, number]>([
    ['as told', 90_000, 90_000],
    ['until the sweep comes by, whatever is told', 24 * 60 * MINUTE, 5 * MINUTE],
  ])('whose provider asks for a pause is left to it by its readers, %s', async (_, retryAfterMs, heldMs) => {
    const scene = await studioScene(service);
    const { row } = await started(scene);
    scene.clock.advance(MINUTE);
    let reads = 0;
    const { providers } = scene.ctx.studio;
    const busy = scene.with({
      providers: {
        ...providers,
        video: {
          ...providers.video,
          status: async () => {
            reads += 1;
            return {
              outcome: 'failed',
              reason: 'rate-limited',
              retrySafe: 'surely-not-sent',
              status: 429,
              detail: 'HTTP 429',
              attempts: 1,
              elapsedMs: 3,
              retryAfterMs,
            };
          },
        },
      },
    });
    const read = () => getGeneration(busy, { generationId: row.id });
    expect(await read()).toMatchObject({ status: 'running', charge: 'open' });
    scene.clock.advance(heldMs - 1);
    await Promise.all([read(), read()]);
    expect(reads).toBe(1);
    scene.clock.advance(1);
    await Promise.all([read(), read()]);
    expect(reads).toBe(2);
  });

  it('is settled once when webhook, readers and two sweeps arrive together', async () => {
    const scene = await studioScene(service);
    const { row } = await started(scene);
    scene.clock.advance(6 * MINUTE);
    const call = await webhookOf(scene, row);
    const verdicts = await Promise.all([call(), call()]);
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(['accepted', 'accepted']);
    await Promise.all([
      ...verdicts.map((one) => (one.verdict === 'accepted' ? one.settle() : Promise.reject(one))),
      getGeneration(scene.ctx, { generationId: row.id }),
      getGeneration(scene.ctx, { generationId: row.id }),
      sweepGenerations(asSystem(scene.ctx)),
      sweepGenerations(asSystem(scene.ctx)),
    ]);
    expect(await kindsOf(row.id)).toEqual(['RESERVE', 'SETTLE']);
    expect((await audits(row.id)).filter(({ action }) => action === 'generation.completed')).toHaveLength(1);
    expect(await bookFaults(service)).toEqual([]);
  });

  it('is closed by its signed webhook when nobody reads it, and a second call does nothing', async () => {
    const scene = await studioScene(service);
    const { row } = await started(scene);
    scene.clock.advance(MINUTE);
    const call = await webhookOf(scene, row);
    const verdict = await call();
    expect(verdict).toMatchObject({ verdict: 'accepted' });
    await (verdict.verdict === 'accepted' ? verdict.settle() : Promise.reject(verdict));
    expect(await service.db.generation.findUniqueOrThrow({ where: { id: row.id } })).toMatchObject({
      state: 'COMPLETED',
      closedBy: 'webhook',
    });
    expect(await call()).toEqual({ verdict: 'closed' });
    expect(await kindsOf(row.id)).toEqual(['RESERVE', 'SETTLE']);
    expect(await bookFaults(service)).toEqual([]);
  });

  it('that was played on recorded answers is read and closed there, though its service is live', async () => {
    const scene = await studioScene(service);
    const { providers: recorded } = scene.ctx.studio;
    const asked: string[] = [];
    const live = createProviders({
      live: new Set(['gateway']),
      clock: scene.clock,
      secrets: { gateway: 'a-key' },
      sleep: async () => {},
      fetch: async (url) => {
        asked.push(url);
        return new Response(null, { status: 404 });
      },
    });
    const ctx = scene.with({ providers: live, recorded });
    for (const close of [
      (id: string) => getGeneration(ctx, { generationId: id }),
      () => sweepGenerations(asSystem(ctx)),
    ]) {
      const { row } = await started(scene);
      scene.clock.advance(5 * MINUTE);
      await close(row.id);
      const view = await getGeneration(scene.ctx, { generationId: row.id });
      expect(view).toMatchObject({ status: 'done', charge: 'settled', params: { mode: 'fixtures' } });
    }
    expect(asked).toEqual([]);
  });

  it('is closed by the sweep from its fifth minute on, when no webhook comes and nobody reads it', async () => {
    const scene = await studioScene(service);
    const { row } = await started(scene);
    const stored = () => service.db.generation.findUniqueOrThrow({ where: { id: row.id } });
    scene.clock.advance(5 * MINUTE - 1);
    await sweepGenerations(asSystem(scene.ctx));
    expect((await stored()).state).toBe('SUBMITTED');
    scene.clock.advance(1);
    await sweepGenerations(asSystem(scene.ctx));
    expect(await stored()).toMatchObject({ state: 'COMPLETED', closedBy: 'sweep' });
    expect(await kindsOf(row.id)).toEqual(['RESERVE', 'SETTLE']);
  });

  it('is not looked at by the sweep in its first five minutes, and is timed out at two hours whoever comes', async () => {
    const scene = await studioScene(service, { scenario: 'video-never' });
    const { row } = await started(scene);
    scene.clock.advance(5 * MINUTE - 1);
    expect((await sweepGenerations(asSystem(scene.ctx))).videoPending).toBe(0);
    scene.clock.advance(1);
    expect((await sweepGenerations(asSystem(scene.ctx))).videoPending).toBe(1);
    scene.clock.advance(115 * MINUTE - 1);
    expect((await getGeneration(scene.ctx, { generationId: row.id })).status).toBe('running');
    scene.clock.advance(1);
    const [listed] = (await listGenerations(scene.ctx, { limit: 10, status: 'failed' })).generations;
    // Nobody has written the refund yet: the sentence says so, as the charge does.
    const message = expect.stringContaining('sera remboursé');
    expect(listed).toMatchObject({ id: row.id, code: 'video_timeout', charge: 'open', message });
    scene.clock.advance(5 * MINUTE);
    expect(await sweepGenerations(asSystem(scene.ctx))).toMatchObject({ videoTimeout: 1, errors: 0 });
    const view = await getGeneration(scene.ctx, { generationId: row.id });
    expect(view).toMatchObject({
      status: 'failed',
      code: 'video_timeout',
      charge: 'refunded',
      closedBy: 'sweep',
    });
    expect(view.message).toMatch(/deux heures.*a été remboursé/);
    expect((await audits(row.id)).at(-1)).toEqual({
      action: 'generation.late_look',
      data: { status: 'pending' },
    });
  });

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
    const actions = await audits(row.id);
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
    expect((await audits(row.id)).at(-1)).toEqual({
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
    const told = (await audits(row.id)).slice(-2);
    expect(told.map(({ action }) => action)).toEqual([
      'generation.late_look',
      'generation.paid_not_delivered',
    ]);
    expect(told.at(-1)?.data).toEqual({ reason: 'step-failed', costUsd: expect.any(Number) });
    expect(await kindsOf(row.id)).toEqual(['RESERVE', 'REFUND']);
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
      ...{ status: 'failed', code: 'video_timeout', charge: 'refunded' },
      ...{ costUsd: null, files: [], closedBy: 'sweep' },
    });
    expect((await audits(row.id)).map(({ action }) => action)).toEqual([
      'generation.failed',
      'generation.late_look',
      'generation.paid_not_delivered',
    ]);
    expect(await kindsOf(row.id)).toEqual(['RESERVE', 'REFUND']);
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
    expect(await kindsOf(row.id)).toEqual(['RESERVE', 'REFUND']);
  });

  it('that was started but could not be recorded is audited, and refunded as orphaned after 15 minutes', async () => {
    const scene = await studioScene(service);
    const ctx = broken(service, scene, ['studio.submitted']);
    const { row } = await submitGeneration(ctx, { request: request(VEO) });
    expect(row.state).toBe('STARTING');
    const [pending] = await audits(row.id);
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
    expect(await audits(row.id)).toContainEqual({
      action: 'generation.submit_pending',
      data: { providerJobId: expect.any(String) },
    });
    expect(await kindsOf(row.id)).toEqual(['RESERVE', 'REFUND']);
  });

  it('is invisible to another account, whatever the identifier', async () => {
    const scene = await studioScene(service);
    const other = await studioScene(service);
    const { row } = await started(scene);
    await expect(getGeneration(other.ctx, { generationId: row.id })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect((await listGenerations(other.ctx, { limit: 10 })).generations).toEqual([]);
  });
});

describe('the video webhook', () => {
  it('waits for the secret, refuses what is not signed by it, and does nothing once the row is closed', async () => {
    const scene = await studioScene(service);
    const lines = scene.lines;
    const { row } = await started(scene);
    const hook = { generationId: row.id, rawBody: '{}', signature: 't=1,v1=00' };
    const system: StudioContext<Actor> = asSystem(scene.ctx, 'video-webhook');
    expect(await acceptVideoWebhook(system, hook)).toMatchObject({ verdict: 'rejected' });
    expect(lines.some(({ event }) => event === 'video.webhook.rejected')).toBe(true);
    await service.pool.query(`UPDATE "Generation" SET "providerWebhookSecret" = NULL WHERE "id" = $1`, [
      row.id,
    ]);
    expect(await acceptVideoWebhook(system, hook)).toMatchObject({ reason: 'not-registered' });
    scene.clock.advance(MINUTE);
    await getGeneration(scene.ctx, { generationId: row.id });
    const named = { ...hook, rawBody: JSON.stringify({ data: { jobId: row.providerJobId } }) };
    expect(await acceptVideoWebhook(system, named)).toEqual({ verdict: 'closed' });
    expect(await acceptVideoWebhook(system, { ...hook, generationId: 'gen_x' })).toMatchObject({
      reason: 'unknown-generation',
    });
  });

  it('has the file fetched once: whoever reads the row meanwhile reads that it runs', async () => {
    const scene = await studioScene(service, { scenario: 'url-file' });
    const { row } = await started(scene);
    scene.clock.advance(MINUTE);
    const { providers } = scene.ctx.studio;
    const { promise: isLet, resolve: letGo } = Promise.withResolvers<void>();
    let fetched = 0;
    const openRecorded: typeof providers.openRecorded = async (url) => {
      fetched += 1;
      await isLet;
      return providers.openRecorded(url);
    };
    const ctx = scene.with({ providers: { ...providers, openRecorded } });
    const verdict = await (await webhookOf({ ...scene, ctx }, row))();
    if (verdict.verdict !== 'accepted') throw new Error(verdict.verdict);
    const settled = verdict.settle();
    await expect.poll(() => fetched).toBe(1);
    scene.clock.advance(3_000);
    expect((await getGeneration(ctx, { generationId: row.id })).status).toBe('running');
    letGo();
    await settled;
    expect(fetched).toBe(1);
    expect((await getGeneration(ctx, { generationId: row.id })).status).toBe('done');
  });

  it('tells who is not believed nothing of the row, not even that it is closed', async () => {
    const scene = await studioScene(service);
    const { row } = await started(scene);
    const system: StudioContext<Actor> = asSystem(scene.ctx, 'video-webhook');
    const rawBody = JSON.stringify({ data: { jobId: row.providerJobId } });
    const verdicts = async () => {
      const hooks = [
        { generationId: row.id, rawBody, signature: null },
        { generationId: row.id, rawBody: '{}', signature: 't=1,v1=00' },
        { generationId: row.id, rawBody: '{"data":{"jobId":"of another"}}', signature: 't=1,v1=00' },
      ];
      return Promise.all(hooks.map(async (hook) => (await acceptVideoWebhook(system, hook)).verdict));
    };
    const refused = ['rejected', 'rejected', 'rejected'];
    expect(await verdicts()).toEqual(refused);
    scene.clock.advance(MINUTE);
    await getGeneration(scene.ctx, { generationId: row.id });
    const closed = await service.db.generation.findUniqueOrThrow({ where: { id: row.id } });
    expect(closed.state).toBe('COMPLETED');
    expect(await verdicts()).toEqual(refused);
  });

  it('never lets its secret out of the row, and the row forgets it when it closes', async () => {
    const scene = await studioScene(service);
    const { row } = await started(scene);
    const secretOf = async () =>
      (await service.db.generation.findUniqueOrThrow({ where: { id: row.id } })).providerWebhookSecret;
    const secret = await secretOf();
    expect(secret).toBeTruthy();
    const view = await getGeneration(scene.ctx, { generationId: row.id });
    const shown = [row, view, scene.lines, await audits(row.id)];
    expect(inspect(shown, { depth: 10, maxStringLength: null })).not.toContain(secret);
    scene.clock.advance(MINUTE);
    await getGeneration(scene.ctx, { generationId: row.id });
    expect(await secretOf()).toBeNull();
  });
});

describe('a lipsync', () => {
  it('takes a voice of the journal and a character, and is billed for the length of the voice', async () => {
    const scene = await studioScene(service);
    const voice = await submitGeneration(scene.ctx, {
      request: request({ kind: 'voice', text: 'Bonjour.', voiceId: 'Camille0Recorded0001' }),
    });
    const image = await submitGeneration(scene.ctx, {
      request: request({ kind: 'image', brief: 'Un visage' }),
    });
    const asset = await service.db.asset.findFirstOrThrow({ where: { generationId: image.row.id } });
    const body = { kind: 'lipsync', voiceGenerationId: voice.row.id, character: asset.id };
    const { row } = await submitGeneration(scene.ctx, { request: request(body) });
    expect(row.references).toMatchObject({
      voiceGenerationId: voice.row.id,
      roles: { character: [{ pathname: asset.pathname }] },
    });
    scene.clock.advance(MINUTE);
    const view = await getGeneration(scene.ctx, { generationId: row.id });
    expect(view).toMatchObject({ status: 'done', kind: 'LIPSYNC', assetType: 'VIDEO', charge: 'settled' });
    const captions = await readCaptions(scene.ctx, { generationId: row.id, format: 'vtt' });
    expect(captions.text).toBe('WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nBonjour.\n');
    expect(view.captions?.vtt).toBe(`/api/generations/${row.id}/captions?format=vtt`);
    await expect(
      submitGeneration(scene.ctx, { request: request({ ...body, voiceGenerationId: image.row.id }) }),
    ).rejects.toMatchObject({ code: 'invalid', options: { detail: 'voiceGenerationId' } });
  });
});

describe('each video case', () => {
  it.each([
    ['veo', { durationSeconds: 4 }],
    ['best-quality', { durationSeconds: 4 }],
    ['cinematic', { durationSeconds: 5 }],
    ['seedance-2', { durationSeconds: 4 }],
    ['seedance-2-5', { durationSeconds: 4 }],
    ['nova', { durationSeconds: 6 }],
  ])('%s starts and is delivered', async (name, settings) => {
    const scene = await studioScene(service);
    const { row } = await started(scene, { kind: 'video', case: name, brief: 'Une flamme', ...settings });
    scene.clock.advance(MINUTE);
    const view = await getGeneration(scene.ctx, { generationId: row.id });
    expect(view).toMatchObject({ status: 'done', case: name, kind: 'VIDEO' });
    expect(view.params.pricing?.basis).toBe(name.startsWith('seedance') ? 'seedance' : 'per-second');
  });
});
