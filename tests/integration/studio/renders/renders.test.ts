import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { DEMO_ACCOUNT_ID } from '#lib/products/registry.ts';
import type { Scenario } from '#lib/providers/fixtures/scenarios.ts';
import type { RenderReport } from '#lib/studio/jobs/render-outcome.ts';
import { getGeneration } from '#lib/studio/journal/get-generation.ts';
import { relaunchGeneration } from '#lib/studio/journal/relaunch-generation.ts';
import { relaunchMicros } from '#lib/studio/journal/relaunch-price.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { sweepGenerations } from '#lib/studio/sweep/sweep-generations.ts';
import { exampleFields, findTemplate, renderFileNames } from '#lib/studio/templates/registry.ts';
import { handleRenderCallback } from '#lib/studio/webhooks/handle-render-callback.ts';
import { makeMember, makeSpace, memberActor } from '#tests/factories/account.ts';
import { blankPng, QUOTE_CARD } from '#tests/factories/files/rendered-files.ts';
import { bookFaults, giveCredit } from '#tests/factories/ledger.ts';
import { broken } from '#tests/factories/statements/broken-statements.ts';
import { request, type StudioScene, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 20 });
const MINUTE = 60_000;
const template = findTemplate('quote-card');
if (!template) throw new Error('quote-card is gone');
const BODY = {
  kind: 'render',
  template: template.id,
  size: template.sizes[0]?.id,
  fields: exampleFields(template),
};
const sweep = (scene: StudioScene) =>
  sweepGenerations({ ...scene.ctx, actor: { type: 'system', job: 'generations-sweep' } });
const audits = async (subjectId: string) =>
  (await service.db.auditEntry.findMany({ where: { subjectId }, orderBy: { id: 'asc' } })).map(
    ({ action, data }) => ({
      action,
      data,
    }),
  );

/** The first bytes of a JPEG: what says its type and size. */
function jpeg(width: number, height: number): Uint8Array {
  const size = [height >> 8, height & 255, width >> 8, width & 255];
  return new Uint8Array([
    0xff,
    0xd8,
    0xff,
    0xe0,
    0,
    16,
    0x4a,
    0x46,
    0x49,
    0x46,
    0,
    1,
    1,
    0,
    0,
    1,
    0,
    1,
    0,
    0,
    0xff,
    0xc0,
    0,
    17,
    8,
    ...size,
    3,
    1,
    0x22,
    0,
    2,
    0x11,
    1,
    3,
    0x11,
    1,
    0xff,
    0xd9,
  ]);
}

async function launched(options: { scenario?: Scenario } = {}) {
  const scene = await studioScene(service, options);
  const { row } = await submitGeneration(scene.ctx, { request: request(BODY) });
  const folder = `generations/${row.id}/`;
  const report = (over: Partial<RenderReport> = {}): RenderReport => ({
    generationId: row.id,
    runId: row.params.workflowRunId ?? '',
    status: 'success',
    files: [{ pathname: `${folder}${QUOTE_CARD.name}` }],
    durationMs: 90_000,
    ...over,
  });
  const publish = (name = QUOTE_CARD.name, bytes = QUOTE_CARD.bytes) =>
    scene.store.put(`${folder}${name}`, bytes, { contentType: 'image/png' });
  const view = () => getGeneration(scene.ctx, { generationId: row.id });
  scene.clock.advance(3 * MINUTE);
  return { scene, row, folder, report, publish, view };
}

