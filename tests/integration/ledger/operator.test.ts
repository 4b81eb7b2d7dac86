import { expect, it } from 'vitest';
import { setAllowance } from '#lib/brain/quota/set-allowance.ts';
import { manualClock } from '#lib/core/clock.ts';
import type { Context } from '#lib/core/context.ts';
import { MICROS_PER_USD } from '#lib/core/money.ts';
import { connect } from '#lib/db/connection.ts';
import { preparedBy } from '#lib/db/pool.ts';
import { setOperator } from '#lib/identity/accounts/set-operator.ts';
import { creditRequestMail } from '#lib/ledger/budget/credit-request-mail.ts';
import { giveToAccount } from '#lib/ledger/budget/give-to-account.ts';
import { readBudget } from '#lib/ledger/budget/read-budget.ts';
import { requestCredit } from '#lib/ledger/budget/request-credit.ts';
import { setCeiling } from '#lib/ledger/budget/set-ceiling.ts';
import { takeBackFromAccount } from '#lib/ledger/budget/take-back-from-account.ts';
import { refund, settle } from '#lib/ledger/close-reserve.ts';
import { grantCredit } from '#lib/ledger/grant-credit.ts';
import { readWallet } from '#lib/ledger/reads/read-wallet.ts';
import { setCaps } from '#lib/ledger/set-caps.ts';
import { setAccountLimits } from '#lib/storage/uploads/set-account-limits.ts';
import { setStorageQuota } from '#lib/storage/uploads/set-storage-quota.ts';
import { listAccounts } from '#lib/studio/operations/list-accounts.ts';
import { listRuns } from '#lib/studio/operations/list-runs.ts';
import { makeAccount, makeKey, makeMember } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { bookFaults, makeGeneration } from '#tests/factories/ledger.ts';
import { reserve } from '#tests/factories/reserve.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { untilBlocked } from '#tests/factories/statements/until-blocked.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 20 });

async function scene() {
  const clock = manualClock('2026-11-10T08:00:00Z');
  const operator = await makeAccount(service, { name: 'Exploitant', operator: true });
  const tenant = await makeAccount(service, { name: 'Locataire' });
  const colleague = await makeMember(service, tenant.account.id, { role: 'MEMBER' });
  return {
    clock,
    colleague,
    accountId: tenant.account.id,
    tenant: { ...tenant, ctx: testContext(service, tenant.actor, { clock }) },
    operator: { ...operator, ctx: testContext(service, operator.actor, { clock }) },
    shell: testContext(service, { type: 'admin' }, { clock }),
  };
}

const walletsOf = async (accountId: string) => {
  const { _sum } = await service.db.wallet.aggregate({ where: { accountId }, _sum: { balanceMicros: true } });
  return _sum.balanceMicros ?? 0n;
};

it('a tenant’s founder makes no money out of nothing, for nobody', async () => {
  const { tenant, colleague, accountId } = await scene();
  for (const memberId of [tenant.member.id, colleague.id])
    await expect(
      grantCredit(tenant.ctx, { memberId, amountMicros: 1_000_000n * MICROS_PER_USD }),
    ).rejects.toMatchObject({
      code: 'invalid',
      options: { detail: 'budget', problems: [{ field: 'amountUsd' }] },
    });
  await expect(giveToAccount(tenant.ctx, { accountId, amountMicros: 1n })).rejects.toMatchObject({
    code: 'forbidden',
  });
  expect(await walletsOf(accountId)).toBe(0n);
  expect(await bookFaults(service)).toEqual([]);
});

