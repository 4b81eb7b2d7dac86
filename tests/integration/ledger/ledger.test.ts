import { describe, expect, it } from 'vitest';
import { manualClock } from '#lib/core/clock.ts';
import { createId } from '#lib/core/ids.ts';
import { connect } from '#lib/db/connection.ts';
import { GenerationState } from '#lib/db/generated/tables.ts';
import { refund, settle } from '#lib/ledger/close-reserve.ts';
import { grantCredit } from '#lib/ledger/grant-credit.ts';
import { readStatement } from '#lib/ledger/reads/read-statement.ts';
import { readWallet } from '#lib/ledger/reads/read-wallet.ts';
import { setCaps } from '#lib/ledger/set-caps.ts';
import { type SpendAlert, sendSpendAlerts } from '#lib/ledger/spend-alert.ts';
import { makeAccount, makeMember, memberActor } from '#tests/factories/account.ts';
import { type LogLine, testContext } from '#tests/factories/context.ts';
import { addGeneration, filesScene } from '#tests/factories/files/files.ts';
import { bookFaults, giveCredit, makeGeneration } from '#tests/factories/ledger.ts';
import { reserve } from '#tests/factories/reserve.ts';
import { claimedMeanwhile } from '#tests/factories/statements/claimed-meanwhile.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 20 });

async function scene(options: { credit?: bigint; at?: string; operator?: boolean } = {}) {
  const clock = manualClock(options.at ?? '2026-11-10T08:00:00Z');
  const { account, member, actor } = await makeAccount(service, { operator: options.operator ?? false });
  const lines: LogLine[] = [];
  const ctx = testContext(service, actor, { clock, lines });
  if (options.credit) await giveCredit(ctx, member.id, options.credit);
  const owner = { accountId: account.id, memberId: member.id };
  const hold = async (amountMicros: bigint) => {
    const generationId = await makeGeneration(service, owner, clock.now());
    return { generationId, result: await reserve(ctx.kysely, ctx, { ...owner, generationId, amountMicros }) };
  };
  const wallet = () => readWallet(ctx, { memberId: member.id });
  return { clock, ctx, owner, hold, wallet, lines, account, member };
}