describe('the callback of a render', () => {
  it('is debited at the rate of its request, whatever a minute costs by now', async () => {
    const { scene, row, report, publish, view } = await launched();
    await service.pool.query(
      `UPDATE "Generation" SET "params" = jsonb_set("params", '{pricing,perMinuteMicros}', '"3000"') WHERE "id" = $1`,
      [row.id],
    );
    await publish();
    await handleRenderCallback(scene.ctx, report());
    expect(await view()).toMatchObject({ status: 'done', costUsd: 0.006 });
  });

  it('delivers what lies in the row’s folder, at real begun minutes and flat rate', async () => {
    const { scene, report, publish, view } = await launched();
    await publish();
    expect(await handleRenderCallback(scene.ctx, report())).toEqual({
      result: 'done',
      status: 'done',
      agrees: true,
    });
    expect(await view()).toMatchObject({
      status: 'done',
      closedBy: 'callback',
      costUsd: 0.02,
      params: { runMinutes: 2 },
      files: [{ contentType: 'image/png', width: 1080, height: 1080 }],
    });
  });

  it('never bills more minutes than passed since the launch', async () => {
    const { scene, report, publish, view } = await launched();
    await publish();
    await handleRenderCallback(scene.ctx, report({ durationMs: 50 * MINUTE }));
    expect((await view()).params.runMinutes).toBe(3);
  });

  it.each<[string, Partial<RenderReport>]>([
    ['run failed', { status: 'failure', errorCode: 'draw-failed' }],
    ['published outside its folder', { files: [{ pathname: 'generations/gen_other/x.png' }] }],
    ['published outside its folder', { files: [{ pathname: 'FOLDER../x.png' }] }],
    ['published outside its folder', { files: [{ pathname: 'FOLDER%2e%2e%2fx.png' }] }],
    ['published outside its folder', { files: [{ pathname: 'FOLDERa/b.png' }] }],
    ['manifest too long', { files: Array.from({ length: 10_000 }, () => ({ pathname: 'FOLDERx.png' })) }],
    ['not there', { files: [{ pathname: 'FOLDERghost.png' }] }],
    ['not there', { files: [] }],
  ])('fails (%s), refunds, and deletes the row’s files at once', async (reason, over) => {
    const { scene, row, folder, report, publish, view } = await launched();
    await publish();
    const files = over.files?.map(({ pathname }) => ({ pathname: pathname.replace('FOLDER', folder) }));
    const verdict = await handleRenderCallback(scene.ctx, report({ ...over, ...(files ? { files } : {}) }));
    expect(verdict).toMatchObject({ result: 'failed', status: 'failed' });
    expect(await view()).toMatchObject({
      status: 'failed',
      charge: 'refunded',
      files: [],
      canRelaunch: true,
    });
    expect([...scene.store.files.keys()].filter((name) => name.startsWith(folder))).toEqual([]);
    const discarded = (await audits(row.id)).find(({ action }) => action === 'generation.files_discarded');
    expect(discarded?.data).toMatchObject({
      by: 'render-callback',
      pathnames: [`${folder}${QUOTE_CARD.name}`],
    });
    expect(JSON.stringify(discarded?.data)).toContain(reason);
  });

  it('fails when nothing was published, and when what was published is no image', async () => {
    const empty = await launched();
    expect(await handleRenderCallback(empty.scene.ctx, empty.report())).toMatchObject({ result: 'failed' });
    const unpublished = await empty.view();
    expect(unpublished).toMatchObject({ status: 'failed', charge: 'refunded' });
    expect(unpublished.message).toContain('n’a rien publié');
    const lying = await launched();
    await lying.publish(QUOTE_CARD.name, new TextEncoder().encode('<script>alert(1)</script>'));
    expect(await handleRenderCallback(lying.scene.ctx, lying.report())).toMatchObject({ result: 'failed' });
  });

  const digest = createHash('sha256').update(QUOTE_CARD.bytes).digest('hex');
  const truth = { sha256: digest, bytes: QUOTE_CARD.bytes.byteLength, contentType: 'image/png' };

  it('delivers a manifest that tells the truth about the stored bytes', async () => {
    const { scene, folder, report, publish } = await launched();
    await publish();
    const files = [{ pathname: `${folder}${QUOTE_CARD.name}`, ...truth }];
    expect(await handleRenderCallback(scene.ctx, report({ files }))).toMatchObject({ result: 'done' });
  });

  it.each<[string, Uint8Array, Partial<typeof truth>, string?]>([
    ['another digest', QUOTE_CARD.bytes, { sha256: 'f'.repeat(64) }],
    ['no digest at all', QUOTE_CARD.bytes, { sha256: 'none' }],
    ['another size in bytes', QUOTE_CARD.bytes, { bytes: 12 }],
    ['another type', QUOTE_CARD.bytes, { contentType: 'image/webp' }],
    ['8 × 8 pixels for 1080 × 1080', blankPng(8, 8), {}],
    ['the format upside down', blankPng(1080, 1350), {}],
    ['a JPEG under the name of a PNG', jpeg(1080, 1080), {}],
    ['a file that nobody asked for', QUOTE_CARD.bytes, {}, 'bonus.png'],
  ])(
    'that is not what was asked (%s) fails, refunds, and deletes what was published',
    async (_, bytes, claim, extra) => {
      const { scene, folder, report, publish, view } = await launched();
      await publish(QUOTE_CARD.name, bytes);
      if (extra) await publish(extra);
      const claimed = Object.keys(claim).length > 0 ? { ...truth, ...claim } : {};
      const files = [{ pathname: `${folder}${QUOTE_CARD.name}`, ...claimed }];
      expect(await handleRenderCallback(scene.ctx, report({ files }))).toMatchObject({ result: 'failed' });
      expect(await view()).toMatchObject({ status: 'failed', charge: 'refunded', files: [], costUsd: null });
      expect([...scene.store.files.keys()].filter((name) => name.startsWith(folder))).toEqual([]);
      expect(await bookFaults(service)).toEqual([]);
    },
  );

  it('delivers what its manifest names and the store lists late: of that, the store is asked by name', async () => {
    const { scene, report, publish, view } = await launched();
    await publish();
    const late = scene.with({ store: { ...scene.store, list: async () => ({ files: [] }) } });
    expect(await handleRenderCallback(late, report())).toMatchObject({ result: 'done', agrees: true });
    expect(await view()).toMatchObject({ status: 'done', files: [{ width: 1080, height: 1080 }] });
  });

  it('of a carousel with a page missing fails: every page was asked', async () => {
    const carousel = findTemplate('carousel');
    if (!carousel) throw new Error('carousel is gone');
    const scene = await studioScene(service);
    const size = carousel.sizes[0] as (typeof carousel.sizes)[number];
    const fields = exampleFields(carousel);
    const asked = { kind: 'render', template: carousel.id, size: size.id, fields };
    const { row } = await submitGeneration(scene.ctx, { request: request(asked) });
    const names = renderFileNames(carousel, fields, size);
    expect(names.length).toBeGreaterThan(1);
    const png = blankPng(size.width, size.height);
    const put = (name: string) =>
      scene.store.put(`generations/${row.id}/${name}`, png, { contentType: 'image/png' });
    for (const name of names.slice(1)) await put(name);
    const files = names.slice(1).map((name) => ({ pathname: `generations/${row.id}/${name}` }));
    const report = { generationId: row.id, runId: row.params.workflowRunId ?? '', durationMs: 1 };
    expect(await handleRenderCallback(scene.ctx, { ...report, status: 'success', files })).toMatchObject({
      result: 'failed',
    });
    expect(await getGeneration(scene.ctx, { generationId: row.id })).toMatchObject({ charge: 'refunded' });
  });

  it('of another run or row is refused; the first valid verdict wins and the other is told', async () => {
    const { scene, report, publish, row } = await launched();
    await publish();
    expect(await handleRenderCallback(scene.ctx, report({ runId: '999' }))).toEqual({
      result: 'rejected',
      reason: 'foreign-run',
    });
    expect(await handleRenderCallback(scene.ctx, report({ generationId: 'gen_nobody' }))).toMatchObject({
      result: 'rejected',
    });
    const verdicts = await Promise.all([
      handleRenderCallback(scene.ctx, report()),
      handleRenderCallback(scene.ctx, report()),
      handleRenderCallback(scene.ctx, report({ status: 'failure' })),
    ]);
    const winners = verdicts.filter(({ result }) => result === 'done' || result === 'failed');
    expect(winners).toHaveLength(1);
    const won = winners[0]?.result === 'done';
    expect(verdicts.filter((verdict) => 'agrees' in verdict && !verdict.agrees).length).toBe(won ? 1 : 2);
    expect(await service.db.ledgerLine.count({ where: { generationId: row.id } })).toBe(2);
    expect(scene.store.files.has(`generations/${row.id}/${QUOTE_CARD.name}`)).toBe(won);
    expect(await bookFaults(service)).toEqual([]);
  });

  it('that comes before the launch has recorded its run is asked to come again, then adopted', async () => {
    const scene = await studioScene(service);
    const forgetful = broken(service, scene, ['studio.submitted']);
    const { row } = await submitGeneration(forgetful, { request: request(BODY) });
    expect((await audits(row.id))[0]).toMatchObject({
      action: 'generation.submit_pending',
      data: { workflowRunId: expect.any(String) },
    });
    const pathname = `generations/${row.id}/${QUOTE_CARD.name}`;
    await scene.store.put(pathname, QUOTE_CARD.bytes, { contentType: 'image/png' });
    const report: RenderReport = {
      generationId: row.id,
      runId: '7',
      status: 'success',
      files: [{ pathname }],
      durationMs: 1,
    };
    expect(await handleRenderCallback(scene.ctx, report)).toEqual({ result: 'retry' });
    scene.clock.advance(MINUTE);
    expect(await handleRenderCallback(scene.ctx, report)).toMatchObject({ result: 'done' });
  });

  it('of a row without a reserve delivers, debits nothing, and says so in the audit', async () => {
    const { scene, row, report, publish, view } = await launched();
    await publish();
    await service.pool.query(
      `BEGIN; ALTER TABLE "LedgerLine" DISABLE TRIGGER "LedgerLine_append_only";
       UPDATE "Wallet" SET "heldMicros" = 0 WHERE "memberId" = '${scene.owner.memberId}';
       DELETE FROM "LedgerLine" WHERE "generationId" = '${row.id}';
       ALTER TABLE "LedgerLine" ENABLE TRIGGER "LedgerLine_append_only"; COMMIT`,
    );
    expect(await handleRenderCallback(scene.ctx, report())).toMatchObject({ result: 'done' });
    expect(await view()).toMatchObject({ status: 'done', costUsd: null, charge: 'none' });
    expect((await audits(row.id)).map(({ action }) => action)).toContain('generation.charge_missing');
  });
});