it('what concerns every account answers to the operator’s founders alone: no tenant, no plain member, no key', async () => {
  const { tenant, operator, accountId } = await scene();
  const member = await makeMember(service, operator.account.id, {
    role: 'MEMBER',
    permissions: ['service.operate', 'operations.read', 'ledger.grant'],
  });
  const { actor: key } = await makeKey(service, operator.member);
  const plain = {
    ...operator.actor,
    memberId: member.id,
    role: 'MEMBER',
    permissions: ['service.operate'],
  } as const;
  for (const actor of [tenant.actor, plain, { ...key, operator: true }]) {
    const ctx = testContext(service, actor);
    const refused = [
      listRuns(ctx, { job: 'generations-sweep' }),
      listAccounts(ctx),
      setCeiling(ctx, { accountId, monthlyCeilingMicros: null }),
      giveToAccount(ctx, { accountId, amountMicros: 1n }),
      setStorageQuota(ctx, { accountId, bytes: 1n }),
      setAccountLimits(ctx, { accountId, bytes: 1n }),
      setAccountLimits(ctx, { accountId, monthlyCeilingMicros: null }),
    ];
    for (const call of refused) await expect(call).rejects.toMatchObject({ code: 'forbidden' });
  }
  expect((await listRuns(operator.ctx, { job: 'generations-sweep' })).runs).toEqual([]);
  await expect(
    setAccountLimits(operator.ctx, { accountId, monthlyCeilingMicros: 1n, bytes: -1n }),
  ).rejects.toMatchObject({ code: 'invalid_request' });
  await setStorageQuota(operator.ctx, { accountId, bytes: 5n });
  const { accounts } = await listAccounts(operator.ctx, { limit: 1_000 });
  expect(accounts.find((one) => one.accountId === accountId)).toMatchObject({
    quotaBytes: 5n,
    isOperator: false,
  });
  expect(accounts.filter(({ isOperator }) => isOperator).map((one) => one.accountId)).toEqual([
    operator.account.id,
  ]);
});

it('credit moves: of 50 shares at once out of what was given, exactly those that fit are received', async () => {
  const { tenant, operator, colleague, accountId } = await scene();
  const give = () =>
    giveToAccount(operator.ctx, {
      accountId,
      amountMicros: 1_000_000n,
      note: 'Hiver',
      idempotencyKey: 'une',
    });
  const given = await Promise.all(Array.from({ length: 5 }, give));
  expect(given.filter(({ replayed }) => !replayed)).toHaveLength(1);
  await expect(
    giveToAccount(operator.ctx, { accountId, amountMicros: 2n, idempotencyKey: 'une' }),
  ).rejects.toMatchObject({ code: 'idempotency_conflict' });
  const shares = await Promise.allSettled(
    Array.from({ length: 50 }, (_, rank) =>
      grantCredit(tenant.ctx, {
        memberId: rank % 2 ? colleague.id : tenant.member.id,
        amountMicros: 60_000n,
      }),
    ),
  );
  expect(shares.filter(({ status }) => status === 'fulfilled')).toHaveLength(16);
  expect((await readBudget(tenant.ctx)).balanceMicros).toBe(40_000n);
  expect(await walletsOf(accountId)).toBe(960_000n);
  const key = { memberId: colleague.id, amountMicros: 40_000n, idempotencyKey: 'reste' };
  const rest = await Promise.all(Array.from({ length: 5 }, () => grantCredit(tenant.ctx, key)));
  expect(rest.filter(({ replayed }) => !replayed)).toHaveLength(1);
  expect((await readBudget(tenant.ctx)).balanceMicros).toBe(0n);
  expect(await walletsOf(accountId)).toBe(1_000_000n);
  expect(await bookFaults(service)).toEqual([]);
  expect(
    await service.db.auditEntry.findMany({ where: { accountId, action: 'ledger.account_granted' } }),
  ).toMatchObject([{ actor: `member:${operator.member.id}`, data: { amountMicros: '1000000' } }]);
});

it('a line of what an account was given is never changed nor removed, not even by the owner of the tables, and none takes it below zero', async () => {
  const { operator, accountId } = await scene();
  await giveToAccount(operator.ctx, { accountId, amountMicros: 1_000_000n });
  for (const text of [
    'UPDATE "BudgetLine" SET "amountMicros" = 2000000',
    'DELETE FROM "BudgetLine"',
    'TRUNCATE "BudgetLine"',
  ])
    await expect(service.pool.query(text)).rejects.toThrow(/append-only/);
  const below = 'UPDATE "Budget" SET "balanceMicros" = -1 WHERE "accountId" = $1';
  await expect(service.pool.query(below, [accountId])).rejects.toMatchObject({ code: '23514' });
  expect(await bookFaults(service)).toEqual([]);
});

