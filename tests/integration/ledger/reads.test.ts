import { describe, expect, it } from 'vitest';
import { manualClock } from '#lib/core/clock.ts';
import { refund, settle } from '#lib/ledger/close-reserve.ts';
import { exportStatement } from '#lib/ledger/reads/export-statement.ts';
import { listAlerts } from '#lib/ledger/reads/list-alerts.ts';
import { listLines } from '#lib/ledger/reads/list-lines.ts';
import { listOpenReserves } from '#lib/ledger/reads/list-open-reserves.ts';
import { listWallets } from '#lib/ledger/reads/list-wallets.ts';
import { readSpend } from '#lib/ledger/reads/read-spend.ts';
import { readStatement } from '#lib/ledger/reads/read-statement.ts';
import { readWallet } from '#lib/ledger/reads/read-wallet.ts';
import { viewWallet } from '#lib/ledger/reads/schemas.ts';
import { makeAccount, makeKey, makeMember, memberActor } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { giveCredit, makeGeneration, makeGenerations } from '#tests/factories/ledger.ts';
import { reserve } from '#tests/factories/reserve.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

async function scene() {
  const clock = manualClock('2026-11-10T08:00:00Z');
  const { account, member, actor } = await makeAccount(service);
  const ctx = testContext(service, actor, { clock });
  await giveCredit(ctx, member.id, 100_000_000n);
  const owner = { accountId: account.id, memberId: member.id };
  const hold = async (amountMicros: bigint) => {
    const generationId = await makeGeneration(service, owner, clock.now());
    await reserve(ctx.kysely, ctx, { ...owner, generationId, amountMicros });
    return generationId;
  };
  const strangerCtx = testContext(service, (await makeAccount(service)).actor, { clock });
  const other = await makeMember(service, account.id, { role: 'MEMBER', permissions: ['generate'] });
  return {
    clock,
    ctx,
    member,
    hold,
    strangerCtx,
    otherCtx: testContext(service, memberActor(other), { clock }),
  };
}

describe('the lines of a month', () => {
  it('come newest first, page by page, each once, in both directions', async () => {
    const { ctx, member, hold } = await scene();
    for (let i = 0; i < 6; i++) await hold(1_000n);
    const at = (place: { before?: string; after?: string }) =>
      listLines(ctx, { memberId: member.id, month: '2026-11', place, limit: 3 });
    const first = await at({});
    expect(first).toMatchObject({ total: 7, newer: null });
    const second = await at(first.older ?? {});
    const third = await at(second.older ?? {});
    expect(third.older).toBeNull();
    const positions = [first, second, third].flatMap((page) => page.lines.map((line) => line.position));
    expect(positions).toEqual([7, 6, 5, 4, 3, 2, 1]);
    expect((await at(third.newer ?? {})).lines).toEqual(second.lines);
    const back = await at(second.newer ?? {});
    expect(back.lines).toEqual(first.lines);
    expect(back.newer).toBeNull();
  });

  it('are counted without those of other months', async () => {
    const { ctx, clock, member, hold } = await scene();
    clock.set('2026-12-01T00:00:00Z');
    await hold(1_000n);
    const totals = ['2026-10', '2026-11', '2026-12'].map((month) =>
      listLines(ctx, { memberId: member.id, month }).then(({ total }) => total),
    );
    expect(await Promise.all(totals)).toEqual([0, 1, 1]);
  });

  it('end at the next page of an export for who may no longer read that wallet', async () => {
    const { ctx, clock, otherCtx } = await scene();
    const { accountId, memberId } = otherCtx.actor;
    await giveCredit(ctx, memberId, 1_000_000n);
    const ids = await makeGenerations(service, { accountId, memberId }, 500, clock.now());
    for (const generationId of ids)
      await reserve(ctx.kysely, otherCtx, { accountId, memberId, generationId, amountMicros: 1n });
    const { pieces } = await exportStatement(ctx, { memberId, month: '2026-11' });
    await pieces.next();
    await pieces.next();
    await service.db.member.update({
      where: { id: ctx.actor.memberId },
      data: { role: 'MEMBER', permissions: ['generate'] },
    });
    await expect(pieces.next()).rejects.toMatchObject({ code: 'not_found' });
  });

  it('are exported by one question for the first page, whatever the length of the ledger before them', async () => {
    const { ctx, hold } = await scene();
    await hold(1_000n);
    const before = service.connection.roundTrips();
    const { pieces } = await exportStatement(ctx, { month: '2026-11' });
    let text = '';
    for await (const piece of pieces) text += piece;
    expect(service.connection.roundTrips() - before).toBe(1);
    expect(text).toContain('Montant retenu');
  });

  it('are summed with what stood before them in two questions, whose opening is one line of an index', async () => {
    const { ctx, member, hold } = await scene();
    await hold(1_000n);
    const plans: string[] = [];
    const kysely = interceptedQueries(service.connection.pool, {
      async before({ label, text, parameters }) {
        if (label !== 'ledger.statement.totals') return;
        const client = await service.pool.connect();
        try {
          // Of a table this small any way is as good: what is asked is which ways there are.
          await client.query('BEGIN');
          await client.query('SET LOCAL enable_seqscan = off');
          await client.query('SET LOCAL enable_sort = off');
          await client.query('SET LOCAL enable_bitmapscan = off');
          const { rows } = await client.query(`EXPLAIN (COSTS OFF) ${text}`, [...parameters]);
          plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
        } finally {
          await client.query('ROLLBACK');
          client.release();
        }
      },
    });
    const input = { memberId: member.id, month: '2026-12' };
    expect(await readStatement({ ...ctx, kysely }, input)).toMatchObject({
      openingMicros: 100_000_000n,
      closingMicros: 100_000_000n,
    });
    expect(plans).toHaveLength(1);
    expect(plans[0]).toContain('Index Scan Backward using "LedgerLine_walletId_month_position_idx"');
    const before = service.connection.roundTrips();
    await readStatement(ctx, input);
    expect(service.connection.roundTrips() - before).toBe(2);
  });

  it('say that there are months before, though these come to nothing: what was spent to the last cent is still to be read', async () => {
    const { clock, ctx, member, hold } = await scene();
    await settle(ctx.kysely, ctx, { generationId: await hold(100_000_000n), costMicros: 100_000_000n });
    const of = (month: string) => readStatement(ctx, { memberId: member.id, month });
    expect(await of('2026-11')).toMatchObject({ openingMicros: 0n, closingMicros: 0n, hasEarlier: false });
    clock.set('2027-01-02T08:00:00Z');
    for (const month of ['2026-12', '2027-01'])
      expect(await of(month)).toMatchObject({ openingMicros: 0n, lines: [], hasEarlier: true });
    expect(await of('2026-10')).toMatchObject({ openingMicros: 0n, hasEarlier: false });
  });

  it('are nobody else’s: not another member’s, not another account’s founder’s', async () => {
    const { member, strangerCtx, otherCtx } = await scene();
    for (const ctx of [strangerCtx, otherCtx]) {
      const input = { memberId: member.id, month: '2026-11' };
      await expect(listLines(ctx, input)).rejects.toMatchObject({ code: 'not_found' });
      await expect(readSpend(ctx, input)).rejects.toMatchObject({ code: 'not_found' });
      await expect(listOpenReserves(ctx, input)).rejects.toMatchObject({ code: 'not_found' });
    }
  });
});