it('a run that says it failed once its files were debited takes none of them back', async () => {
  const { scene, row, report, publish, view, folder } = await launched();
  await publish();
  await handleRenderCallback(broken(service, scene, ['studio.close', 'studio.defer']), report());
  await handleRenderCallback(scene.ctx, report({ status: 'failure', errorCode: 'draw-failed' }));
  expect(await view()).toMatchObject({ status: 'done', charge: 'settled', closedBy: 'callback' });
  expect(scene.store.files.has(`${folder}${QUOTE_CARD.name}`)).toBe(true);
  const lines = await service.db.ledgerLine.findMany({ where: { generationId: row.id } });
  expect(lines.map(({ kind }) => kind).sort()).toEqual(['RESERVE', 'SETTLE']);
});

describe('a render that never calls back', () => {
  it('is closed 100 minutes after its dispatch, refunded, and a published file is said so', async () => {
    const { scene, publish, view, report } = await launched();
    await publish();
    scene.clock.advance(97 * MINUTE - 1);
    await sweep(scene);
    expect((await view()).status).toBe('running');
    scene.clock.advance(5 * MINUTE);
    const waiting = await view();
    expect(waiting).toMatchObject({ status: 'no-callback', charge: 'open' });
    expect(waiting.message).toContain('sera remboursé');
    expect(await sweep(scene)).toMatchObject({ reconciled: 1 });
    const closed = await view();
    expect(closed).toMatchObject({
      status: 'no-callback',
      label: 'Sans retour',
      charge: 'refunded',
      canRelaunch: true,
    });
    expect(closed.message).toContain('Un fichier a pourtant été publié');
    expect(await handleRenderCallback(scene.ctx, report())).toEqual({
      result: 'decided',
      status: 'no-callback',
      agrees: false,
    });
  });

  it('has its 100 minutes from its dispatch, not from the request that waited for it', async () => {
    const scene = await studioScene(service);
    const { providers } = scene.ctx.studio;
    const dispatch: typeof providers.render.dispatch = (...asked) => {
      scene.clock.advance(2 * MINUTE);
      return providers.render.dispatch(...asked);
    };
    const ctx = scene.with({ providers: { ...providers, render: { ...providers.render, dispatch } } });
    const { row } = await submitGeneration(ctx, { request: request(BODY) });
    const view = () => getGeneration(scene.ctx, { generationId: row.id });
    scene.clock.advance(100 * MINUTE - 1);
    expect((await view()).status).toBe('running');
    scene.clock.advance(1);
    expect((await view()).status).toBe('no-callback');
  });

  it.each<[Scenario, string]>([
    ['blackout', 'quota'],
    ['run-failed', 'failed'],
  ])('« %s » is found by the sweep, shown %s and refunded', async (scenario, status) => {
    const { scene, view } = await launched({ scenario });
    scene.clock.advance(3 * MINUTE);
    await sweep(scene);
    expect(await view()).toMatchObject({ status, charge: 'refunded', closedBy: 'sweep' });
  });

  it('can be relaunched as a new row that names its origin; the old row does not change', async () => {
    const { scene, row, view } = await launched({ scenario: 'blackout' });
    await expect(relaunchGeneration(scene.ctx, { generationId: row.id })).rejects.toMatchObject({
      code: 'conflict',
    });
    scene.clock.advance(3 * MINUTE);
    await sweep(scene);
    const before = await view();
    const again = await relaunchGeneration(scene.ctx, { generationId: row.id });
    expect(again.row).toMatchObject({ relaunchOfId: row.id, state: 'SUBMITTED', kind: 'RENDER' });
    // What its button says before the press.
    expect(again.row.heldMicros).toBe(relaunchMicros());
    expect(again.row.params.request).toEqual(row.params.request);
    expect(await view()).toEqual(before);
  });
});

