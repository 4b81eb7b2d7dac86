import { expect, it } from 'vitest';
import { listPendingCharges } from '#lib/studio/operations/list-pending-charges.ts';
import { requestSweep } from '#lib/studio/operations/request-sweep.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { claimDue } from '#lib/studio/sweep/claim-due.ts';
import { sweepGenerations } from '#lib/studio/sweep/sweep-generations.ts';
import { makeAccount } from '#tests/factories/account.ts';
import { broken } from '#tests/factories/statements/broken-statements.ts';
import { IMAGE, request, type StudioScene, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const MINUTE = 60_000;
const SWEEP = { type: 'system', job: 'generations-sweep' } as const;

/** Two delivered files whose debits wait, the second asked a minute after the first. */
async function twoPending(scene: StudioScene): Promise<string[]> {
  const cut = broken(service, scene, ['ledger.close']);
  const first = await submitGeneration(cut, { request: request(IMAGE) });
  scene.clock.advance(MINUTE);
  const second = await submitGeneration(cut, { request: request(IMAGE) });
  return [first.row.id, second.row.id];
}

it('the row that has waited longest is claimed first, and shown first among the debits that wait', async () => {
  const scene = await studioScene(service);
  const ids = await twoPending(scene);
  expect((await listPendingCharges(scene.ctx)).map(({ id }) => id)).toEqual(ids);
  scene.clock.advance(20 * MINUTE);
  const claimed = [];
  for (let pass = 0; pass < 2; pass += 1)
    claimed.push(...(await claimDue({ ...scene.ctx, actor: SWEEP }, 1)).map(({ row }) => row.id));
  expect(claimed).toEqual(ids);
});

it('a sweep that the operator asks for is the scheduled one, audited in their account with what it counted; nobody else asks', async () => {
  const scene = await studioScene(service);
  await twoPending(scene);
  scene.clock.advance(20 * MINUTE);
  await expect(requestSweep(scene.ctx)).rejects.toMatchObject({ code: 'forbidden' });
  const { account, actor } = await makeAccount(service, { operator: true });
  const report = await requestSweep({ ...scene.ctx, actor });
  expect(report.settled).toBeGreaterThanOrEqual(2);
  expect(await listPendingCharges(scene.ctx)).toEqual([]);
  const told = await service.db.auditEntry.findMany({
    where: { accountId: account.id, action: 'operations.sweep_requested' },
  });
  expect(told.map(({ data }) => data)).toEqual([report]);
});

it('a spend alert whose mail failed when the debit was written is told by a later sweep', async () => {
  const scene = await studioScene(service, { config: { spendAlertMicros: 10_000n } });
  const told: string[] = [];
  const post = (mailSpendAlert: typeof scene.ctx.studio.mailSpendAlert) => scene.with({ mailSpendAlert });
  await submitGeneration(
    post(() => Promise.reject(new Error('no post'))),
    { request: request(IMAGE) },
  );
  scene.clock.advance(11 * MINUTE);
  await sweepGenerations({ ...post(async ({ accountId }) => void told.push(accountId)), actor: SWEEP });
  expect(told).toEqual([scene.owner.accountId]);
});
