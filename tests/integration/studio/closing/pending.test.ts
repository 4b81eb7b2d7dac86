import { beforeEach, describe, expect, it } from 'vitest';
import { signGatewayBody } from '#lib/providers/gateway/signature.ts';
import type { StudioContext } from '#lib/studio/context.ts';
import { readRow } from '#lib/studio/generation/find-generation.ts';
import { getGeneration } from '#lib/studio/journal/get-generation.ts';
import { advanceGeneration } from '#lib/studio/lifecycle/advance-generation.ts';
import type { Event } from '#lib/studio/lifecycle/decide.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { claimDue } from '#lib/studio/sweep/claim-due.ts';
import { sweepGenerations } from '#lib/studio/sweep/sweep-generations.ts';
import { acceptVideoWebhook } from '#lib/studio/webhooks/accept-video-webhook.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import { broken } from '#tests/factories/statements/broken-statements.ts';
import { claimedMeanwhile } from '#tests/factories/statements/claimed-meanwhile.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { IMAGE, request, type StudioScene, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';
import { until } from '#tests/setup/until.ts';

const service = useTestService({ poolMax: 20 });
const MINUTE = 60_000;
const asSystem = (ctx: StudioContext) => ({
  ...ctx,
  actor: { type: 'system', job: 'generations-sweep' } as const,
});
const audits = async (subjectId: string) =>
  (await service.db.auditEntry.findMany({ where: { subjectId }, orderBy: { id: 'asc' } })).map(
    ({ action, data }) => ({
      action,
      data,
    }),
  );

const VIDEO = request({ kind: 'video', case: 'veo', brief: 'Une flamme', durationSeconds: 4 });

async function sweepAt(scene: StudioScene, minutes: number) {
  scene.clock.advance(minutes * MINUTE);
  return sweepGenerations(asSystem(scene.ctx));
}