describe('a reserve', () => {
  it('holds its amount: the balance stays, the available part shrinks', async () => {
    const { hold, wallet } = await scene({ credit: 1_000_000n });
    expect((await hold(300_000n)).result).toEqual({ held: true });
    expect(await wallet()).toMatchObject({
      balanceMicros: 1_000_000n,
      heldMicros: 300_000n,
      availableMicros: 700_000n,
    });
  });

  it('is refused for the balance when what is available does not cover it, and writes nothing', async () => {
    const { hold, wallet } = await scene({ credit: 1_000_000n });
    await hold(700_000n);
    expect((await hold(300_001n)).result).toEqual({
      held: false,
      refusal: { code: 'balance', detail: 'balance', availableMicros: 300_000n },
    });
    expect((await wallet()).heldMicros).toBe(700_000n);
  });

  it('is refused for the cap of one generation, and for the month: what is settled plus what is held', async () => {
    const { ctx, hold, member, clock } = await scene({ credit: 10_000_000n });
    await setCaps(ctx, {
      memberId: member.id,
      perGenerationCapMicros: 500_000n,
      monthlyCapMicros: 1_000_000n,
    });
    expect((await hold(500_001n)).result).toMatchObject({
      refusal: { code: 'cap', detail: 'per-generation' },
    });
    const first = await hold(400_000n);
    await settle(ctx.kysely, ctx, { generationId: first.generationId, costMicros: 450_000n });
    await hold(500_000n);
    expect((await hold(50_001n)).result).toEqual({
      held: false,
      refusal: { code: 'cap', detail: 'monthly', capMicros: 1_000_000n, usedMicros: 950_000n },
    });
    expect((await hold(50_000n)).result).toEqual({ held: true });
    // In December November's settlements no longer count; what is still held does.
    clock.set('2026-12-01T00:00:00Z');
    expect((await hold(450_001n)).result).toMatchObject({
      refusal: { detail: 'monthly', usedMicros: 550_000n },
    });
    expect((await hold(450_000n)).result).toEqual({ held: true });
  });

  it('has caps whose change is audited as it was made: the cap that was not given is not said to be gone', async () => {
    const { ctx, member, wallet } = await scene({ credit: 1_000_000n });
    await setCaps(ctx, { memberId: member.id, perGenerationCapMicros: 500_000n });
    await setCaps(ctx, { memberId: member.id, monthlyCapMicros: 900_000n });
    await setCaps(ctx, { memberId: member.id, monthlyCapMicros: null });
    expect(await wallet()).toMatchObject({ perGenerationCapMicros: 500_000n, monthlyCapMicros: null });
    const entries = await service.db.auditEntry.findMany({
      where: { action: 'ledger.caps_set', subjectId: member.id },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ data }) => data)).toEqual(
      expect.arrayContaining([
        { perGenerationCapMicros: '500000' },
        { monthlyCapMicros: '900000' },
        { monthlyCapMicros: null },
      ]),
    );
    expect(entries).toHaveLength(3);
  });

  it('has caps that are not negative: the one that is, is named, and neither changes', async () => {
    const { ctx, member, wallet } = await scene({ credit: 1n });
    const { id: memberId } = member;
    for (const field of ['perGenerationCapMicros', 'monthlyCapMicros'])
      await expect(
        setCaps(ctx, { memberId, perGenerationCapMicros: 0n, monthlyCapMicros: 0n, [field]: -1n }),
      ).rejects.toMatchObject({ code: 'invalid', options: { problems: [{ field }] } });
    expect(await wallet()).toMatchObject({ perGenerationCapMicros: null, monthlyCapMicros: null });
  });

  it('never overdraws nor deadlocks: of 50 at once on one wallet, exactly those that fit are held', async () => {
    const { ctx, owner, wallet } = await scene({ credit: 1_000_000n });
    const ids = await Promise.all(Array.from({ length: 50 }, () => makeGeneration(service, owner)));
    const results = await Promise.all(
      ids.map((generationId) => reserve(ctx.kysely, ctx, { ...owner, generationId, amountMicros: 60_000n })),
    );
    expect(results.filter((result) => result.held)).toHaveLength(16);
    expect((await wallet()).availableMicros).toBe(40_000n);
    expect(await bookFaults(service)).toEqual([]);
  });

  it('never passes the cap of the month: of 50 at once, exactly those that fit under it are held, and none above the cap of one', async () => {
    const { ctx, owner, wallet } = await scene({ credit: 10_000_000n });
    await setCaps(ctx, {
      memberId: owner.memberId,
      perGenerationCapMicros: 60_000n,
      monthlyCapMicros: 1_000_000n,
    });
    const results = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const generationId = await makeGeneration(service, owner, ctx.clock.now());
        // One in five is above the cap of one generation by a micro-dollar.
        const amountMicros = index % 5 === 0 ? 60_001n : 60_000n;
        const result = await reserve(ctx.kysely, ctx, { ...owner, generationId, amountMicros });
        return { amountMicros, result };
      }),
    );
    const held = results.filter(({ result }) => result.held);
    expect(held.map(({ amountMicros }) => amountMicros)).toEqual(Array(16).fill(60_000n));
    expect((await wallet()).heldMicros).toBe(960_000n);
    expect(await bookFaults(service)).toEqual([]);
  });
});