it('credit given by mistake is taken back by the operator alone: once, audited, and never what was shared out, held or spent', async () => {
  const { tenant, operator, colleague, accountId } = await scene();
  await giveToAccount(operator.ctx, { accountId, amountMicros: 1_000_000n });
  await grantCredit(tenant.ctx, { memberId: colleague.id, amountMicros: 300_000n });
  await expect(takeBackFromAccount(tenant.ctx, { accountId, amountMicros: 1n })).rejects.toMatchObject({
    code: 'forbidden',
  });
  await expect(
    takeBackFromAccount(operator.ctx, { accountId, amountMicros: 700_001n }),
  ).rejects.toMatchObject({ code: 'invalid', options: { problems: [{ field: 'amountUsd' }] } });
  const once = { accountId, amountMicros: 200_000n, note: 'Deux fois', idempotencyKey: 'reprise' };
  const taken = await Promise.all(Array.from({ length: 5 }, () => takeBackFromAccount(operator.ctx, once)));
  expect(taken.filter(({ replayed }) => !replayed)).toHaveLength(1);
  await expect(takeBackFromAccount(operator.ctx, { ...once, amountMicros: 1n })).rejects.toMatchObject({
    code: 'idempotency_conflict',
  });
  // Beside shares of the same credit, what is left is given or taken, never both.
  const races = await Promise.allSettled(
    Array.from({ length: 20 }, (_, rank) =>
      rank % 2
        ? takeBackFromAccount(operator.ctx, { accountId, amountMicros: 60_000n })
        : grantCredit(tenant.ctx, { memberId: colleague.id, amountMicros: 60_000n }),
    ),
  );
  expect(races.filter(({ status }) => status === 'fulfilled')).toHaveLength(8);
  const [shared = 0, takenBack = 0] = [0, 1].map(
    (turn) => races.filter(({ status }, rank) => status === 'fulfilled' && rank % 2 === turn).length,
  );
  expect((await readBudget(tenant.ctx)).balanceMicros).toBe(20_000n);
  expect(await walletsOf(accountId)).toBe(300_000n + 60_000n * BigInt(shared));
  expect(await bookFaults(service)).toEqual([]);
  const said = await service.db.auditEntry.findMany({
    where: { accountId, action: 'ledger.account_taken_back' },
  });
  // All of one moment of the test's clock: none comes before another.
  expect(new Set(said.map(({ actor }) => actor))).toEqual(new Set([`member:${operator.member.id}`]));
  const amounts = said.map(({ data }) => (data as { amountMicros: string }).amountMicros);
  expect(amounts.sort()).toEqual(['200000', ...Array(takenBack).fill('60000')]);
});

it('the ceiling of an account is held exactly: of 50 reserves at once by its members, those that fit under it', async () => {
  const { clock, tenant, operator, colleague, accountId, shell } = await scene();
  const owners = [tenant.member.id, colleague.id].map((memberId) => ({ accountId, memberId }));
  for (const { memberId } of owners) await grantCredit(shell, { memberId, amountMicros: 10_000_000n });
  await setCeiling(operator.ctx, { accountId, monthlyCeilingMicros: 1_000_000n });
  const asked = await Promise.all(
    Array.from({ length: 50 }, async (_, rank) => {
      const owner = owners[rank % 2] as (typeof owners)[0];
      return {
        ...owner,
        generationId: await makeGeneration(service, owner, clock.now()),
        amountMicros: 60_000n,
      };
    }),
  );
  // All of them have begun, and read the books as they are now, before the first may go on.
  const gate = await service.pool.connect();
  await gate.query('begin');
  await gate.query('select 1 from "Budget" where "accountId" = $1 for update', [accountId]);
  const answers = Promise.all(asked.map((one) => reserve(service.kysely, tenant.ctx, one)));
  await untilBlocked(service, 20);
  await gate.query('rollback');
  gate.release();
  const results = await answers;
  const held = asked.filter((_, rank) => results[rank]?.held);
  expect(held).toHaveLength(16);
  expect(results.find((result) => !result.held)).toEqual({
    held: false,
    refusal: { code: 'cap', detail: 'account', capMicros: 1_000_000n, usedMicros: 960_000n },
  });
  expect(await readBudget(tenant.ctx)).toMatchObject({ heldMicros: 960_000n, monthSpentMicros: 0n });

  // Closed all at once: what is settled still counts, what is refunded does not.
  await Promise.all(
    held.map(({ generationId }, rank) =>
      rank < 8
        ? settle(service.kysely, tenant.ctx, { generationId, costMicros: 50_000n })
        : refund(service.kysely, tenant.ctx, { generationId }),
    ),
  );
  expect(await readBudget(tenant.ctx)).toMatchObject({ heldMicros: 0n, monthSpentMicros: 400_000n });
  const hold = async (amountMicros: bigint) => {
    const owner = owners[0] as (typeof owners)[0];
    const generationId = await makeGeneration(service, owner, clock.now());
    return reserve(service.kysely, tenant.ctx, { ...owner, generationId, amountMicros });
  };
  expect((await hold(600_001n)).held).toBe(false);
  expect((await hold(600_000n)).held).toBe(true);
  // Another month: the settlements of the last one no longer count, what is held does.
  clock.set('2026-12-01T00:00:00Z');
  expect((await hold(400_001n)).held).toBe(false);
  expect((await hold(400_000n)).held).toBe(true);
  expect(await bookFaults(service)).toEqual([]);
});

