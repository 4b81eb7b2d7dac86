import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MICROS_PER_USD, usdFromMicros } from '#lib/core/money.ts';
import { listLines } from '#lib/ledger/reads/list-lines.ts';
import { readSpend } from '#lib/ledger/reads/read-spend.ts';
import { readStatement } from '#lib/ledger/reads/read-statement.ts';
import { readWallet } from '#lib/ledger/reads/read-wallet.ts';
import { decideCost } from '#lib/studio/closing/decide-cost.ts';
import type { ImplausibleCost } from '#lib/studio/context.ts';
import { getGeneration } from '#lib/studio/journal/get-generation.ts';
import { readDivergences } from '#lib/studio/operations/read-divergences.ts';
import { settleGenerationRest } from '#lib/studio/operations/settle-generation-rest.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { makeAccount } from '#tests/factories/account.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import { broken } from '#tests/factories/statements/broken-statements.ts';
import { IMAGE, request, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

/** An image of 0.03 $ for which the gateway says that it took 30,000. */
async function generousGateway() {
  const scene = await studioScene(service);
  const { image } = scene.ctx.studio.providers;
  const generous: typeof image = {
    generate: async (...asked) => {
      const answer = await image.generate(...asked);
      return answer.outcome === 'success' ? { ...answer, costMicros: 30_000n * MICROS_PER_USD } : answer;
    },
  };
  const mailed: ImplausibleCost[] = [];
  const ctx = scene.with({
    providers: { ...scene.ctx.studio.providers, image: generous },
    mailImplausibleCost: async (alert) => void mailed.push(alert),
  });
  return { scene, ctx, mailed };
}

it('a figure that cannot be true debits the reserve, and the operator is told: 30,000 $ for an image of 0.03 $', async () => {
  const { scene, ctx, mailed } = await generousGateway();
  const { row, outcome } = await submitGeneration(ctx, { request: request(IMAGE) });
  expect(outcome).toBe('delivered');
  const view = await getGeneration(scene.ctx, { generationId: row.id });
  expect(view).toMatchObject({ status: 'done', costUsd: view.heldUsd, params: { costSource: 'reserve' } });
  const wallet = await readWallet(scene.ctx, { memberId: scene.owner.memberId });
  expect(wallet.balanceMicros).toBe(100_000_000n - row.heldMicros);
  const divergence = await service.db.auditEntry.findFirstOrThrow({
    where: { subjectId: row.id, action: 'generation.cost_divergence' },
  });
  expect(divergence.data).toMatchObject({ gatewayCostUsd: 30_000, debitedUsd: view.heldUsd });
  expect(scene.lines).toContainEqual(
    expect.objectContaining({ level: 'error', event: 'generation.cost_implausible', generationId: row.id }),
  );
  const { id: generationId, accountId, heldMicros: debitedMicros } = row;
  expect(mailed).toEqual([
    { generationId, accountId, gatewayMicros: 30_000n * MICROS_PER_USD, debitedMicros },
  ]);
  expect(await bookFaults(service)).toEqual([]);
});

it('a count that cannot be true debits the reserve too: a billion characters for one sentence', async () => {
  const scene = await studioScene(service);
  const { voice, ...others } = scene.ctx.studio.providers;
  const synthesize: typeof voice.synthesize = async (...asked) => {
    const answer = await voice.synthesize(...asked);
    return answer.outcome === 'success' ? { ...answer, billedCharacters: 999_999_999 } : answer;
  };
  const ctx = scene.with({ providers: { ...others, voice: { ...voice, synthesize } } });
  const asked = { kind: 'voice', text: 'Bonjour à tous.', voiceId: 'Camille0Recorded0001' };
  const { row } = await submitGeneration(ctx, { request: request(asked) });
  expect(row).toMatchObject({
    state: 'COMPLETED',
    costMicros: row.heldMicros,
    params: { costSource: 'reserve' },
  });
  const { balanceMicros } = await readWallet(scene.ctx, { memberId: scene.owner.memberId });
  expect(balanceMicros).toBe(100_000_000n - row.heldMicros);
  const [open] = (await readDivergences(scene.ctx)).latest;
  expect(open).toMatchObject({ formulaUsd: usdFromMicros(row.heldMicros) });
  expect(open?.restMicros).toBeGreaterThan(0n);
  // Found to be true, it is still a count: no gateway told it.
  const operator = { ...scene.ctx, actor: (await makeAccount(service, { operator: true })).actor };
  await settleGenerationRest(operator, { generationId: row.id });
  expect((await getGeneration(scene.ctx, { generationId: row.id })).params.costSource).toBe('usage');
  expect(await bookFaults(service)).toEqual([]);
});

it('the operator is told of it once though its debit has to wait', async () => {
  const { scene, ctx, mailed } = await generousGateway();
  const cut = broken(service, { ...scene, ctx }, ['ledger.close']);
  const { row } = await submitGeneration(cut, { request: request(IMAGE) });
  expect(row.chargePending).toBe(true);
  expect(mailed).toMatchObject([{ generationId: row.id, debitedMicros: row.heldMicros }]);
});

it('an operator who cannot be mailed still delivers, and the log says that nobody was told', async () => {
  const { scene, ctx } = await generousGateway();
  const deaf = {
    ...ctx,
    studio: { ...ctx.studio, mailImplausibleCost: () => Promise.reject(new Error('no post')) },
  };
  expect((await submitGeneration(deaf, { request: request(IMAGE) })).outcome).toBe('delivered');
  expect(scene.lines).toContainEqual(
    expect.objectContaining({ event: 'generation.cost_implausible.mail_failed' }),
  );
});

it('a mail server that never answers holds up nobody: the generation is delivered and debited all the same', async () => {
  const { scene, ctx } = await generousGateway();
  let asked = 0;
  const mailImplausibleCost = () => {
    asked += 1;
    return new Promise<void>(() => {});
  };
  const slow = { ...ctx, studio: { ...ctx.studio, mailImplausibleCost } };
  const answered = submitGeneration(slow, { request: request(IMAGE) });
  // Far above what the mail server is waited for, far below what a test may take.
  const late = new Promise<'late'>((resolve) => {
    setTimeout(() => resolve('late'), 60_000).unref();
  });
  const submitted = await Promise.race([answered, late]);
  if (submitted === 'late') throw new Error('the mail server is waited for');
  expect([submitted.outcome, asked]).toEqual(['delivered', 1]);
  const wallet = await readWallet(scene.ctx, { memberId: scene.owner.memberId });
  expect(wallet.balanceMicros).toBe(100_000_000n - submitted.row.heldMicros);
  expect(await bookFaults(service)).toEqual([]);
});

it('the rest of such a cost is debited once, however many ask at once, and by the operator alone', async () => {
  const { scene, ctx } = await generousGateway();
  const { row } = await submitGeneration(ctx, { request: request(IMAGE) });
  const input = { generationId: row.id };
  const [open] = (await readDivergences(scene.ctx)).latest;
  expect(open?.restMicros).toBe(30_000n * MICROS_PER_USD - row.heldMicros);
  const alerts: unknown[] = [];
  const { config } = scene.ctx.studio;
  const telling = scene.with({
    config: { ...config, spendAlertMicros: 10_000n * MICROS_PER_USD },
    mailSpendAlert: async ({ accountId, multiple }) => void alerts.push([accountId, multiple]),
  });
  const operator = { ...telling, actor: (await makeAccount(service, { operator: true })).actor };
  const stranger = (await studioScene(service)).ctx;
  const plain = { ...operator, actor: { ...operator.actor, role: 'MEMBER' as const } };
  for (const other of [scene.ctx, stranger, plain])
    await expect(settleGenerationRest(other, input)).rejects.toMatchObject({ code: 'forbidden' });
  const answers = await Promise.all(Array.from({ length: 12 }, () => settleGenerationRest(operator, input)));
  expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
  expect(new Set(answers.map(({ debitedMicros }) => debitedMicros))).toEqual(new Set([open?.restMicros]));
  // It is spent like any debit: who follows the account's spending is told.
  // Its mail is waited for as long as a member may be kept waiting: on a machine that was held it leaves after the answer.
  await expect.poll(() => alerts).toEqual([[scene.owner.accountId, 3]]);
  const wallet = await readWallet(scene.ctx, { memberId: scene.owner.memberId });
  expect(wallet.balanceMicros).toBe(100_000_000n - 30_000n * MICROS_PER_USD);
  expect(await getGeneration(scene.ctx, input)).toMatchObject({
    costUsd: 30_000,
    params: { costSource: 'gateway' },
  });
  expect(
    await service.db.auditEntry.count({ where: { subjectId: row.id, action: 'generation.rest_settled' } }),
  ).toBe(1);
  expect((await readDivergences(scene.ctx)).latest[0]).toMatchObject({ restMicros: 0n, debitedUsd: 30_000 });
  // Every reading of the ledger counts it, and none names who is of another account.
  const { memberId } = scene.owner;
  const whole = 30_000n * MICROS_PER_USD;
  const month = '2026-11';
  expect(await readSpend(scene.ctx, { memberId, month })).toMatchObject({ totalMicros: whole });
  expect(await readStatement(scene.ctx, { memberId, month })).toMatchObject({
    settledMicros: whole,
    closingMicros: 100_000_000n - whole,
  });
  const { lines } = await listLines(scene.ctx, { memberId, month });
  expect(lines[0]).toMatchObject({
    kind: 'REST',
    actor: `member:${operator.actor.memberId}`,
    actorName: null,
  });
  expect(lines.find(({ kind }) => kind === 'RESERVE')?.actorName).not.toBeNull();
  expect(await bookFaults(service)).toEqual([]);
});

it('the rest waits while the closing of its row does: nothing is debited that the row would not tell', async () => {
  const { scene, ctx } = await generousGateway();
  const cut = broken(service, { ...scene, ctx }, ['studio.close', 'studio.defer']);
  const { row } = await submitGeneration(cut, { request: request(IMAGE) });
  const operator = { ...scene.ctx, actor: (await makeAccount(service, { operator: true })).actor };
  const input = { generationId: row.id };
  await expect(settleGenerationRest(operator, input)).rejects.toMatchObject({ code: 'conflict' });
  expect((await readWallet(scene.ctx, scene.owner)).balanceMicros).toBe(100_000_000n - row.heldMicros);
  // Whoever reads the row closes it.
  expect(await getGeneration(scene.ctx, input)).toMatchObject({ status: 'done' });
  expect(await settleGenerationRest(operator, input)).toMatchObject({ replayed: false });
  expect(await getGeneration(scene.ctx, input)).toMatchObject({ costUsd: 30_000 });
  expect(await bookFaults(service)).toEqual([]);
});

it('a cost that was debited whole has no rest', async () => {
  const scene = await studioScene(service, { scenario: 'cost-divergence' });
  const { row } = await submitGeneration(scene.ctx, { request: request(IMAGE) });
  const operator = { ...scene.ctx, actor: (await makeAccount(service, { operator: true })).actor };
  await expect(settleGenerationRest(operator, { generationId: row.id })).rejects.toMatchObject({
    code: 'not_found',
  });
});

it('no gateway makes a member pay more than twenty times the formula or the reserve, nor more than 50 $ that the formula does not explain', () => {
  const micros = fc.bigInt({ min: 0n, max: 10n ** 12n });
  fc.assert(
    fc.property(micros, micros, micros, (formulaMicros, gatewayMicros, heldMicros) => {
      const { costMicros } = decideCost({ formulaMicros, gatewayMicros }, heldMicros);
      const reference = formulaMicros > heldMicros ? formulaMicros : heldMicros;
      expect(costMicros).toBeLessThanOrEqual(20n * reference);
      const explained = (reference * 120n) / 100n;
      const most = 50n * MICROS_PER_USD;
      expect(costMicros).toBeLessThanOrEqual(explained > most ? explained : most);
    }),
  );
});