describe('closing a reserve', () => {
  it('debits the measured cost even above the reserve, and may take the balance below zero', async () => {
    const { ctx, hold, wallet } = await scene({ credit: 100_000n });
    const { generationId } = await hold(100_000n);
    expect(await settle(ctx.kysely, ctx, { generationId, costMicros: 130_000n })).toEqual({
      found: 'open',
      amountMicros: 130_000n,
      alert: null,
    });
    expect(await wallet()).toMatchObject({
      balanceMicros: -30_000n,
      heldMicros: 0n,
      monthSpentMicros: 130_000n,
    });
    // Settled is settled: a refund that comes after finds it closed.
    expect(await refund(ctx.kysely, ctx, { generationId })).toMatchObject({
      found: 'closed',
      kind: 'SETTLE',
    });
    expect(await wallet()).toMatchObject({ balanceMicros: -30_000n });
    expect((await hold(1n)).result).toMatchObject({ refusal: { code: 'balance' } });
  });

  it('happens once: what comes second reads what was recorded', async () => {
    const { ctx, hold, wallet } = await scene({ credit: 1_000_000n });
    const settled = await hold(100_000n);
    await settle(ctx.kysely, ctx, { generationId: settled.generationId, costMicros: 90_000n });
    const second = { found: 'closed', kind: 'SETTLE', amountMicros: 90_000n };
    expect(await settle(ctx.kysely, ctx, { generationId: settled.generationId, costMicros: 1n })).toEqual(
      second,
    );
    expect(await refund(ctx.kysely, ctx, { generationId: settled.generationId })).toEqual(second);
    const refunded = await hold(100_000n);
    await refund(ctx.kysely, ctx, { generationId: refunded.generationId });
    expect(await settle(ctx.kysely, ctx, { generationId: refunded.generationId, costMicros: 5n })).toEqual({
      found: 'closed',
      kind: 'REFUND',
      amountMicros: 0n,
    });
    expect(await wallet()).toMatchObject({ balanceMicros: 910_000n, heldMicros: 0n });
  });

  it('has the name of who closed it on its line, as its reserve has that of who asked', async () => {
    const { ctx, hold, member } = await scene({ credit: 1_000_000n });
    const { generationId } = await hold(100_000n);
    const sweep = { ...ctx, actor: { type: 'system', job: 'generations-sweep' } as const };
    await settle(ctx.kysely, sweep, { generationId, costMicros: 90_000n });
    const { lines } = await readStatement(ctx, { memberId: member.id, month: '2026-11' });
    expect(lines.slice(1).map(({ kind, actor }) => [kind, actor])).toEqual([
      ['RESERVE', `member:${member.id}`],
      ['SETTLE', 'system:generations-sweep'],
    ]);
  });

  it('writes one line whatever the number of closers at the same moment', async () => {
    const { ctx, hold, wallet } = await scene({ credit: 1_000_000n });
    const { generationId } = await hold(100_000n);
    const closed = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) =>
        index % 2
          ? settle(ctx.kysely, ctx, { generationId, costMicros: 80_000n })
          : refund(ctx.kysely, ctx, { generationId }),
      ),
    );
    const found = closed.map((one) =>
      one.status === 'fulfilled' ? one.value.found : String(one.reason.code),
    );
    expect(found.filter((one) => one === 'open')).toHaveLength(1);
    // Who comes second reads so, or breaks at the same moment what holds: one close (23505), no hold below 0 (23514).
    expect(found.filter((one) => !['open', 'closed', '23505', '23514'].includes(one))).toEqual([]);
    const lines = await service.db.ledgerLine.findMany({ where: { generationId, kind: { not: 'RESERVE' } } });
    expect(lines).toHaveLength(1);
    const debitedMicros = lines[0]?.kind === 'SETTLE' ? 80_000n : 0n;
    expect(await wallet()).toMatchObject({ heldMicros: 0n, balanceMicros: 1_000_000n - debitedMicros });
    expect(await bookFaults(service)).toEqual([]);
  });

  it('finds nothing to debit when there was never a reserve', async () => {
    const { ctx, owner, wallet } = await scene({ credit: 1_000_000n });
    const generationId = await makeGeneration(service, owner);
    expect(await settle(ctx.kysely, ctx, { generationId, costMicros: 10n })).toEqual({ found: 'missing' });
    expect((await wallet()).balanceMicros).toBe(1_000_000n);
  });
});

