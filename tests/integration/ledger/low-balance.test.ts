import { expect, it } from 'vitest';
import { manualClock } from '#lib/core/clock.ts';
import type { Mail } from '#lib/core/mail/mail.ts';
import { TimeLimit } from '#lib/core/resource-limits/time-limit.ts';
import { daysLeft } from '#lib/ledger/low-balance.ts';
import { mailLowBalances } from '#lib/ledger/notices/mail-low-balances.ts';
import { makeAccount, makeMember } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { giveCredit } from '#tests/factories/ledger.ts';
import { claimedMeanwhile } from '#tests/factories/statements/claimed-meanwhile.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 20 });
const DAY_MS = 86_400_000;

async function scene() {
  const clock = manualClock('2026-11-11T00:00:00Z');
  const { account, member: founder, actor } = await makeAccount(service);
  const ctx = testContext(service, actor, { clock });
  const system = testContext(service, { type: 'system', job: 'retention' } as const, { clock });
  const mails: Mail[] = [];
  const night = () => mailLowBalances(system, async (sent) => void mails.push(...sent));
  const spend = (memberId: string, monthSpentMicros: bigint, month = '2026-11') =>
    service.db.wallet.update({ where: { memberId }, data: { month, monthSpentMicros } });
  /** A member of the account whose wallet has so much, and from which so much was debited in the month. */
  const seat = async (name: string, creditMicros: bigint, spentMicros: bigint, month = '2026-11') => {
    const member = await makeMember(service, account.id, { role: 'MEMBER', name, permissions: ['generate'] });
    await giveCredit(ctx, member.id, creditMicros);
    await spend(member.id, spentMicros, month);
    return member;
  };
  // The night is everybody's: what the tests above left is told first.
  await mailLowBalances(system, async () => {});
  return { account, founder, clock, ctx, system, mails, night, seat, spend };
}

it('founders are mailed once that a balance became low, whose it is and for how long it lasts, by ten nights at once: no member, no other account', async () => {
  const { account, founder, system, mails, night, seat } = await scene();
  const other = await scene();
  await other.seat('Ailleurs', 100_000_000n, 10_000_000n);
  const closed = await scene();
  await closed.seat('Compte clos', 6_000_000n, 10_000_000n);
  await service.db.account.update({
    where: { id: closed.account.id },
    data: { closedAt: closed.clock.now() },
  });
  const second = await makeMember(service, account.id, { name: 'Noor Saïd' });
  const suspended = await makeMember(service, account.id, { name: 'Suspendue' });
  await service.db.member.update({ where: { id: suspended.id }, data: { status: 'SUSPENDED' } });
  await seat('Inès Roy', 6_000_000n, 10_000_000n);
  await seat('Agnès Petit', 500_000n, 10_000_000n);
  await seat('À l’aise', 70_000_000n, 10_000_000n);
  await seat('Octobre', 1n, 10_000_000n, '2026-10');
  const gone = await seat('Partie', 6_000_000n, 10_000_000n);
  await service.db.member.update({ where: { id: gone.id }, data: { status: 'REMOVED' } });
  // Nobody to mail by: nothing is taken.
  expect(await mailLowBalances(system, undefined)).toBe(0);
  const nights = await Promise.all(Array.from({ length: 10 }, night));
  expect(nights.reduce((sum, mailed) => sum + mailed, 0)).toBe(mails.length);
  // Two wallets may be taken by two of them; no founder is told twice of one.
  expect([...new Set(mails.map(({ to }) => to))].sort()).toEqual([founder.email, second.email].sort());
  for (const email of [founder.email, second.email]) {
    const text = mails.flatMap((mail) => (mail.to === email ? mail.text : [])).join('\n');
    const ines = /- Inès Roy\s: disponible 6,00\s\$US, débité ce mois 10,00\s\$US, 6 jours environ\n/g;
    const agnes = /- Agnès Petit\s: disponible 0,50\s\$US, .*, moins d’une journée\n/g;
    for (const pattern of [ines, agnes]) expect(text.match(pattern)).toHaveLength(1);
    expect(text).not.toMatch(/À l’aise|Octobre|Partie|Ailleurs/);
  }
  expect(mails[0]?.subject).toMatch(/soldes? faibles? dans «\sMaison Lumen\s»$/);
  expect(await night()).toBe(0);
});

