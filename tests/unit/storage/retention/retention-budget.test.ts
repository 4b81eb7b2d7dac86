import { describe, expect, test, vi } from 'vitest';
import { createBudget, PASS_MS } from '#lib/storage/retention/budget.ts';

function budgetOf(
  options: { stopping?: AbortSignal; storeCallMs?: number; isLeaseOver?: () => boolean } = {},
) {
  let elapsedMs = 500;
  const budget = createBudget({
    budgetMs: 1_000,
    elapsedMs: () => elapsedMs,
    storeCallMs: options.storeCallMs ?? 60_000,
    stopping: options.stopping,
    ...(options.isLeaseOver ? { isLeaseOver: options.isLeaseOver } : {}),
  });
  return {
    budget,
    advance: (ms: number) => {
      elapsedMs += ms;
    },
  };
}

describe('what a pass of retention may still spend', () => {
  test('its time is counted from its own start, and is spent to the millisecond', () => {
    const { budget, advance } = budgetOf();
    expect(budget.isSpent()).toBe(false);
    advance(999);
    expect(budget.isSpent()).toBe(false);
    advance(1);
    expect(budget.isSpent()).toBe(true);
    expect(PASS_MS).toBe(4 * 60_000);
  });

  test('25 failures of the store in a row end the pass; one answer starts the count again', () => {
    const { budget } = budgetOf();
    const fail = (times: number) => {
      for (let n = 0; n < times; n += 1) budget.storeAnswered(false);
    };
    fail(24);
    budget.storeAnswered(true);
    fail(24);
    expect(budget.isSpent()).toBe(false);
    fail(1);
    expect(budget.isSpent()).toBe(true);
  });

  test('an instance that is asked to stop, or a pass that gives up, begins nothing more', () => {
    const stopping = new AbortController();
    const { budget } = budgetOf({ stopping: stopping.signal });
    expect(budget.isSpent()).toBe(false);
    stopping.abort();
    expect(budget.isSpent()).toBe(true);
    const given = budgetOf().budget;
    given.stop();
    expect(given.isSpent()).toBe(true);
  });

  test('a pass whose lease is over begins nothing more, whatever time it has left', () => {
    let isOver = false;
    const { budget } = budgetOf({ isLeaseOver: () => isOver });
    expect(budget.isSpent()).toBe(false);
    isOver = true;
    expect(budget.isSpent()).toBe(true);
  });

  test('a call gives what the store gave, or how it failed, or fails when it says nothing', async () => {
    const { budget } = budgetOf();
    expect(await budget.inTime(Promise.resolve('bytes'))).toBe('bytes');
    await expect(budget.inTime(Promise.reject(new Error('down')))).rejects.toThrow('down');
    await expect(budgetOf({ storeCallMs: 1 }).budget.inTime(new Promise(() => {}))).rejects.toMatchObject({
      name: 'StoreSilent',
    });
  });

  test('a call that has answered leaves no timer behind that would hold its function', async () => {
    vi.useFakeTimers();
    try {
      await budgetOf().budget.inTime(Promise.resolve());
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});