it('reserves, closes and shares of one account at once neither deadlock nor lose a cent', async () => {
  const { clock, tenant, operator, colleague, accountId, shell } = await scene();
  const owners = [tenant.member.id, colleague.id].map((memberId) => ({ accountId, memberId }));
  for (const { memberId } of owners) await grantCredit(shell, { memberId, amountMicros: 10_000_000n });
  await giveToAccount(operator.ctx, { accountId, amountMicros: 1_000_000n });
  await setCeiling(operator.ctx, { accountId, monthlyCeilingMicros: 2_000_000n });
  await Promise.all(
    Array.from({ length: 40 }, async (_, rank) => {
      const owner = owners[rank % 2] as (typeof owners)[0];
      const generationId = await makeGeneration(service, owner, clock.now());
      const { held } = await reserve(service.kysely, tenant.ctx, {
        ...owner,
        generationId,
        amountMicros: 70_000n,
      });
      if (rank % 4 === 0) await grantCredit(tenant.ctx, { memberId: owner.memberId, amountMicros: 10_000n });
      if (rank % 4 === 1)
        await setCaps(tenant.ctx, { memberId: owner.memberId, perGenerationCapMicros: 100_000n });
      if (!held) return;
      if (rank % 3) await settle(service.kysely, tenant.ctx, { generationId, costMicros: 40_000n });
      else await refund(service.kysely, tenant.ctx, { generationId });
    }),
  );
  expect((await readBudget(tenant.ctx)).balanceMicros).toBe(900_000n);
  expect(await bookFaults(service)).toEqual([]);
});

it('credit is given to no member who was removed, nor while they are: it would never come back', async () => {
  const { tenant, colleague, accountId } = await scene();
  const other = await makeMember(service, accountId, { role: 'MEMBER' });
  const shell = testContext(service, { type: 'admin' });
  await giveToAccount(shell, { accountId, amountMicros: 1_000_000n });
  await service.db.member.update({ where: { id: colleague.id }, data: { status: 'REMOVED' } });
  for (const ctx of [tenant.ctx, shell])
    await expect(
      grantCredit(ctx, { memberId: colleague.id, amountMicros: 1n, idempotencyKey: 'retiré' }),
    ).rejects.toMatchObject({ code: 'not_found' });
  const removing = await service.pool.connect();
  try {
    await removing.query('BEGIN');
    await removing.query(`UPDATE "Member" SET status = 'REMOVED' WHERE id = $1`, [other.id]);
    const given = grantCredit(tenant.ctx, { memberId: other.id, amountMicros: 1n }).catch(({ code }) => code);
    await Promise.race([given, untilBlocked(service)]);
    await removing.query('COMMIT');
    expect(await given).toBe('not_found');
  } finally {
    removing.release();
  }
  expect((await readBudget(tenant.ctx)).balanceMicros).toBe(1_000_000n);
  expect(await walletsOf(accountId)).toBe(0n);
});