it('a low balance is mailed again after a credit took it out of that, and in another month; neither after too small a credit, nor because the pace alone changed', async () => {
  const { clock, ctx, mails, night, seat, spend } = await scene();
  const { id } = await seat('Inès Roy', 6_000_000n, 10_000_000n);
  expect(await night()).toBe(1);
  expect(mails[0]?.subject).toMatch(/un solde faible/);
  await giveCredit(ctx, id, 500_000n);
  expect(await night()).toBe(0);
  // 10,50 $US at 1 $US a day, then at 2.
  await giveCredit(ctx, id, 4_000_000n);
  expect(await night()).toBe(0);
  await spend(id, 20_000_000n);
  expect(await night()).toBe(1);
  // Ten days without a debit slow the pace; those that follow make it low again, and the founders know.
  clock.advance(10 * DAY_MS);
  expect(await night()).toBe(0);
  await spend(id, 40_000_000n);
  expect(await night()).toBe(0);
  clock.set('2026-12-10T00:00:00Z');
  expect(await night()).toBe(0);
  await spend(id, 20_000_000n, '2026-12');
  expect(await night()).toBe(1);
  expect(mails).toHaveLength(3);
});

it('a night whose mail server refuses, or never answers, tells nobody and leaves it to the next one', async () => {
  const { system, clock, mails, night, seat } = await scene();
  const { id } = await seat('Inès Roy', 6_000_000n, 10_000_000n);
  expect(await mailLowBalances(system, () => Promise.reject(new Error('no post')))).toBe(0);
  const told = () => service.db.wallet.findUniqueOrThrow({ where: { memberId: id } });
  expect(await told()).toMatchObject({ lowToldAt: null });
  // As by a night that died: nobody else tells it before its claim ends.
  expect(await night()).toBe(0);
  clock.advance(30 * 60_000);
  const soon = new TimeLimit(50, () => performance.now());
  expect(await mailLowBalances(system, () => new Promise<void>(() => {}), soon)).toBe(0);
  clock.advance(DAY_MS);
  expect(await night()).toBe(1);
  expect(mails[0]?.text).toContain('Inès Roy');
  expect(await told()).toMatchObject({ lowToldAt: clock.now(), lowClaimedUntil: null });
  expect(await night()).toBe(0);
});

it('the statement finds low exactly the balances that the pages show as low', async () => {
  const { clock, night, mails, seat } = await scene();
  const cases = [
    [7_000_000n, 10_000_000n],
    [6_999_999n, 10_000_000n],
    [1n, 1n],
    [1n, 2n],
    // Products of amounts and milliseconds beyond a bigint.
    [100_000_000_000n, 1n],
    [100_000_000_000n, 1_000_000_000_000n],
  ] as const;
  for (const [index, [credit, spent]] of cases.entries()) await seat(`Cas ${index}`, credit, spent);
  expect(await night()).toBe(1);
  const low = cases.map(
    ([availableMicros, monthSpentMicros]) =>
      daysLeft({ availableMicros, monthSpentMicros }, clock.now()) !== null,
  );
  expect(cases.map((_, index) => mails[0]?.text.includes(`Cas ${index}`))).toEqual(low);
  expect(low).toEqual([false, true, false, true, false, true]);
});

it('a mail server that answers once the night gave up waiting has told the founders: the next night does not tell them again', async () => {
  const { system, clock, mails, night, seat } = await scene();
  const { id } = await seat('Inès Roy', 6_000_000n, 10_000_000n);
  const answer = Promise.withResolvers<void>();
  // Time to begin a mail, and 50 ms to wait for it.
  const soon = new TimeLimit(50, () => 0);
  expect(await mailLowBalances(system, () => answer.promise, soon)).toBe(0);
  const told = () => service.db.wallet.findUniqueOrThrow({ where: { memberId: id } });
  expect(await told()).toMatchObject({ lowToldAt: null });
  answer.resolve();
  await expect.poll(async () => (await told()).lowToldAt).toEqual(clock.now());
  clock.advance(DAY_MS);
  expect(await night()).toBe(0);
  expect(mails).toEqual([]);
});

it('a credit that came while the mail was on its way lets it be told again: the night that mailed takes nothing of that back', async () => {
  const { system, clock, ctx, mails, night, seat, spend } = await scene();
  const { id } = await seat('Inès Roy', 6_000_000n, 10_000_000n);
  const send = async (sent: readonly Mail[]) => {
    mails.push(...sent);
    await giveCredit(ctx, id, 94_000_000n);
  };
  expect(await mailLowBalances(system, send)).toBe(1);
  expect(await service.db.wallet.findUniqueOrThrow({ where: { memberId: id } })).toMatchObject({
    lowToldAt: null,
    lowClaimedUntil: null,
  });
  clock.advance(DAY_MS);
  expect(await night()).toBe(0);
  await spend(id, 200_000_000n);
  expect(await night()).toBe(1);
});

it('a low balance is left to the night that claims it: another passes over it, and waits for nobody', async () => {
  const { clock, mails, night, seat } = await scene();
  const { id } = await seat('Inès Roy', 6_000_000n, 10_000_000n);
  const claim = {
    text: 'UPDATE "Wallet" SET "lowClaimedUntil" = $2 WHERE "memberId" = $1',
    values: [id, new Date(clock.now().getTime() + 60_000)],
  };
  expect(await claimedMeanwhile(service, claim, night)).toEqual({ came: 0, waited: false });
  expect(mails).toEqual([]);
});