describe('the spend of a month', () => {
  it('counts debits alone, on their UTC day, and its days and kinds add up to the total', async () => {
    const { clock, ctx, member, hold } = await scene();
    const [one, two, three] = [await hold(50_000n), await hold(50_000n), await hold(50_000n)];
    await settle(ctx.kysely, ctx, { generationId: one, costMicros: 42_000n });
    clock.advance(24 * 3_600_000);
    await settle(ctx.kysely, ctx, { generationId: two, costMicros: 60_000n });
    await refund(ctx.kysely, ctx, { generationId: three });
    const spend = await readSpend(ctx, { memberId: member.id, month: '2026-11' });
    expect(spend.totalMicros).toBe(102_000n);
    expect(spend.days).toHaveLength(30);
    expect(spend.days.filter(({ micros }) => micros > 0n)).toEqual([
      { day: '2026-11-10', micros: 42_000n },
      { day: '2026-11-11', micros: 60_000n },
    ]);
    expect(spend.kinds).toEqual([{ kind: 'IMAGE', micros: 102_000n, debits: 2 }]);
    expect(await readSpend(ctx, { month: '2026-11' })).toEqual(spend);
    expect((await readSpend(ctx, { month: '2026-10' })).totalMicros).toBe(0n);
  });

  it('has the days of its month alone, though a clock that is late wrote in it', async () => {
    const { clock, ctx, member, hold } = await scene();
    const [one, two] = [await hold(50_000n), await hold(50_000n)];
    clock.set('2026-12-01T00:00:01Z');
    await settle(ctx.kysely, ctx, { generationId: one, costMicros: 42_000n });
    clock.set('2026-11-30T23:59:59Z');
    await settle(ctx.kysely, ctx, { generationId: two, costMicros: 1_000n });
    const spend = await readSpend(ctx, { memberId: member.id, month: '2026-12' });
    expect(spend.days).toHaveLength(31);
    expect(spend.days[0]).toEqual({ day: '2026-12-01', micros: 43_000n });
    expect(spend.totalMicros).toBe(43_000n);
  });

  it('of the whole account is for founders', async () => {
    const { otherCtx } = await scene();
    await expect(readSpend(otherCtx, { month: '2026-11' })).rejects.toMatchObject({ code: 'forbidden' });
  });
});

it('a member’s own wallet is read in one question', async () => {
  const { ctx, member } = await scene();
  const before = service.connection.roundTrips();
  const wallet = await readWallet(ctx, { memberId: member.id });
  expect([service.connection.roundTrips() - before, wallet.availableMicros]).toEqual([1, 100_000_000n]);
});