describe('the database itself', () => {
  it('refuses to change or remove a line', async () => {
    await scene({ credit: 5n });
    for (const text of [
      'UPDATE "LedgerLine" SET "amountMicros" = 1',
      'DELETE FROM "LedgerLine"',
      'TRUNCATE "LedgerLine" CASCADE',
    ])
      await expect(service.pool.query(text)).rejects.toThrow(/append-only/);
  });

  it('refuses a second reserve, a second close, and a close that releases another amount', async () => {
    const { ctx, owner, hold } = await scene({ credit: 1_000_000n });
    const { generationId } = await hold(100n);
    await expect(
      reserve(ctx.kysely, ctx, { ...owner, generationId, amountMicros: 5n }),
    ).rejects.toMatchObject({
      code: '23505',
    });
    const close = (kind: string, heldMicros: bigint) =>
      service.pool.query(
        `INSERT INTO "LedgerLine" ("id", "accountId", "walletId", "memberId", "position", "kind", "amountMicros", "heldMicros",
           "balanceAfterMicros", "heldAfterMicros", "generationId", "reserveId", "month", "at", "actor")
         SELECT $1, "accountId", "walletId", "memberId", 100, $2::"LedgerKind", 0, $3, 0, 0, "generationId",
           "id", "month", "at", 'test' FROM "LedgerLine" WHERE "generationId" = $4 AND "kind" = 'RESERVE'`,
        [createId('ledgerLine'), kind, heldMicros, generationId],
      );
    await expect(close('REFUND', -99n)).rejects.toMatchObject({ code: '23514' });
    await refund(ctx.kysely, ctx, { generationId });
    await expect(close('SETTLE', -100n)).rejects.toMatchObject({ code: '23505' });
  });

  it('keeps a closed generation closed', async () => {
    const { owner } = await scene();
    const id = await makeGeneration(service, owner);
    const move = (state: string) =>
      service.pool.query(
        `UPDATE "Generation" SET "state" = $2::"GenerationState", "code" = 'provider-failure', "closedAt" = now() WHERE "id" = $1`,
        [id, state],
      );
    await move('FAILED');
    await expect(move('COMPLETED')).rejects.toMatchObject({ code: '23514' });
    await expect(service.pool.query('DELETE FROM "Generation" WHERE "id" = $1', [id])).rejects.toThrow(
      /append-only/,
    );
  });

  it('changes the state of a generation along the listed moves and no others', async () => {
    const files = await filesScene(service);
    const moves: string[] = [];
    for (const from of Object.values(GenerationState))
      for (const to of Object.values(GenerationState)) {
        if (from === to) continue;
        const id = await addGeneration(files, { state: from });
        const moved = service.pool.query(
          `UPDATE "Generation" SET "state" = $2::"GenerationState", "code" = $3, "closedAt" = $4 WHERE "id" = $1`,
          [id, to, to === 'FAILED' ? 'orphaned' : null, to === 'SUBMITTED' ? null : files.clock.now()],
        );
        await moved.then(
          () => moves.push(`${from} → ${to}`),
          (error: Error) => expect(error.message).toContain(`no transition from ${from} to ${to}`),
        );
      }
    expect(moves.sort()).toEqual([
      'STARTING → COMPLETED',
      'STARTING → FAILED',
      'STARTING → SUBMITTED',
      'SUBMITTED → COMPLETED',
      'SUBMITTED → FAILED',
    ]);
  });
});