describe('a debit that cannot be written', () => {
  it('leaves the member the file, says so, and is settled at the measured cost after 15 minutes', async () => {
    const scene = await studioScene(service);
    const { row, outcome } = await submitGeneration(broken(service, scene, ['ledger.close']), {
      request: request(IMAGE),
    });
    expect(outcome).toBe('delivered');
    expect(row).toMatchObject({ state: 'SUBMITTED', chargePending: true, costMicros: null });
    const view = await getGeneration(scene.ctx, { generationId: row.id });
    expect(view).toMatchObject({ status: 'done', chargePending: true, charge: 'open' });
    expect(view.message).toContain('Le débit n’a pas encore pu être inscrit');
    expect(view.files).toHaveLength(1);
    expect(view.params.pendingCostMicros).toBe(30_000);
    expect((await audits(row.id)).map(({ action }) => action)).toEqual(['generation.settle_pending']);

    expect(await sweepAt(scene, 14)).toMatchObject({ settled: 0 });
    expect(await sweepAt(scene, 1)).toMatchObject({ settled: 1, errors: 0 });
    const after = await getGeneration(scene.ctx, { generationId: row.id });
    expect(after).toMatchObject({
      status: 'done',
      chargePending: false,
      costUsd: 0.03,
      closedBy: 'sweep',
      message: null,
    });
    expect((await audits(row.id)).at(-1)).toEqual({
      action: 'generation.reconciled',
      data: { from: 'pending-cost', costMicros: '30000' },
    });
    expect(await bookFaults(service)).toEqual([]);
  });

  it('keeps what the gateway said: its id on the row, and its divergence from the formula audited once', async () => {
    const scene = await studioScene(service, { scenario: 'cost-divergence' });
    const { row } = await submitGeneration(broken(service, scene, ['ledger.close']), {
      request: request(IMAGE),
    });
    expect(row).toMatchObject({
      chargePending: true,
      gatewayGenerationId: expect.stringMatching(/^gen_/),
    });
    expect(await sweepAt(scene, 15)).toMatchObject({ settled: 1, errors: 0 });
    const kept = await service.db.generation.findUniqueOrThrow({ where: { id: row.id } });
    expect(kept).toMatchObject({ state: 'COMPLETED', gatewayGenerationId: row.gatewayGenerationId });
    const told = (await audits(row.id)).filter(({ action }) => action === 'generation.cost_divergence');
    expect(told).toEqual([
      {
        action: 'generation.cost_divergence',
        data: {
          gatewayCostUsd: 0.045,
          formulaCostUsd: 0.03,
          gatewayGenerationId: row.gatewayGenerationId,
        },
      },
    ]);
  });

  it('that is written while the row is not is reconciled at the amount of its line, never refunded', async () => {
    const scene = await studioScene(service, { scenario: 'cost-divergence' });
    const ctx = broken(service, scene, ['studio.close', 'studio.defer']);
    const { row } = await submitGeneration(ctx, { request: request(IMAGE) });
    expect((await audits(row.id)).map(({ action }) => action)).toEqual([
      'generation.close_pending',
      'generation.cost_divergence',
    ]);
    expect(await service.db.generation.findUnique({ where: { id: row.id } })).toMatchObject({
      state: 'STARTING',
    });
    expect(await sweepAt(scene, 15)).toMatchObject({ reconciled: 1, settled: 0, errors: 0 });
    const view = await getGeneration(scene.ctx, { generationId: row.id });
    expect(view).toMatchObject({ status: 'done', costUsd: 0.045, charge: 'settled' });
    expect(view.files[0]?.pathname).toContain(row.id);
    expect((await audits(row.id)).at(-1)).toEqual({
      action: 'generation.reconciled',
      data: { from: 'settle-line', costMicros: '45000' },
    });
    expect(await bookFaults(service)).toEqual([]);
  });

  it('whose row was written after all, while its answers were lost, has its divergence told once', async () => {
    const scene = await studioScene(service, { scenario: 'cost-divergence' });
    let isDeferred = false;
    let isReadLost = false;
    const kysely = interceptedQueries(service.connection.pool, {
      before({ label }) {
        if (label === 'studio.close') throw new Error('studio.close fails');
        if (label !== 'studio.row' || !isDeferred || isReadLost) return;
        isReadLost = true;
        throw new Error('connection lost before the row was read');
      },
      after({ label }) {
        if (label !== 'studio.defer') return;
        isDeferred = true;
        throw new Error('connection lost after the row was written');
      },
    });
    const { row } = await submitGeneration({ ...scene.ctx, kysely }, { request: request(IMAGE) });
    expect(isReadLost).toBe(true);
    expect((await audits(row.id)).map(({ action }) => action).toSorted()).toEqual([
      'generation.close_pending',
      'generation.cost_divergence',
      'generation.settle_pending',
    ]);
    await sweepAt(scene, 15);
    const view = await getGeneration(scene.ctx, { generationId: row.id });
    expect(view).toMatchObject({ status: 'done', costUsd: 0.045, charge: 'settled', chargePending: false });
    expect(await bookFaults(service)).toEqual([]);
  });

  it('that another closer wrote alone is not waited for, nor is its divergence told again', async () => {
    const scene = await studioScene(service, { scenario: 'cost-divergence' });
    const { row } = await submitGeneration(scene.ctx, { request: VIDEO });
    scene.clock.advance(MINUTE);
    await getGeneration(broken(service, scene, ['studio.close', 'studio.defer']), { generationId: row.id });
    const debited = await readRow(scene.ctx, row.id);
    if (!debited) throw new Error('the row is gone');
    scene.clock.advance(1_000);
    const cut = broken(service, scene, ['studio.close']);
    await advanceGeneration(cut, debited, { type: 'visit' }, 'webhook');
    expect((await audits(row.id)).map(({ action }) => action).toSorted()).toEqual([
      'generation.close_pending',
      'generation.cost_divergence',
    ]);
    expect(await readRow(scene.ctx, row.id)).toMatchObject({ state: 'SUBMITTED', chargePending: false });
    await sweepAt(scene, 15);
    const view = await getGeneration(scene.ctx, { generationId: row.id });
    expect(view).toMatchObject({ status: 'done', charge: 'settled', chargePending: false });
    expect(await bookFaults(service)).toEqual([]);
  });

  it('whose row could not be written either is settled at its estimate, from the file that the store holds', async () => {
    const scene = await studioScene(service);
    const ctx = broken(service, scene, ['studio.close', 'studio.defer', 'ledger.close']);
    await expect(submitGeneration(ctx, { request: request(IMAGE) })).rejects.toThrow(/studio.close fails/);
    const row = await service.db.generation.findFirstOrThrow({ where: { memberId: scene.owner.memberId } });
    expect(await sweepAt(scene, 15)).toMatchObject({ settled: 1 });
    const view = await getGeneration(scene.ctx, { generationId: row.id });
    expect(view).toMatchObject({ status: 'done', costUsd: view.heldUsd, params: { costSource: 'estimate' } });
    expect((await audits(row.id)).at(-1)?.data).toMatchObject({ from: 'estimate' });
    expect(await bookFaults(service)).toEqual([]);
  });

  it('of a row that the sweep has refunded is not told as written, nor its file as delivered', async () => {
    const scene = await studioScene(service);
    const cut = broken(service, scene, ['studio.close', 'studio.defer', 'studio.row']);
    const { providers } = scene.ctx.studio;
    const generate: typeof providers.image.generate = async (...asked) => {
      const answer = await providers.image.generate(...asked);
      expect(await sweepAt(scene, 15)).toMatchObject({ reconciled: 1 });
      return answer;
    };
    const ctx = { ...cut, studio: { ...cut.studio, providers: { ...providers, image: { generate } } } };
    await expect(submitGeneration(ctx, { request: request(IMAGE) })).rejects.toThrow(/studio.close fails/);
    const row = await service.db.generation.findFirstOrThrow({ where: { memberId: scene.owner.memberId } });
    expect(row).toMatchObject({ state: 'FAILED', closedBy: 'sweep', costMicros: null });
    expect((await audits(row.id)).map(({ action }) => action)).toEqual(['generation.failed']);
    expect(await bookFaults(service)).toEqual([]);
  });

  it('whose commit was done but never confirmed is found done, not done again', async () => {
    const scene = await studioScene(service);
    let lost = false;
    const kysely = interceptedQueries(service.connection.pool, {
      after({ label }) {
        if (label !== 'commit' || lost) return;
        lost = true;
        throw new Error('connection lost after the commit');
      },
    });
    const ctx = { ...scene.ctx, kysely };
    const { row } = await submitGeneration(ctx, { request: request(IMAGE) });
    expect(row).toMatchObject({ state: 'COMPLETED', chargePending: false });
    expect(await service.db.ledgerLine.count({ where: { generationId: row.id } })).toBe(2);
  });
});