it('an open reserve is listed until it is closed, the latest twelve of them, and all are counted', async () => {
  const { ctx, otherCtx, member, hold } = await scene();
  expect(await listOpenReserves(ctx, { memberId: member.id })).toEqual({ reserves: [], total: 0 });
  const [kept, closed] = [await hold(10n), await hold(20n)];
  await refund(ctx.kysely, ctx, { generationId: closed });
  const { reserves, total } = await listOpenReserves(ctx, { memberId: member.id });
  expect(reserves).toEqual([
    expect.objectContaining({ generationId: kept, heldMicros: 10n, kind: 'IMAGE', chargePending: false }),
  ]);
  expect(total).toBe(1);
  for (let more = 0; more < 13; more += 1) await hold(10n);
  const many = await listOpenReserves(ctx, { memberId: member.id });
  expect([many.reserves.length, many.total]).toEqual([12, 14]);
  // Each member's are their own, whoever of the account reads them.
  const { memberId } = otherCtx.actor;
  for (const reader of [ctx, otherCtx])
    expect(await listOpenReserves(reader, { memberId })).toEqual({ reserves: [], total: 0 });
});

it('what a program reads as used in the month is what was debited in it, and what is held', async () => {
  const { ctx, member, hold } = await scene();
  await settle(ctx.kysely, ctx, { generationId: await hold(1_000_000n), costMicros: 2_000_000n });
  await hold(500_000n);
  expect(viewWallet(await readWallet(ctx, { memberId: member.id }))).toMatchObject({
    balanceUsd: 98,
    heldUsd: 0.5,
    availableUsd: 97.5,
    monthUsedUsd: 2.5,
  });
});

it('a member who was given nothing reads an empty wallet, under the ceiling of the account and the cap of the key', async () => {
  const { account, member, actor } = await makeAccount(service);
  await service.db.budget.upsert({
    where: { accountId: account.id },
    create: { accountId: account.id, monthlyCeilingMicros: 7_000_000n },
    update: { monthlyCeilingMicros: 7_000_000n },
  });
  const { actor: key } = await makeKey(service, member, { monthlyCapMicros: 3_000_000n });
  const read = (by: typeof actor | typeof key) =>
    readWallet(testContext(service, by), { memberId: member.id });
  const empty = {
    id: '',
    accountId: account.id,
    memberId: member.id,
    balanceMicros: 0n,
    heldMicros: 0n,
    availableMicros: 0n,
    monthSpentMicros: 0n,
    perGenerationCapMicros: null,
    monthlyCapMicros: null,
    accountCeilingMicros: 7_000_000n,
    accountUsedMicros: 0n,
    credentialUsedMicros: 0n,
  };
  expect(await read(actor)).toEqual({ ...empty, credentialCapMicros: null });
  expect(await read(key)).toEqual({ ...empty, credentialCapMicros: 3_000_000n });
  const { actor: reader } = await makeKey(service, member, { scopes: ['brain:read'] });
  expect(await read(reader)).toEqual({ ...empty, credentialCapMicros: 0n });
});

describe('the wallets of the account', () => {
  it('hold every member once, a member without a wallet as an empty one, and no stranger', async () => {
    const { ctx, member } = await scene();
    const pages = [];
    let after: string | undefined;
    do {
      const page = await listWallets(ctx, { after, limit: 1 });
      pages.push(...page.wallets);
      expect(page.members).toBe(2);
      after = page.nextAfter ?? undefined;
    } while (after);
    expect(pages).toHaveLength(2);
    expect(pages.find((wallet) => wallet.memberId === member.id)).toMatchObject({
      availableMicros: 100_000_000n,
    });
    expect(pages.find((wallet) => wallet.memberId !== member.id)).toMatchObject({
      balanceMicros: 0n,
      availableMicros: 0n,
      monthSpentMicros: 0n,
    });
  });

  it('are for founders', async () => {
    const { otherCtx } = await scene();
    await expect(listWallets(otherCtx)).rejects.toMatchObject({ code: 'forbidden' });
  });
});

it('the alerts of the past are the account’s own, the latest first, and for founders', async () => {
  const { ctx, otherCtx, strangerCtx, clock } = await scene();
  const alert = (accountId: string, month: string, multiple: number) =>
    service.db.spendAlert.create({
      data: {
        accountId,
        month,
        multiple,
        createdAt: clock.now(),
        thresholdMicros: 10_000_000n,
        spentMicros: BigInt(multiple) * 10_000_000n + 1n,
      },
    });
  const { accountId } = ctx.actor;
  for (const [month, multiple] of [['2026-10', 1] as const, ['2026-11', 1] as const, ['2026-11', 2] as const])
    await alert(accountId, month, multiple);
  await alert(strangerCtx.actor.accountId, '2026-11', 7);
  expect((await listAlerts(ctx)).map(({ month, multiple }) => [month, multiple])).toEqual([
    ['2026-11', 2],
    ['2026-11', 1],
    ['2026-10', 1],
  ]);
  await expect(listAlerts(otherCtx)).rejects.toMatchObject({ code: 'forbidden' });
});
