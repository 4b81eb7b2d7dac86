import { describe, expect, it } from 'vitest';
import { usdFromMicros } from '#lib/core/money.ts';
import { createProviders } from '#lib/providers/wiring/create-providers.ts';
import { getGeneration } from '#lib/studio/journal/get-generation.ts';
import { listGenerations } from '#lib/studio/journal/list-generations.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { sweepGenerations } from '#lib/studio/sweep/sweep-generations.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import { request, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';
import { asSystem, audits, kindsOf, MINUTE, started, VEO, webhookOf } from './video-scene.ts';

const service = useTestService({ poolMax: 20 });

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
    expect(await kindsOf(service, row.id)).toEqual(['RESERVE', 'SETTLE']);
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
    const call = await webhookOf(service, scene, row);
    const verdicts = await Promise.all([call(), call()]);
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(['accepted', 'accepted']);
    await Promise.all([
      ...verdicts.map((one) => (one.verdict === 'accepted' ? one.settle() : Promise.reject(one))),
      getGeneration(scene.ctx, { generationId: row.id }),
      getGeneration(scene.ctx, { generationId: row.id }),
      sweepGenerations(asSystem(scene.ctx)),
      sweepGenerations(asSystem(scene.ctx)),
    ]);
    expect(await kindsOf(service, row.id)).toEqual(['RESERVE', 'SETTLE']);
    expect(
      (await audits(service, row.id)).filter(({ action }) => action === 'generation.completed'),
    ).toHaveLength(1);
    expect(await bookFaults(service)).toEqual([]);
  });

  it('is closed by its signed webhook when nobody reads it, and a second call does nothing', async () => {
    const scene = await studioScene(service);
    const { row } = await started(scene);
    scene.clock.advance(MINUTE);
    const call = await webhookOf(service, scene, row);
    const verdict = await call();
    expect(verdict).toMatchObject({ verdict: 'accepted' });
    await (verdict.verdict === 'accepted' ? verdict.settle() : Promise.reject(verdict));
    expect(await service.db.generation.findUniqueOrThrow({ where: { id: row.id } })).toMatchObject({
      state: 'COMPLETED',
      closedBy: 'webhook',
    });
    expect(await call()).toEqual({ verdict: 'closed' });
    expect(await kindsOf(service, row.id)).toEqual(['RESERVE', 'SETTLE']);
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
    expect(await kindsOf(service, row.id)).toEqual(['RESERVE', 'SETTLE']);
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
    expect((await audits(service, row.id)).at(-1)).toEqual({
      action: 'generation.late_look',
      data: { status: 'pending' },
    });
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
