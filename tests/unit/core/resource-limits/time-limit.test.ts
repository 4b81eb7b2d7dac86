import { describe, expect, test } from 'vitest';
import { manualClock } from '#lib/core/clock.ts';
import { TimeLimit, timeLimit } from '#lib/core/resource-limits/time-limit.ts';

describe('how long work may go on', () => {
  test('is counted from its own start, to the millisecond, and never below zero', () => {
    let elapsedMs = 500;
    const limit = new TimeLimit(1_000, () => elapsedMs);
    expect([limit.leftMs, limit.isOver()]).toEqual([1_000, false]);
    elapsedMs += 999;
    expect([limit.leftMs, limit.isOver()]).toEqual([1, false]);
    elapsedMs += 1;
    expect([limit.leftMs, limit.isOver()]).toEqual([0, true]);
    elapsedMs += 5_000;
    expect([limit.leftMs, limit.isOver()]).toEqual([0, true]);
  });

  test('a part of it ends with it, however long it was to be, and sooner when it was to be shorter', () => {
    let elapsedMs = 0;
    const whole = new TimeLimit(1_000, () => elapsedMs);
    const [long, short] = [whole.upTo(5_000), whole.upTo(300)];
    expect([long.leftMs, short.leftMs]).toEqual([1_000, 300]);
    elapsedMs = 300;
    expect([whole.isOver(), long.isOver(), short.isOver()]).toEqual([false, false, true]);
    elapsedMs = 1_000;
    expect([whole.isOver(), long.isOver()]).toEqual([true, true]);
  });

  test('says whether it stopped something: time that ran out when nothing was asked of it stopped nothing', () => {
    let elapsedMs = 0;
    const whole = new TimeLimit(1_000, () => elapsedMs);
    const part = whole.upTo(100);
    elapsedMs = 100;
    expect([part.stopped, whole.stopped]).toEqual([false, false]);
    expect(part.isOver()).toBe(true);
    expect([part.stopped, whole.stopped]).toEqual([true, true]);
  });

  test('is by the clock of who works when it is a part of nothing', () => {
    const clock = manualClock('2026-11-21T03:40:00Z');
    const limit = timeLimit({ clock }, 20_000);
    clock.advance(19_999);
    expect(limit.isOver()).toBe(false);
    clock.advance(1);
    expect(limit.isOver()).toBe(true);
    const within = new TimeLimit(50, () => 0);
    expect(timeLimit({ clock }, 20_000, within).leftMs).toBe(50);
  });
});
