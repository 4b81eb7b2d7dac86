import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { GET as retentionRoute } from '#app/api/cron/retention/route.ts';
import { POST as renderRoute } from '#app/api/webhooks/render/route.ts';
import { POST as videoRoute } from '#app/api/webhooks/video/[generationId]/route.ts';
import { systemClock } from '#lib/core/clock.ts';
import type { Sql } from '#lib/core/database.ts';
import { verifySignInCode } from '#lib/identity/verify-sign-in-code.ts';
import { deleteRender } from '#lib/storage/delete-render.ts';
import { forgetAvatar, saveAvatar } from '#lib/storage/keeping/avatars.ts';
import { purgeProductBlobs } from '#lib/storage/purge-product.ts';
import { runRetention } from '#lib/storage/retention/run-retention.ts';
import { uploadImage } from '#lib/storage/uploads/upload-image.ts';
import { handleRenderCallback } from '#lib/studio/jobs/handle-render-callback.ts';
import { getGeneration } from '#lib/studio/journal/get-generation.ts';
import { submitGeneration } from '#lib/studio/lifecycle/submit-generation.ts';
import { sweepGenerations } from '#lib/studio/sweep/sweep-generations.ts';
import { exampleFields, findTemplate } from '#lib/studio/templates/registry.ts';
import { testContext } from '#tests/factories/context.ts';
import { addAsset, addUpload, DAY_MS, filesScene, putOld } from '#tests/factories/files.ts';
import { IMAGE, request, type StudioScene, studioScene } from '#tests/factories/studio.ts';
import { call, useApi } from '#tests/setup/api.ts';
import { useSpans } from '#tests/setup/record-spans.ts';
import { PIXEL } from '#tests/simulation/outside.ts';

const world = useApi({ poolMax: 20 });
const spans = useSpans();
const MINUTE = 60_000;
const VIDEO = { kind: 'video', case: 'veo', brief: 'Une flamme', durationSeconds: 4 };

/** The audit actions that the specification names, and what their data must tell. */
const AUDIT_ACTIONS: Record<string, string[]> = {
  'generation.settle_pending': [],
  'generation.close_pending': [],
  'generation.reconciled': ['from'],
  'generation.submit_pending': [],
  'generation.charge_missing': [],
  'generation.paid_not_delivered': ['reason'],
  'generation.cost_divergence': ['gatewayCostUsd', 'formulaCostUsd', 'gatewayGenerationId'],
  'generation.files_delete_failed': [],
  'generation.files_expired': ['pathnames'],
  'generation.files_discarded': ['by', 'reason', 'pathnames'],
  'reference.expired': ['pathname'],
  'reference.uploaded': ['via', 'pathname', 'contentType', 'bytes'],
  'avatar.saved': ['assetId'],
  'avatar.deleted': ['assetId'],
  'product.blobs_purged': [
    'prefix',
    'removedObjects',
    'removedBytes',
    'clearedGenerations',
    'deletedAssets',
    'deletedAvatars',
    'deletedReferences',
    'clearedCaptures',
    'complete',
    'error',
  ],
};

const LOG_EVENTS = [
  'cron.sweep.done',
  'cron.retention.done',
  'cron.rejected',
  'render.callback.rejected',
  'video.webhook.rejected',
  'auth.otp.failed',
];

/** The spans that the specification names, and the only attributes that each may carry. */
const SPANS: Record<string, { may: string[]; must: string[] }> = {
  'studio.generation': {
    may: ['member.id', 'product.id', 'generation.id', 'generation.kind', 'outcome', 'code'],
    must: ['member.id', 'product.id', 'generation.kind', 'outcome'],
  },
  'studio.provider.image': {
    may: ['mode', 'capability', 'model', 'outcome', 'reason', 'gateway_cost_usd'].map(
      (name) => `provider.${name}`,
    ),
    must: ['mode', 'capability', 'model'].map((name) => `provider.${name}`),
  },
  'studio.video.settle': {
    may: ['generation.id', 'generation.kind', 'trigger', 'outcome', 'code'],
    must: ['trigger'],
  },
  'studio.render.launch': { may: ['generation.id', 'outcome', 'code'], must: ['outcome'] },
  'studio.render.callback': { may: ['generation.id', 'outcome', 'code'], must: ['outcome'] },
  'studio.sweep': { may: ['settled', 'reconciled', 'errors', 'outcome'], must: [] },
  'studio.retention': { may: ['settled', 'errors', 'outcome'], must: [] },
};

const lines: Record<string, unknown>[] = [];

/** A connection on which these statements fail. */
function failing(sql: Sql, names: string[]): Sql {
  const guard = (name: string) => {
    if (names.includes(name)) throw new Error(`${name} fails`);
  };
  return {
    async rows(name, text, params) {
      guard(name);
      return sql.rows(name, text, params);
    },
    transaction: (work) =>
      sql.transaction((tx) =>
        work({
          async rows(name, text, params) {
            guard(name);
            return tx.rows(name, text, params);
          },
        }),
      ),
  };
}

const broken = (scene: StudioScene, names: string[]) => ({
  ...scene.ctx,
  sql: failing(scene.ctx.sql, names),
});
const sweep = (scene: StudioScene) =>
  sweepGenerations({ ...scene.ctx, actor: { type: 'system', job: 'generations-sweep' } });

