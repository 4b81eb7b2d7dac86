import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Actor } from '#lib/core/actor.ts';
import type { StudioContext } from '#lib/studio/context.ts';
import { getGeneration } from '#lib/studio/journal/get-generation.ts';
import { acceptVideoWebhook } from '#lib/studio/webhooks/accept-video-webhook.ts';
import { studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';
import { asSystem, audits, MINUTE, started, webhookOf } from './video-scene.ts';

const service = useTestService({ poolMax: 20 });

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
    const verdict = await (await webhookOf(service, { ...scene, ctx }, row))();
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
    const shown = [row, view, scene.lines, await audits(service, row.id)];
    expect(inspect(shown, { depth: 10, maxStringLength: null })).not.toContain(secret);
    scene.clock.advance(MINUTE);
    await getGeneration(scene.ctx, { generationId: row.id });
    expect(await secretOf()).toBeNull();
  });
});