describe('credit and statements', () => {
  it('is given by a founder to a member of the account only, and audited', async () => {
    const { ctx, account, member } = await scene({ operator: true });
    const colleague = await makeMember(service, account.id, { role: 'MEMBER', permissions: ['generate'] });
    const stranger = (await makeAccount(service)).member;
    await grantCredit(ctx, { memberId: colleague.id, amountMicros: 2_000_000n, note: 'Novembre' });
    await expect(grantCredit(ctx, { memberId: stranger.id, amountMicros: 1n })).rejects.toMatchObject({
      code: 'not_found',
    });
    const plain = testContext(service, memberActor(colleague));
    await expect(grantCredit(plain, { memberId: member.id, amountMicros: 1n })).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(readWallet(plain, { memberId: member.id })).rejects.toMatchObject({ code: 'not_found' });
    await expect(grantCredit(ctx, { memberId: colleague.id, amountMicros: 0n })).rejects.toMatchObject({
      code: 'invalid',
    });
    const audits = await service.db.auditEntry.findMany({
      where: { action: 'ledger.granted', subjectId: colleague.id },
    });
    expect(audits).toHaveLength(1);
    expect(audits[0]).toMatchObject({ accountId: account.id, data: { amountMicros: '2000000' } });
  });

  it('a month opens where the one before closed, and its lines lead from one to the other', async () => {
    const { ctx, clock, hold, member } = await scene({ credit: 1_000_000n });
    const first = await hold(100_000n);
    await settle(ctx.kysely, ctx, { generationId: first.generationId, costMicros: 120_000n });
    clock.set('2026-12-03T00:00:00Z');
    const second = await hold(50_000n);
    await refund(ctx.kysely, ctx, { generationId: second.generationId });
    await giveCredit(ctx, member.id, 5_000n);
    const november = await readStatement(ctx, { memberId: member.id, month: '2026-11' });
    expect(november).toMatchObject({
      openingMicros: 0n,
      grantedMicros: 1_000_000n,
      settledMicros: 120_000n,
      closingMicros: 880_000n,
    });
    const december = await readStatement(ctx, { memberId: member.id, month: '2026-12', limit: 2 });
    expect(december).toMatchObject({ openingMicros: 880_000n, closingMicros: 885_000n });
    expect(december.lines.map((line) => line.kind)).toEqual(['RESERVE', 'REFUND']);
    const rest = await readStatement(ctx, {
      memberId: member.id,
      month: '2026-12',
      after: december.nextAfter ?? '',
    });
    expect(rest.lines.map((line) => [line.kind, line.balanceAfterMicros])).toEqual([['GRANT', 885_000n]]);
    await expect(readStatement(ctx, { memberId: member.id, month: '2026-13' })).rejects.toMatchObject({
      code: 'invalid',
    });
  });
});

