import { expect, it } from 'vitest';
import { getShell } from '#lib/brain/queries/get-shell.ts';
import { manualClock } from '#lib/core/clock.ts';
import { makeAccount } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { giveCredit } from '#tests/factories/ledger.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

it('every page knows that the balance lasts less than a week at the pace of this month, not of another', async () => {
  const clock = manualClock('2026-11-11T00:00:00Z');
  const { member, actor } = await makeAccount(service);
  const ctx = testContext(service, actor, { clock });
  expect((await getShell(ctx)).balance?.daysLeft ?? null).toBeNull();
  await giveCredit(ctx, member.id, 6_000_000n);
  expect((await getShell(ctx)).balance).toEqual({ availableMicros: 6_000_000n, daysLeft: null });
  const spent = (month: string) =>
    service.db.wallet.updateMany({
      where: { memberId: member.id },
      data: { month, monthSpentMicros: 10_000_000n },
    });
  await spent('2026-11');
  expect((await getShell(ctx)).balance).toEqual({ availableMicros: 6_000_000n, daysLeft: 6 });
  await spent('2026-10');
  expect((await getShell(ctx)).balance?.daysLeft).toBeNull();
});