it('a suspended member may be given credit, which waits for them', async () => {
  const { operator } = await scene();
  const { id: memberId } = await makeMember(service, operator.account.id);
  await service.db.member.update({ where: { id: memberId }, data: { status: 'SUSPENDED' } });
  expect(await grantCredit(operator.ctx, { memberId, amountMicros: 3n })).toMatchObject({
    balanceMicros: 3n,
  });
});

it('taking back too much is refused on the one connection that asks: a second is waited for by nobody', async () => {
  const { operator, accountId } = await scene();
  await giveToAccount(operator.ctx, { accountId, amountMicros: 1_000_000n });
  const { db, kysely, close } = connect({
    url: service.databaseUrl,
    poolMax: 1,
    preparedStatements: preparedBy(process.env),
  });
  const asked = takeBackFromAccount({ ...operator.ctx, db, kysely }, { accountId, amountMicros: 1_000_001n });
  await expect(asked).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringMatching(/1,00\s\$US à répartir/),
  });
  await close();
});

it('asking for more tells the operator’s founders, once a day however often it is pressed, and is audited', async () => {
  const { clock, tenant, operator, colleague, accountId } = await scene();
  const away = await makeMember(service, operator.account.id);
  await service.db.member.update({ where: { id: away.id }, data: { status: 'SUSPENDED' } });
  await giveToAccount(operator.ctx, { accountId, amountMicros: 2n });
  clock.advance(60_000);
  const press = () => Promise.allSettled(Array.from({ length: 10 }, () => requestCredit(tenant.ctx)));
  const sent = (await press()).flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(sent).toMatchObject([
    { to: [operator.member.email], request: { accountName: 'Locataire', balanceMicros: 2n } },
  ]);
  const asking = () =>
    service.db.auditEntry.count({ where: { accountId, action: 'ledger.credit_requested' } });
  expect(await asking()).toBe(1);
  const asks = async () =>
    (await listAccounts(operator.ctx, { limit: 1_000 })).accounts.find((one) => one.accountId === accountId)
      ?.asksSince;
  expect(await asks()).toEqual(clock.now());
  clock.advance(60_000);
  // Who is away is no active member of theirs.
  const { accounts } = await listAccounts(operator.ctx, { limit: 1_000 });
  expect(accounts.find((one) => one.accountId === operator.account.id)?.members).toBe(1);
  // What is shared out of what was left answers nothing.
  await grantCredit(tenant.ctx, { memberId: colleague.id, amountMicros: 1n });
  expect(await asks()).not.toBeNull();
  await giveToAccount(operator.ctx, { accountId, amountMicros: 1n });
  expect(await asks()).toBeNull();
  await expect(requestCredit(tenant.ctx)).rejects.toMatchObject({
    code: 'rate_limited',
    options: { retryAfterSeconds: 24 * 3_600 - 60 },
  });
  clock.advance(24 * 3_600_000 - 60_000);
  expect((await press()).filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const plain = testContext(service, { ...tenant.actor, memberId: colleague.id, role: 'MEMBER' });
  await expect(requestCredit(plain)).rejects.toMatchObject({ code: 'forbidden' });
  await expect(requestCredit(operator.ctx)).rejects.toMatchObject({ code: 'conflict' });
});

it('who asks writes nothing to the operator: whatever their names hold, the mail has the lines of any other', async () => {
  const { tenant, operator } = await scene();
  await service.db.member.update({
    where: { id: tenant.member.id },
    data: { name: 'Camille\n\nAtelier\u00a0: votre compte sera fermé.\r\nRépondez à ce message' },
  });
  await service.db.account.update({
    where: { id: tenant.account.id },
    data: { name: 'Locataire\r\nBcc: tous@exemple.test' },
  });
  const { to, request } = await requestCredit(tenant.ctx);
  expect(to).toEqual([operator.member.email]);
  const { subject, text } = creditRequestMail(to[0] ?? '', request);
  expect(subject).not.toMatch(/[\r\n]/);
  const plain = creditRequestMail('', { ...request, memberName: 'Camille', accountName: 'Locataire' });
  expect(text.split('\n').slice(1)).toEqual(plain.text.split('\n').slice(1));
  expect(text.split('\n')[0]).toMatch(/^Camille Atelier .*Bcc: tous@exemple\.test\u00a0», demande/);
});

it('one account is the operator’s: another takes its place by name, never beside it, from the shell', async () => {
  const { shell, operator, accountId } = await scene();
  await expect(
    service.db.account.update({ where: { id: accountId }, data: { isOperator: true } }),
  ).rejects.toMatchObject({ code: 'P2002' });
  await Promise.all([
    setOperator(shell, { accountId }),
    setOperator(shell, { accountId }),
    setOperator(shell, { accountId: operator.account.id }),
  ]);
  expect(await service.db.account.count({ where: { isOperator: true } })).toBe(1);
  await setOperator(shell, { accountId });
  expect(await service.db.account.findFirst({ where: { isOperator: true } })).toMatchObject({
    id: accountId,
  });
  await expect(setOperator(shell, { accountId: 'acc_inconnu' })).rejects.toMatchObject({ code: 'not_found' });
});

it('the operator’s own members are credited by its founders, as the contract says', async () => {
  const { operator } = await scene();
  await grantCredit(operator.ctx, { memberId: operator.member.id, amountMicros: 7n });
  expect((await readWallet(operator.ctx, { memberId: operator.member.id })).balanceMicros).toBe(7n);
  expect(await bookFaults(service)).toEqual([]);
});

it('an account whose erasure began is given nothing, and nothing else of its money is moved: said why, by the page and by the shell', async () => {
  const { operator, shell, accountId } = await scene();
  await giveToAccount(operator.ctx, { accountId, amountMicros: 1_000_000n });
  const moves = [
    (ctx: Context) => giveToAccount(ctx, { accountId, amountMicros: 1n }),
    (ctx: Context) => giveToAccount(ctx, { accountId, amountMicros: 1n, idempotencyKey: 'après' }),
    (ctx: Context) => takeBackFromAccount(ctx, { accountId, amountMicros: 1n }),
    (ctx: Context) => setCeiling(ctx, { accountId, monthlyCeilingMicros: 0n }),
    (ctx: Context) => setStorageQuota(ctx, { accountId, bytes: 1n }),
  ];
  const closedAt = new Date('2026-10-01T00:00:00Z');
  const erasingAt = new Date('2026-11-01T00:00:00Z');
  const erase = (erasedAt: Date | null) =>
    service.db.account.update({ where: { id: accountId }, data: { closedAt, erasingAt, erasedAt } });
  // It begins between the look and the transaction.
  const kysely = interceptedQueries(service.connection.pool, {
    before: ({ label }) => (label === 'begin' ? erase(null) : undefined),
  });
  const refused = (what: string) => ({
    code: 'conflict',
    message: `${what}\u00a0: son crédit et ses limites ne changent plus.`,
  });
  await expect(
    giveToAccount({ ...operator.ctx, kysely }, { accountId, amountMicros: 1n }),
  ).rejects.toMatchObject(refused('L’effacement de ce compte a commencé'));
  for (const [erasedAt, what] of [
    [null, 'L’effacement de ce compte a commencé'],
    [erasingAt, 'Ce compte est effacé'],
  ] as const) {
    await erase(erasedAt);
    for (const ctx of [operator.ctx, shell])
      for (const move of moves) await expect(move(ctx)).rejects.toMatchObject(refused(what));
    await expect(setAllowance(shell, { accountId, capacityCu: 1 })).rejects.toMatchObject(refused(what));
  }
  expect(await service.db.budget.findUnique({ where: { accountId } })).toMatchObject({
    balanceMicros: 1_000_000n,
    monthlyCeilingMicros: null,
  });
  const told = await service.db.auditEntry.findMany({ where: { accountId }, select: { action: true } });
  expect(told).toEqual([{ action: 'ledger.account_granted' }]);
  expect(await bookFaults(service)).toEqual([]);
});