describe('a closing that was lost', () => {
  it('while another closed the row is not taken for that one: the end, the late look and the loss are told once', async () => {
    const scene = await studioScene(service);
    const { row } = await submitGeneration(scene.ctx, { request: VIDEO });
    scene.clock.advance(121 * MINUTE);
    const late = await readRow(scene.ctx, row.id);
    if (!late) throw new Error('the row is gone');
    const kysely = interceptedQueries(service.connection.pool, {
      async before({ label }) {
        if (label !== 'studio.close') return;
        await advanceGeneration(scene.ctx, late, { type: 'visit' }, 'read');
        throw new Error('connection lost before the row was closed');
      },
    });
    const lost = await advanceGeneration({ ...scene.ctx, kysely }, late, { type: 'visit' }, 'webhook');
    expect(lost).toMatchObject({ result: 'closed-by-another', row: { state: 'FAILED', closedBy: 'read' } });
    expect((await audits(row.id)).map(({ action }) => action).toSorted()).toEqual([
      'generation.failed',
      'generation.late_look',
      'generation.paid_not_delivered',
    ]);
    expect(await bookFaults(service)).toEqual([]);
  });
});

describe('a row whose debit is pending', () => {
  const VEO = { kind: 'video', case: 'veo', brief: 'Une flamme', durationSeconds: 4 };

  /** A delivered video whose debit could not be written, and a provider that now says it failed. */
  async function delivered() {
    const scene = await studioScene(service);
    const { row } = await submitGeneration(scene.ctx, { request: request(VEO) });
    scene.clock.advance(MINUTE);
    const before = await readRow(scene.ctx, row.id);
    await getGeneration(broken(service, scene, ['ledger.close']), { generationId: row.id });
    const pending = await readRow(scene.ctx, row.id);
    if (!before || !pending) throw new Error('the row is gone');
    expect(pending).toMatchObject({ state: 'SUBMITTED', chargePending: true, artifacts: [{}] });
    return { scene, before, pending };
  }
  const failure: Event = { type: 'outcome', outcome: { result: 'failed', code: 'provider-failure' } };

  it('is closed for a video’s webhook, whatever it says: no call, no refund', async () => {
    const { scene, pending } = await delivered();
    const { providerWebhookSecret } = await service.db.generation.findUniqueOrThrow({
      where: { id: pending.id },
    });
    const signature = signGatewayBody('{}', providerWebhookSecret ?? '', scene.clock.now());
    const asked = { rawBody: '{}', signature, generationId: pending.id };
    expect(await acceptVideoWebhook(asSystem(scene.ctx), asked)).toEqual({ verdict: 'closed' });
    const forged = { ...asked, signature: 't=1,v1=00' };
    expect(await acceptVideoWebhook(asSystem(scene.ctx), forged)).toMatchObject({ verdict: 'rejected' });
  });

  it('is failed by nobody, not even by a closer that read it before: the sweep settles it', async () => {
    const { scene, before, pending } = await delivered();
    for (const row of [pending, before]) {
      const { result, row: recorded } = await advanceGeneration(scene.ctx, row, failure, 'webhook');
      expect(result).not.toBe('closed');
      expect(recorded).toMatchObject({ state: 'SUBMITTED', chargePending: true });
    }
    expect(await service.db.ledgerLine.count({ where: { generationId: pending.id } })).toBe(1);
    await sweepAt(scene, 15);
    const view = await getGeneration(scene.ctx, { generationId: pending.id });
    expect(view).toMatchObject({ status: 'done', charge: 'settled', chargePending: false });
    expect((await audits(pending.id)).map(({ action }) => action)).not.toContain('generation.failed');
    expect(await bookFaults(service)).toEqual([]);
  });
});

