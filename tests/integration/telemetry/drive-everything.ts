import { readFileSync } from 'node:fs';
import { vi } from 'vitest';
import { GET as retentionRoute } from '#app/api/cron/retention/route.ts';
import { POST as renderRoute } from '#app/api/webhooks/render/route.ts';
import { POST as videoRoute } from '#app/api/webhooks/video/[generationId]/route.ts';
import { systemClock } from '#lib/core/clock.ts';
import { verifySignInCode } from '#lib/identity/sign-in/verify-sign-in-code.ts';
import { deleteAvatar, saveAvatar } from '#lib/storage/assets/avatars.ts';
import { eraseBinned } from '#lib/storage/bin/erase-binned.ts';
import { deleteGenerationFiles } from '#lib/storage/deletion/delete-generation-files.ts';
import { purgeProductBlobs } from '#lib/storage/deletion/purge-product.ts';
import { referenceFolder } from '#lib/storage/pathnames.ts';
import { runRetention } from '#lib/storage/retention/run-retention.ts';
import { confirmReferenceUpload } from '#lib/storage/uploads/confirm-reference-upload.ts';
import { recordStoredUpload } from '#lib/storage/uploads/record-upload.ts';
import { uploadImage } from '#lib/storage/uploads/upload-image.ts';
import { getGeneration } from '#lib/studio/journal/get-generation.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { sweepGenerations } from '#lib/studio/sweep/sweep-generations.ts';
import { exampleFields, findTemplate } from '#lib/studio/templates/registry.ts';
import { handleRenderCallback } from '#lib/studio/webhooks/handle-render-callback.ts';
import { testContext } from '#tests/factories/context.ts';
import { addAsset, addUpload, DAY_MS, filesScene, putOld } from '#tests/factories/files/files.ts';
import { QUOTE_CARD } from '#tests/factories/files/rendered-files.ts';
import { broken } from '#tests/factories/statements/broken-statements.ts';
import { IMAGE, request, type StudioScene, studioScene } from '#tests/factories/studio.ts';
import { call } from '#tests/setup/api.ts';
import type { TestService } from '#tests/setup/service.ts';
import { PIXEL } from '#tests/simulation/outside.ts';

const MINUTE = 60_000;
const VIDEO = { kind: 'video', case: 'veo', brief: 'Une flamme', durationSeconds: 4 };
/** A film of 3.2 s (tests/fixtures/media/README.md). */
export const CLIP = readFileSync(new URL('../../fixtures/media/clip.mp4', import.meta.url));
export const CLIP_MS = 3_200;

/** Where it all happens, and the log lines that they leave. */
export type Stage = { service: TestService; lines: Record<string, unknown>[] };

const sweep = (scene: StudioScene) =>
  sweepGenerations({ ...scene.ctx, actor: { type: 'system', job: 'generations-sweep' } });

/** Debits and closings that cannot be written, costs that disagree, files that are paid and lost. */
async function driveImages({ service, lines }: Stage): Promise<void> {
  const pending = await studioScene(service);
  await submitGeneration(broken(service, pending, ['ledger.close']), { request: request(IMAGE) });
  pending.clock.advance(16 * MINUTE);
  await sweep(pending);
  const unclosed = await studioScene(service);
  await submitGeneration(broken(service, unclosed, ['studio.close', 'studio.defer']), {
    request: request(IMAGE),
  });
  unclosed.clock.advance(16 * MINUTE);
  await sweep(unclosed);
  const divergent = await studioScene(service, { scenario: 'cost-divergence' });
  await submitGeneration(divergent.ctx, { request: request(IMAGE) });
  const unsafe = await studioScene(service, { scenario: 'unsafe-svg' });
  await submitGeneration(unsafe.ctx, { request: request({ kind: 'vector', brief: 'Une feuille' }) });
  lines.push(...pending.lines, ...unclosed.lines);
}