describe('the spend alert', () => {
  it('is told once per multiple of the threshold and month, even by two processes, and again after a failed mail', async () => {
    const { ctx, clock, hold, account, lines } = await scene({ credit: 100_000_000n });
    const spend = async (costMicros: bigint) =>
      settle(ctx.kysely, ctx, {
        generationId: (await hold(1n)).generationId,
        costMicros,
        spendAlertMicros: 1_000_000n,
      });
    await spend(999_999n);
    expect(await sendSpendAlerts(ctx, { mail: async () => {} })).toBe(0);
    await spend(1n);
    await expect(sendSpendAlerts(ctx, { mail: () => Promise.reject(new Error('smtp')) })).resolves.toBe(0);
    clock.advance(11 * 60_000);
    const mails: SpendAlert[] = [];
    const mail = async (alert: SpendAlert) => void mails.push(alert);
    await Promise.all([sendSpendAlerts(ctx, { mail }), sendSpendAlerts(ctx, { mail })]);
    expect(mails).toEqual([
      {
        accountId: account.id,
        month: '2026-11',
        multiple: 1,
        thresholdMicros: 1_000_000n,
        spentMicros: 1_000_000n,
      },
    ]);
    await spend(2_500_000n);
    await spend(100_000n);
    await sendSpendAlerts(ctx, { mail });
    expect(mails.map((alert) => alert.multiple)).toEqual([1, 3]);
    expect(lines.filter((line) => line.event === 'ledger.spend_alert').length).toBe(3);
    const cut = connect({ url: 'postgresql://nobody@127.0.0.1:9/none', poolMax: 1 });
    expect(await sendSpendAlerts({ ...ctx, kysely: cut.kysely }, { mail })).toBe(0);
    expect(lines.at(-1)).toMatchObject({ event: 'ledger.spend_alert.failed', code: 'ECONNREFUSED' });
    await cut.close();
  });

  it('is left to the process that claims it: another passes over it, and waits for nobody', async () => {
    const { ctx, clock, account } = await scene();
    await service.db.spendAlert.updateMany({ data: { mailedAt: clock.now() } });
    await service.db.spendAlert.create({
      data: {
        accountId: account.id,
        month: '2026-11',
        multiple: 1,
        createdAt: clock.now(),
        thresholdMicros: 1_000_000n,
        spentMicros: 1_000_000n,
      },
    });
    const claim = {
      text: 'UPDATE "SpendAlert" SET "claimedUntil" = $2 WHERE "accountId" = $1',
      values: [account.id, new Date(clock.now().getTime() + 60_000)],
    };
    const pass = () => sendSpendAlerts(ctx, { mail: async () => {} });
    expect(await claimedMeanwhile(service, claim, pass)).toEqual({ came: 0, waited: false });
    expect(await pass()).toBe(0);
  });

  it('is told though twenty that came before it cannot be', async () => {
    const { ctx, clock, account } = await scene();
    const written = (month: string, multiple: number) => ({
      accountId: account.id,
      month,
      multiple,
      createdAt: clock.now(),
      thresholdMicros: 1_000_000n,
      spentMicros: 1_000_000n,
    });
    const refused = Array.from({ length: 20 }, (_, index) => written('2026-10', index + 1));
    await service.db.spendAlert.createMany({ data: refused });
    const told: string[] = [];
    const mail = async ({ accountId, month }: SpendAlert) => {
      if (accountId !== account.id || month === '2026-10') throw new Error('smtp');
      told.push(month);
    };
    await sendSpendAlerts(ctx, { mail });
    clock.advance(11 * 60_000);
    await service.db.spendAlert.create({ data: written('2026-11', 1) });
    await sendSpendAlerts(ctx, { mail });
    expect(told).toEqual(['2026-11']);
    // Those of another month are still to be told, the one of the same multiple too.
    expect(await service.db.spendAlert.count({ where: { accountId: account.id, mailedAt: null } })).toBe(20);
  });

  it('stops no debit, however small its threshold: past the largest multiple the count stays there', async () => {
    const { ctx, hold, wallet } = await scene({ credit: 10_000_000_000n });
    const spend = async (costMicros: bigint) =>
      settle(ctx.kysely, ctx, {
        generationId: (await hold(1n)).generationId,
        costMicros,
        spendAlertMicros: 1n,
      });
    expect(await spend(3_000_000_000n)).toMatchObject({
      found: 'open',
      alert: { multiple: 2_147_483_647, spentMicros: 3_000_000_000n },
    });
    expect(await spend(1_000_000n)).toMatchObject({ found: 'open', alert: null });
    expect((await wallet()).balanceMicros).toBe(6_999_000_000n);
  });
});

describe('a credit under a key', () => {
  it('is given once, however many identical requests come at once; another amount under it is refused', async () => {
    const { ctx, member, wallet } = await scene();
    const admin = { ...ctx, actor: { type: 'admin' } as const };
    const give = (amountMicros: bigint, memberId = member.id) =>
      grantCredit(admin, { memberId, amountMicros, idempotencyKey: 'grant-1' });
    const given = await Promise.all(Array.from({ length: 10 }, () => give(5_000_000n)));
    expect(new Set(given.map(({ lineId }) => lineId)).size).toBe(1);
    expect(given.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect((await wallet()).balanceMicros).toBe(5_000_000n);
    await expect(give(6_000_000n)).rejects.toMatchObject({ code: 'idempotency_conflict' });
    expect(
      await service.db.auditEntry.count({ where: { action: 'ledger.granted', subjectId: member.id } }),
    ).toBe(1);
    // A key is of one wallet: the same for two members gives to both.
    const other = await scene();
    await give(5_000_000n, other.member.id);
    expect((await other.wallet()).balanceMicros).toBe(5_000_000n);
    expect(await bookFaults(service)).toEqual([]);
  });
});