/** Debits and closings that cannot be written, costs that disagree, files that are paid and lost. */
async function driveImages(): Promise<void> {
  const pending = await studioScene(world);
  await submitGeneration(broken(pending, ['ledger.close']), { request: request(IMAGE) });
  pending.clock.advance(16 * MINUTE);
  await sweep(pending);
  const unclosed = await studioScene(world);
  await submitGeneration(broken(unclosed, ['studio.close', 'studio.defer']), { request: request(IMAGE) });
  unclosed.clock.advance(16 * MINUTE);
  await sweep(unclosed);
  const divergent = await studioScene(world, { scenario: 'cost-divergence' });
  await submitGeneration(divergent.ctx, { request: request(IMAGE) });
  const unsafe = await studioScene(world, { scenario: 'unsafe-svg' });
  await submitGeneration(unsafe.ctx, { request: request({ kind: 'vector', brief: 'Une feuille' }) });
  lines.push(...pending.lines, ...unclosed.lines);
}

async function driveJobs(): Promise<void> {
  const scene = await studioScene(world);
  const first = await submitGeneration(scene.ctx, { request: request(VIDEO) });
  await submitGeneration(broken(scene, ['studio.submitted']), { request: request(VIDEO) });
  scene.clock.advance(MINUTE);
  await getGeneration(scene.ctx, { generationId: first.row.id });
  const template = findTemplate('quote-card');
  if (!template) throw new Error('quote-card is gone');
  const fields = { ...exampleFields(template) };
  const body = { kind: 'render', template: template.id, size: template.sizes[0]?.id, fields };
  const launch = async () => (await submitGeneration(scene.ctx, { request: request(body) })).row;
  const publish = (id: string) =>
    scene.store.put(`generations/${id}/carte.png`, PIXEL, { contentType: 'image/png' });
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
  await world.pool.query(
    `BEGIN; ALTER TABLE "LedgerLine" DISABLE TRIGGER "LedgerLine_append_only";
     DELETE FROM "LedgerLine" WHERE "generationId" = '${unreserved.id}';
     ALTER TABLE "LedgerLine" ENABLE TRIGGER "LedgerLine_append_only"; COMMIT`,
  );
  const { workflowRunId = '' } = unreserved.params;
  const files = [{ pathname: `generations/${unreserved.id}/carte.png` }];
  await handleRenderCallback(scene.ctx, {
    generationId: unreserved.id,
    runId: workflowRunId,
    status: 'success',
    files,
    durationMs: 1,
  });
  await sweep(scene);
  lines.push(...scene.lines);
}

async function driveFiles(): Promise<void> {
  const scene = await filesScene(world);
  await addAsset(scene, { ageDays: 40 });
  await addUpload(scene, { ageDays: 40 });
  const lost = await addAsset(scene);
  const { delete: remove } = scene.store;
  scene.store.delete = () => Promise.reject(new Error('503'));
  await deleteRender(scene.ctx, { generationId: lost.generationId ?? '' });
  scene.store.delete = remove;
  await runRetention(scene.cron);
  const face = await addAsset(scene);
  const avatar = await saveAvatar(scene.ctx, { assetId: face.id, name: 'Camille' });
  await forgetAvatar(scene.ctx, { avatarId: avatar.id });
  await uploadImage(scene.ctx, { productId: 'libre', bytes: PIXEL });
  await putOld(scene, 'products/ancien/logo.png', PIXEL, new Date(scene.clock.now().getTime() - DAY_MS));
  await addAsset(scene, { productId: 'ancien' });
  await purgeProductBlobs(scene.ctx, 'ancien');
  lines.push(...scene.lines);
}

/** What is refused at the doors, as the process's own log tells it. */
async function driveRefusals(): Promise<void> {
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
  const ctx = testContext(world, { type: 'anonymous' }, { clock: systemClock, lines: lines as never });
  const guess = { email: 'personne@exemple.test', code: '000000', userAgent: '', network: '' };
  await verifySignInCode(ctx, guess, { secret: 'secret-of-the-test-0123456789-0123' }).catch(() => undefined);
}

beforeAll(async () => {
  await driveImages();
  await driveJobs();
  await driveFiles();
  await driveRefusals();
}, 120_000);
afterAll(() => void vi.restoreAllMocks());

describe('what the specification lists', () => {
  it.each(Object.entries(AUDIT_ACTIONS))(
    'the audit action %s is written, with %j',
    async (action, fields) => {
      const entries = await world.db.auditEntry.findMany({ where: { action } });
      expect(entries.length).toBeGreaterThan(0);
      for (const { data } of entries) for (const field of fields) expect(data).toHaveProperty([field]);
    },
  );

  it('reconciliations say what they were made from: the settle line, the pending cost', async () => {
    const entries = await world.db.auditEntry.findMany({ where: { action: 'generation.reconciled' } });
    const origins = new Set(entries.map(({ data }) => (data as { from?: string }).from));
    expect([...origins].sort()).toEqual(expect.arrayContaining(['pending-cost', 'settle-line']));
  });

  it.each(LOG_EVENTS)('the log event %s is one JSON line with traceId and spanId', (event) => {
    const found = lines.filter((line) => line.event === event);
    expect(found.length).toBeGreaterThan(0);
    for (const line of found) {
      expect(line).toHaveProperty('traceId');
      expect(line).toHaveProperty('spanId');
    }
  });

  it.each(Object.entries(SPANS))(
    'the span %s is left, ended, with its own attributes and no other',
    (name, { may, must }) => {
      const found = spans.filter((span) => span.name === name);
      expect(found.length).toBeGreaterThan(0);
      for (const span of found) {
        const attributes = Object.keys(span.attributes).map((key) => key.replace(/^studio\./, ''));
        expect(span.ended).toBe(true);
        expect(attributes.filter((one) => !may.includes(one))).toEqual([]);
        expect(attributes).toEqual(expect.arrayContaining(must));
      }
    },
  );

  it('every span of a provider call is named after a capability, and no span is left unlisted', () => {
    const unlisted = spans.filter(({ name }) => !SPANS[name] && !/^studio\.provider\.[a-z.]+$/.test(name));
    expect(unlisted.map(({ name }) => name)).toEqual([]);
  });
});