describe('a render request', () => {
  it('is refused before any row when the copy breaks a rule, and when no runner is configured', async () => {
    const scene = await studioScene(service);
    const key = Object.keys(BODY.fields)[0] as string;
    const body = request({
      ...BODY,
      fields: { ...BODY.fields, [key]: '  Une phrase — avec un tiret long 🎉' },
    });
    await expect(submitGeneration(scene.ctx, { request: body })).rejects.toMatchObject({
      code: 'invalid',
      options: {
        detail: 'copy',
        // Where it stands in what was typed, the spaces before it too.
        problems: expect.arrayContaining([expect.objectContaining({ field: key, excerpt: '—', start: 13 })]),
      },
    });
    const bare = scene.with({ config: { ...scene.ctx.studio.config, rendersConfigured: false } });
    await expect(submitGeneration(bare, { request: request(BODY) })).rejects.toMatchObject({
      code: 'not_configured',
    });
    expect(await service.db.generation.count({ where: { memberId: scene.owner.memberId } })).toBe(0);
  });

  it('of a product that declares facts has a number beside the id of one of them, and none without', async () => {
    const scene = await studioScene(service);
    const now = scene.clock.now();
    await service.db.account.create({
      data: { id: DEMO_ACCOUNT_ID, name: 'Maison Lumen', capacityCu: 100, createdAt: now, updatedAt: now },
    });
    const member = await makeMember(service, DEMO_ACCOUNT_ID, { now });
    const ctx = { ...scene.ctx, actor: memberActor(member) };
    await giveCredit(ctx, member.id, 1_000_000n);
    // The Space that the product of the registry names.
    const space = await makeSpace(service, DEMO_ACCOUNT_ID, { name: 'Maison Lumen', now });
    await addMemory(ctx, {
      spaceId: space.id,
      pillar: 'KNOWLEDGE',
      kind: 'FACT',
      title: 'F12 Durée',
      body: 'Huit heures.',
      parentId: null,
      source: 'MANUAL',
      idempotencyKey: null,
    });
    const ask = (quote: string) => {
      const fields = { ...BODY.fields, quote };
      return submitGeneration(ctx, { request: request({ ...BODY, productId: 'lumen-bougies', fields }) });
    };
    await expect(ask('Elle dure 8 heures.')).rejects.toMatchObject({
      code: 'invalid',
      options: { detail: 'copy', problems: [{ field: 'quote', rule: 'fact', excerpt: '8' }] },
    });
    expect((await ask('Elle dure 8 heures (F12).')).outcome).toBe('running');
  });
});