describe('a row that a dead process left', () => {
  it('without a file is refunded after 15 minutes, in a sentence that keeps the detail in the row', async () => {
    const scene = await studioScene(service);
    const dying = {
      ...scene.ctx,
      studio: {
        ...scene.ctx.studio,
        providers: { ...scene.ctx.studio.providers, image: { generate: () => new Promise<never>(() => {}) } },
      },
    };
    void submitGeneration(dying, { request: request(IMAGE) });
    await expect
      .poll(() => service.db.generation.count({ where: { memberId: scene.owner.memberId } }))
      .toBe(1);
    const row = await service.db.generation.findFirstOrThrow({ where: { memberId: scene.owner.memberId } });
    expect(await sweepAt(scene, 14)).toMatchObject({ reconciled: 0 });
    expect(await sweepAt(scene, 1)).toMatchObject({ reconciled: 1 });
    const view = await getGeneration(scene.ctx, { generationId: row.id });
    expect(view).toMatchObject({ status: 'failed', code: 'internal-error', charge: 'refunded' });
    expect(view.message).toContain('interrompue');
    expect(JSON.stringify(view)).not.toContain('the process that ran it is gone');
    const { errorMessage } = await service.db.generation.findUniqueOrThrow({ where: { id: row.id } });
    expect(errorMessage).toBe('the process that ran it is gone');
  });
});