async function driveJobs({ service, lines }: Stage): Promise<void> {
  const scene = await studioScene(service, { config: { defaultVoiceId: 'Camille0Recorded0001' } });
  const first = await submitGeneration(scene.ctx, { request: request(VIDEO) });
  await submitGeneration(broken(service, scene, ['studio.submitted']), { request: request(VIDEO) });
  scene.clock.advance(MINUTE);
  await getGeneration(scene.ctx, { generationId: first.row.id });
  const voice = await submitGeneration(scene.ctx, {
    request: request({ kind: 'voice', text: 'Bonjour à tous.' }),
  });
  const shop = scene.with({
    fetch: async (address) => ({ bytes: CLIP, contentType: '', charset: undefined, finalUrl: address }),
  });
  const lips = await submitGeneration(shop, {
    request: request({
      kind: 'lipsync',
      voiceGenerationId: voice.row.id,
      clip: 'https://cdn.shopify.com/clip.mp4',
    }),
  });
  scene.clock.advance(MINUTE);
  await getGeneration(scene.ctx, { generationId: lips.row.id });
  const template = findTemplate('quote-card');
  if (!template) throw new Error('quote-card is gone');
  const fields = { ...exampleFields(template) };
  const body = { kind: 'render', template: template.id, size: template.sizes[0]?.id, fields };
  const launch = async () => (await submitGeneration(scene.ctx, { request: request(body) })).row;
  const publish = (id: string) =>
    scene.store.put(`generations/${id}/${QUOTE_CARD.name}`, QUOTE_CARD.bytes, { contentType: 'image/png' });
  const failed = await launch();
  await publish(failed.id);
  const report = {
    generationId: failed.id,
    runId: failed.params.workflowRunId ?? '',
    durationMs: 1,
    files: [],
  };
  await handleRenderCallback(scene.ctx, { ...report, status: 'failure' });
  const unreserved = await launch();
  await publish(unreserved.id);
  // A reserve that nobody can find: what only a fault of ours could make.
  await service.pool.query(
    `BEGIN; ALTER TABLE "LedgerLine" DISABLE TRIGGER "LedgerLine_append_only";
     DELETE FROM "LedgerLine" WHERE "generationId" = '${unreserved.id}';
     ALTER TABLE "LedgerLine" ENABLE TRIGGER "LedgerLine_append_only"; COMMIT`,
  );
  const { workflowRunId = '' } = unreserved.params;
  const files = [{ pathname: `generations/${unreserved.id}/${QUOTE_CARD.name}` }];
  await handleRenderCallback(scene.ctx, {
    generationId: unreserved.id,
    runId: workflowRunId,
    status: 'success',
    files,
    durationMs: 1,
  });
  await launch();
  scene.clock.advance(6 * MINUTE);
  await sweep(scene);
  lines.push(...scene.lines);
}

async function driveFiles({ service, lines }: Stage): Promise<void> {
  const scene = await filesScene(service);
  await addAsset(scene, { ageDays: 40 });
  await addUpload(scene, { ageDays: 40 });
  const lost = await addAsset(scene);
  const { delete: remove } = scene.store;
  scene.store.delete = () => Promise.reject(new Error('503'));
  await deleteGenerationFiles(scene.ctx, { generationId: lost.generationId ?? '' });
  await eraseBinned(scene.ctx, { kind: 'files', id: lost.generationId ?? '' });
  scene.store.delete = remove;
  await runRetention(scene.cron);
  const face = await addAsset(scene);
  const avatar = await saveAvatar(scene.ctx, { assetId: face.id, name: 'Camille' });
  await deleteAvatar(scene.ctx, { avatarId: avatar.id });
  await uploadImage(scene.ctx, { productId: 'libre', bytes: PIXEL });
  const { accountId, memberId } = scene.owner;
  const rush = async (name: string) => {
    const pathname = `${referenceFolder(accountId, 'libre')}${name}`;
    return scene.store.put(pathname, CLIP, { contentType: 'video/mp4' });
  };
  const told = { accountId, memberId, productId: 'libre', via: 'client' } as const;
  await recordStoredUpload(scene.ctx, { ...told, pathname: (await rush('rush-a.mp4')).pathname });
  await confirmReferenceUpload(scene.ctx, { productId: 'libre', url: (await rush('rush-b.mp4')).url });
  await putOld(scene, 'products/ancien/logo.png', PIXEL, new Date(scene.clock.now().getTime() - DAY_MS));
  await addAsset(scene, { productId: 'ancien' });
  await purgeProductBlobs(scene.ctx, 'ancien');
  lines.push(...scene.lines);
}

/** What is refused at the entry points, as the process's own log tells it. */
async function driveRefusals({ service, lines }: Stage): Promise<void> {
  const written: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    written.push(String(chunk));
    return true;
  });
  try {
    await call(retentionRoute, { path: '/api/cron/retention', token: 'wrong' });
    await call(renderRoute, { path: '/api/webhooks/render', body: {} });
    await call(videoRoute, {
      path: '/api/webhooks/video/gen_x',
      params: { generationId: 'gen_x' },
      body: {},
      headers: { 'x-ai-gateway-signature': 't=1,v1=00' },
    });
  } finally {
    spy.mockRestore();
  }
  for (const line of written.join('').split('\n'))
    if (line.startsWith('{')) lines.push(JSON.parse(line) as Record<string, unknown>);
  const ctx = testContext(service, { type: 'anonymous' }, { clock: systemClock, lines: lines as never });
  const guess = {
    email: 'personne@exemple.test',
    code: '000000',
    userAgent: '',
    network: '',
    browser: 'b'.repeat(43),
  };
  await verifySignInCode(ctx, guess, {
    secret: 'secret-of-the-test-0123456789-0123',
    post: () => {},
  }).catch(() => undefined);
}

/** Everything that leaves an audit entry, a log event or a span that the specification names. */
export async function driveEverything(stage: Stage): Promise<void> {
  await driveImages(stage);
  await driveJobs(stage);
  await driveFiles(stage);
  await driveRefusals(stage);
}
