import { expect, it } from 'vitest';
import type { Generation } from '#lib/studio/generation/generation.ts';
import type { Advanced } from '#lib/studio/lifecycle/advance-generation.ts';
import { counterOf, emptyReport } from '#lib/studio/sweep/sweep-report.ts';

const KINDS = ['IMAGE', 'VECTOR', 'VOICE', 'RENDER', 'VIDEO', 'MOTION', 'LIPSYNC'] as const;
const JOBS: readonly string[] = ['VIDEO', 'MOTION', 'LIPSYNC'];
const row = (kind: (typeof KINDS)[number], state: 'SUBMITTED' | 'COMPLETED' | 'FAILED') =>
  ({ kind, state }) as Generation;
const counted = (advanced: Advanced) => counterOf(advanced);

it('a pass that has done nothing counts nothing', () => {
  expect(Object.values(emptyReport())).toEqual([0, 0, 0, 0, 0, 0, 0]);
});

it.each(KINDS)(
  '%s: what another closed counts nowhere; a debit that waited, and what nobody would finish, count alike',
  (kind) => {
    for (const state of ['COMPLETED', 'FAILED'] as const) {
      const one = row(kind, state);
      expect(counted({ row: one, result: 'closed-by-another' })).toBeNull();
      expect(counted({ row: one, result: 'closed', reason: 'charge-due' })).toBe('settled');
      expect(counted({ row: one, result: 'closed', reason: 'reserve-closed' })).toBe('reconciled');
      expect(counted({ row: one, result: 'closed', reason: 'abandoned' })).toBe('reconciled');
    }
  },
);

it.each(KINDS)(
  '%s: what ends by itself or by its deadline is told apart for jobs, and reconciled for the rest',
  (kind) => {
    const isJob = JOBS.includes(kind);
    const ended = (state: 'COMPLETED' | 'FAILED', reason: 'ended' | 'deadline') =>
      counted({ row: row(kind, state), result: 'closed', reason });
    expect(ended('COMPLETED', 'ended')).toBe(isJob ? 'videoSettled' : 'reconciled');
    expect(ended('COMPLETED', 'deadline')).toBe(isJob ? 'videoSettled' : 'reconciled');
    expect(ended('FAILED', 'ended')).toBe(isJob ? 'videoFailed' : 'reconciled');
    expect(ended('FAILED', 'deadline')).toBe(isJob ? 'videoTimeout' : 'reconciled');
  },
);

it.each(KINDS)(
  '%s: what is delivered and whose debit could not be written is an error, never settled nor reconciled',
  (kind) => {
    const waiting = { ...row(kind, 'SUBMITTED'), chargePending: true };
    expect(counted({ row: waiting, result: 'closed', reason: 'ended' })).toBe('errors');
  },
);

it.each(KINDS)(
  '%s: what is left is pending when it is a job whose time has come, and counts nowhere else',
  (kind) => {
    const left = (because: 'running' | 'no-answer' | 'not-due') =>
      counted({ row: row(kind, 'SUBMITTED'), result: 'left', because });
    const pending = JOBS.includes(kind) ? 'videoPending' : null;
    expect([left('running'), left('no-answer'), left('not-due')]).toEqual([pending, pending, null]);
  },
);
