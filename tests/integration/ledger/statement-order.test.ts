import { fork } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { manualClock } from '#lib/core/clock.ts';
import type { Context } from '#lib/core/context.ts';
import { readBudget } from '#lib/ledger/budget/read-budget.ts';
import { refund, settle } from '#lib/ledger/close-reserve.ts';
import { grantCredit } from '#lib/ledger/grant-credit.ts';
import { listLines, type NamedLine } from '#lib/ledger/reads/list-lines.ts';
import { readStatement, type StatementLine } from '#lib/ledger/reads/read-statement.ts';
import { makeAccount, makeMember } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { bookFaults, giveCredit, makeGeneration, makeGenerations } from '#tests/factories/ledger.ts';
import { reserve } from '#tests/factories/reserve.ts';
import { statementFaults } from '#tests/factories/statements/statement-faults.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 20 });

async function scene(at: string) {
  const { account, member, actor } = await makeAccount(service);
  /** One instance of the service: its clock is its own. */
  const instance = (skewMs: number) =>
    testContext(service, actor, { clock: manualClock(new Date(Date.parse(at) + skewMs).toISOString()) });
  /** What one request writes: a reserve, then its settlement or its refund. */
  const request = async (opens: Context, closes: Context, index: number, memberId = member.id) => {
    const owner = { accountId: account.id, memberId };
    const generationId = await makeGeneration(service, owner, opens.clock.now());
    await reserve(opens.kysely, opens, { ...owner, generationId, amountMicros: 40_000n });
    if (index % 3 === 0) await refund(closes.kysely, closes, { generationId });
    else await settle(closes.kysely, closes, { generationId, costMicros: 30_000n + BigInt(index) });
  };
  return { instance, request, account, member };
}

async function wholeStatement(ctx: Context, memberId: string, month: string): Promise<StatementLine[]> {
  const lines: StatementLine[] = [];
  let after: string | undefined;
  do {
    const page = await readStatement(ctx, { memberId, month, limit: 500, ...(after ? { after } : {}) });
    lines.push(...page.lines);
    after = page.nextAfter ?? undefined;
  } while (after);
  return lines;
}

async function everyPage(ctx: Context, memberId: string, month: string): Promise<NamedLine[]> {
  const lines: NamedLine[] = [];
  let before: string | undefined;
  do {
    const page = await listLines(ctx, { memberId, month, ...(before ? { place: { before } } : {}) });
    lines.push(...page.lines);
    before = page.older?.before;
  } while (before);
  return lines.reverse();
}

describe('a statement', () => {
  it('reads line by line as the wallet went, whatever the clocks of the instances that wrote it', async () => {
    const { instance, request, member } = await scene('2026-11-10T08:00:00Z');
    const [one, other] = [instance(0), instance(-90_000)];
    await giveCredit(one, member.id, 100_000_000n);
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        index % 2 === 0 ? request(one, other, index) : request(other, one, index),
      ),
    );
    for (const lines of [
      await wholeStatement(one, member.id, '2026-11'),
      await everyPage(one, member.id, '2026-11'),
    ]) {
      expect(lines).toHaveLength(101);
      expect(statementFaults(lines)).toEqual([]);
      expect(lines.map(({ position }) => position)).toEqual(lines.map((_, index) => index + 1));
    }
  });

  it('goes on from the month before it: a line that a slow clock writes after one of December is of December', async () => {
    const { instance, request, member } = await scene('2026-12-01T00:00:30Z');
    const [fast, slow] = [instance(0), instance(-60_000)];
    await giveCredit(slow, member.id, 100_000_000n);
    await request(slow, slow, 1);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0 ? request(fast, slow, index) : request(slow, fast, index),
      ),
    );
    await grantCredit({ ...slow, actor: { type: 'admin' } }, { memberId: member.id, amountMicros: 5n });
    const november = await wholeStatement(fast, member.id, '2026-11');
    const december = await wholeStatement(fast, member.id, '2026-12');
    expect(november.length + december.length).toBe(1 + 2 + 40 + 1);
    expect(statementFaults([...november, ...december])).toEqual([]);
    expect(await bookFaults(service)).toEqual([]);
    const { openingMicros, closingMicros } = await readStatement(fast, {
      memberId: member.id,
      month: '2026-12',
    });
    expect(openingMicros).toBe(november.at(-1)?.balanceAfterMicros);
    expect(closingMicros).toBe(december.at(-1)?.balanceAfterMicros);
  });

  it('of one member whose line a slow clock writes once the account is in the next month leaves that month’s spending as it is', async () => {
    const { instance, request, account, member } = await scene('2026-12-01T00:00:30Z');
    const [fast, slow] = [instance(0), instance(-60_000)];
    const colleague = await makeMember(service, account.id);
    for (const { id } of [member, colleague]) await giveCredit(slow, id, 1_000_000n);
    await request(fast, fast, 1);
    await request(slow, slow, 2, colleague.id);
    expect((await readBudget(fast)).monthSpentMicros).toBe(30_001n);
    const { settledMicros } = await readStatement(fast, { memberId: colleague.id, month: '2026-11' });
    expect(settledMicros).toBe(30_002n);
    expect(await bookFaults(service)).toEqual([]);
  });

  it('of 10,000 lines, written by 8 processes whose clocks disagree, has no line that does not follow', {
    timeout: 600_000,
  }, async () => {
    const { instance, member } = await scene('2026-11-10T08:00:00Z');
    const reader = instance(0);
    await giveCredit(reader, member.id, 1_000_000_000_000n);
    const [processes, requests] = [8, 625];
    const generations = await Promise.all(
      Array.from({ length: processes }, () =>
        makeGenerations(
          service,
          { accountId: member.accountId, memberId: member.id },
          requests,
          new Date('2026-11-10T07:00:00Z'),
        ),
      ),
    );
    const codes = await Promise.all(
      generations.map(
        (ids, index) =>
          new Promise<number | null>((resolve) => {
            const child = fork(new URL('./write-lines.ts', import.meta.url), { stdio: 'inherit' });
            child.send({
              url: service.databaseUrl,
              owner: { accountId: member.accountId, memberId: member.id },
              generationIds: ids,
              at: Date.parse('2026-11-10T08:00:00Z') + (index - 4) * 45_000,
            });
            child.on('exit', resolve);
          }),
      ),
    );
    expect(codes).toEqual(Array.from({ length: processes }, () => 0));
    const lines = await wholeStatement(reader, member.id, '2026-11');
    expect(lines).toHaveLength(1 + processes * requests * 2);
    expect(statementFaults(lines)).toEqual([]);
    expect(lines.map(({ position }) => position)).toEqual(lines.map((_, index) => index + 1));
    expect(await bookFaults(service)).toEqual([]);
  });
});
