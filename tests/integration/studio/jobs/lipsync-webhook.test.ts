import { expect, it } from 'vitest';
import { signLipsyncBody } from '#lib/providers/lipsync/signature.ts';
import { createProviders } from '#lib/providers/wiring/create-providers.ts';
import { getGeneration } from '#lib/studio/journal/get-generation.ts';
import { VIDEO_DEADLINE_MS } from '#lib/studio/limits.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { sweepGenerations } from '#lib/studio/sweep/sweep-generations.ts';
import { acceptVideoWebhook } from '#lib/studio/webhooks/accept-video-webhook.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import { request, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const SECRET = 'whsec_lipsync_0123456789';

/** A lipsync under way; with a secret and an https address of ours, its callback is registered. */
async function started(secret?: string, publicUrl = 'https://atelier.exemple.test') {
  const scene = await studioScene(service, { config: { publicUrl } });
  const providers = createProviders({
    live: new Set(),
    clock: scene.clock,
    secrets: {},
    sleep: async () => {},
    lipsyncWebhookSecrets: secret ? [secret] : [],
  });
  const addresses: string[] = [];
  const start: typeof providers.lipsync.start = (asked, options) => {
    addresses.push(asked.visual.url, asked.audio.url);
    return providers.lipsync.start(asked, options);
  };
  const ctx = scene.with({ providers: { ...providers, lipsync: { ...providers.lipsync, start } } });
  const ask = async (body: Record<string, unknown>) =>
    (await submitGeneration(ctx, { request: request(body) })).row;
  const voice = await ask({ kind: 'voice', text: 'Bonjour à tous.', voiceId: 'Camille0Recorded0001' });
  const face = await ask({ kind: 'image', brief: 'Un visage' });
  const row = await ask({
    kind: 'lipsync',
    voiceGenerationId: voice.id,
    character: { generationId: face.id },
  });
  const system = { ...ctx, actor: { type: 'system', job: 'video-webhook' } as const };
  const call = (rawBody: string, signedBy = SECRET) =>
    acceptVideoWebhook(system, {
      generationId: row.id,
      rawBody,
      signature: signLipsyncBody(rawBody, signedBy, scene.clock.now()),
    });
  return { scene, ctx, row, call, addresses };
}

it('a lipsync is closed by its signed webhook, once, and by no other', async () => {
  const { scene, row, call } = await started(SECRET);
  expect(row.params.webhook).toBe(true);
  scene.clock.advance(60_000);
  const done = JSON.stringify({ id: row.providerJobId, status: 'COMPLETED' });
  expect(await call(done, 'whsec_somebody_else')).toMatchObject({ reason: 'signature' });
  expect(await call(JSON.stringify({ id: 'another', status: 'COMPLETED' }))).toMatchObject({
    reason: 'foreign-job',
  });
  const verdicts = await Promise.all([call(done), call(done), call('{"anything":true}')]);
  await Promise.all(
    verdicts.map((verdict) => (verdict.verdict === 'accepted' ? verdict.settle() : undefined)),
  );
  expect(await service.db.generation.findUniqueOrThrow({ where: { id: row.id } })).toMatchObject({
    state: 'COMPLETED',
    closedBy: 'webhook',
  });
  expect(await call(done)).toEqual({ verdict: 'closed' });
  expect(await bookFaults(service)).toEqual([]);
});

it('its service may read the face and the voice for as long as its reserve lives', async () => {
  const { scene, addresses } = await started();
  const until = addresses.map((address) => Number(new URL(address).searchParams.get('until')));
  const endsMs = scene.clock.now().getTime() + VIDEO_DEADLINE_MS;
  expect(until).toEqual([endsMs, endsMs]);
});

it('without the secret of its webhooks none is registered, and none is believed', async () => {
  const { row, call } = await started();
  expect(row.params.webhook).toBe(false);
  expect(await call('{}')).toMatchObject({ verdict: 'rejected', reason: 'not-registered' });
});

it('none is registered under an address that is not https, whatever the secret; the job then closes by a read or by the sweep, once', async () => {
  for (const closedBy of ['read', 'sweep'] as const) {
    const { scene, ctx, row } = await started(SECRET, 'http://127.0.0.1:3000');
    expect(row.params.webhook).toBe(false);
    scene.clock.advance(600_000);
    if (closedBy === 'read') await getGeneration(ctx, { generationId: row.id });
    else await sweepGenerations({ ...ctx, actor: { type: 'system', job: 'generations-sweep' } });
    expect(await service.db.generation.findUniqueOrThrow({ where: { id: row.id } })).toMatchObject({
      state: 'COMPLETED',
      closedBy,
    });
    const lines = await service.db.ledgerLine.findMany({
      where: { generationId: row.id },
      orderBy: { position: 'asc' },
    });
    expect(lines.map(({ kind }) => kind)).toEqual(['RESERVE', 'SETTLE']);
  }
  expect(await bookFaults(service)).toEqual([]);
});