describe('the sweep', () => {
  // What the scenes before left open is not this one's.
  beforeEach(async () => {
    await service.db.generation.updateMany({
      where: { state: { in: ['STARTING', 'SUBMITTED'] } },
      data: { dueAt: new Date('2030-01-01') },
    });
  });

  it('counts a row that it cannot close as an error and takes it again at the next pass', async () => {
    const scene = await studioScene(service);
    const { row } = await submitGeneration(broken(service, scene, ['ledger.close']), {
      request: request(IMAGE),
    });
    scene.clock.advance(15 * MINUTE);
    const bad = broken(service, scene, ['studio.close']);
    expect(await sweepGenerations(asSystem(bad))).toMatchObject({ errors: 1, settled: 0 });
    expect(await sweepAt(scene, 4)).toMatchObject({ errors: 0, settled: 0 });
    expect(await sweepAt(scene, 1)).toMatchObject({ settled: 1 });
    expect((await getGeneration(scene.ctx, { generationId: row.id })).charge).toBe('settled');
  });

  it('counts a video that it delivers without its debit as an error, and as settled once that is written', async () => {
    const scene = await studioScene(service);
    const { row } = await submitGeneration(scene.ctx, { request: VIDEO });
    scene.clock.advance(5 * MINUTE);
    const bad = broken(service, scene, ['ledger.close']);
    expect(await sweepGenerations(asSystem(bad))).toMatchObject({ errors: 1, videoSettled: 0, settled: 0 });
    const delivered = await getGeneration(scene.ctx, { generationId: row.id });
    expect(delivered).toMatchObject({ status: 'done', chargePending: true });
    expect(await sweepAt(scene, 10)).toMatchObject({ errors: 0, videoSettled: 0, settled: 1 });
    expect((await getGeneration(scene.ctx, { generationId: row.id })).charge).toBe('settled');
  });

  it('shares the work between passes at once, stops at its budget, and the next pass resumes', async () => {
    const scene = await studioScene(service, { scenario: 'video-never', creditMicros: 1_000_000_000n });
    await Promise.all(Array.from({ length: 12 }, () => submitGeneration(scene.ctx, { request: VIDEO })));
    scene.clock.advance(5 * MINUTE);
    const passes = await Promise.all([
      sweepGenerations(asSystem(scene.ctx), { batch: 3 }),
      sweepGenerations(asSystem(scene.ctx), { batch: 3 }),
    ]);
    expect(passes[0].videoPending + passes[1].videoPending).toBe(12);
    scene.clock.advance(5 * MINUTE);
    expect((await sweepGenerations(asSystem(scene.ctx), { budgetMs: 0 })).videoPending).toBe(0);
    expect((await sweepGenerations(asSystem(scene.ctx))).videoPending).toBe(12);
    expect(scene.lines.filter(({ event }) => event === 'cron.sweep.done').length).toBe(4);
  });

  it('leaves a row to the pass that claims it: another passes over it, and waits for nobody', async () => {
    const scene = await studioScene(service, { scenario: 'video-never' });
    const { row } = await submitGeneration(scene.ctx, { request: VIDEO });
    scene.clock.advance(5 * MINUTE);
    await service.pool.query('UPDATE "Generation" SET "dueAt" = $2 WHERE "id" <> $1', [
      row.id,
      new Date(scene.clock.now().getTime() + MINUTE),
    ]);
    const claim = {
      text: 'UPDATE "Generation" SET "dueAt" = $2 WHERE "id" = $1',
      values: [row.id, new Date(scene.clock.now().getTime() + MINUTE)],
    };
    expect(await claimedMeanwhile(service, claim, () => claimDue(scene.ctx, 10))).toEqual({
      came: [],
      waited: false,
    });
    expect(await claimDue(scene.ctx, 10, 'local')).toEqual([]);
  });

  it('begins no row once its time is up, and gives back those that it claimed: no slow provider makes a pass outlive its function', async () => {
    const scene = await studioScene(service, { scenario: 'video-never', creditMicros: 1_000_000_000n });
    await Promise.all(Array.from({ length: 12 }, () => submitGeneration(scene.ctx, { request: VIDEO })));
    scene.clock.advance(5 * MINUTE);
    const { video } = scene.ctx.studio.providers;
    let reads = 0;
    const slow = scene.with({
      providers: {
        ...scene.ctx.studio.providers,
        video: {
          ...video,
          status: (asked) => {
            reads += 1;
            scene.clock.advance(60_000);
            return video.status(asked);
          },
        },
      },
    });
    const startedMs = scene.clock.now().getTime();
    expect(await sweepGenerations(asSystem(slow), { together: 2 })).toMatchObject({ videoPending: reads });
    expect(reads).toBeLessThan(6);
    expect(scene.clock.now().getTime() - startedMs).toBeLessThan(300_000);
    const run = await service.db.cronRun.findFirst({ where: { finishedAt: scene.clock.now() } });
    expect(run).toMatchObject({ job: 'generations-sweep', complete: false });
    expect(await sweepGenerations(asSystem(scene.ctx))).toMatchObject({ videoPending: 12 - reads });
  });

  it('gives back what it claimed and did not begin when its instance is asked to stop: the next pass takes it at once', async () => {
    const scene = await studioScene(service);
    for (let n = 0; n < 3; n += 1)
      await submitGeneration(broken(service, scene, ['ledger.close']), { request: request(IMAGE) });
    scene.clock.advance(15 * MINUTE);
    const stop = new AbortController();
    const kysely = interceptedQueries(service.pool, {
      before: ({ label }) => {
        if (label === 'ledger.close') stop.abort();
      },
    });
    const stopped = { ...asSystem(scene.ctx), kysely, stopping: stop.signal };
    expect(await sweepGenerations(stopped, { batch: 3, together: 1 })).toMatchObject({ settled: 1 });
    expect(await sweepGenerations(asSystem(scene.ctx))).toMatchObject({ settled: 2 });
  });

  it('writes the debits that wait before it asks any provider', async () => {
    const scene = await studioScene(service, { scenario: 'video-never', creditMicros: 1_000_000_000n });
    await Promise.all(Array.from({ length: 6 }, () => submitGeneration(scene.ctx, { request: VIDEO })));
    const late = await submitGeneration(broken(service, scene, ['ledger.close']), {
      request: request(IMAGE),
    });
    scene.clock.advance(15 * MINUTE);
    const { video } = scene.ctx.studio.providers;
    const states: (string | undefined)[] = [];
    const watched = scene.with({
      providers: {
        ...scene.ctx.studio.providers,
        video: {
          ...video,
          status: async (asked) => {
            states.push((await service.db.generation.findUnique({ where: { id: late.row.id } }))?.state);
            return video.status(asked);
          },
        },
      },
    });
    expect(await sweepGenerations(asSystem(watched))).toMatchObject({ settled: 1, videoPending: 6 });
    expect(new Set(states)).toEqual(new Set(['COMPLETED']));
  });

  it('gives up on a row that outlasts it, tells its report and its alerts, and takes the row again when its lease ends', async () => {
    const scene = await studioScene(service, { scenario: 'video-never' });
    const { row } = await submitGeneration(scene.ctx, { request: VIDEO });
    scene.clock.advance(5 * MINUTE);
    const { video } = scene.ctx.studio.providers;
    const hung = scene.with({
      providers: {
        ...scene.ctx.studio.providers,
        video: { ...video, status: () => new Promise<never>(() => {}) },
      },
    });
    // A pass that was held until its time was over begins nothing, and has nothing to give up on: the next one does.
    const report = await until('a pass that begins the row', async () => {
      scene.lines.length = 0;
      const told = await sweepGenerations(asSystem(hung), { budgetMs: 1, graceMs: 200, together: 1 });
      return told.errors > 0 && told;
    });
    expect(report).toMatchObject({ errors: 1, videoPending: 0 });
    expect(scene.lines.filter(({ event }) => event === 'cron.sweep.done')).toHaveLength(1);
    expect(scene.lines.find(({ event }) => event === 'generation.sweep_failed')).toMatchObject({
      generationId: row.id,
      error: 'OutOfTime',
    });
    expect(await sweepAt(scene, 5)).toMatchObject({ errors: 0, videoPending: 1 });
  });
});
