import { describe, expect, it } from 'vitest';
import { GenerationState } from '#lib/db/generated/tables.ts';
import { isOpenState } from '#lib/db/open-states.ts';
import { displayedStatus, type StatusFacts, shownCode } from '#lib/studio/generation/status.ts';

const NOW = new Date('2026-11-10T12:00:00Z');
const BEFORE = new Date(NOW.getTime() - 1);
const AFTER = new Date(NOW.getTime() + 1);

const row = (facts: Partial<StatusFacts>): StatusFacts => ({
  kind: 'VIDEO',
  state: 'SUBMITTED',
  code: null,
  files: 0,
  deadlineAt: AFTER,
  filesDeletedAt: null,
  ...facts,
});

describe('the displayed status', () => {
  it.each<[string, Partial<StatusFacts>, string | null]>([
    ['running', { state: 'STARTING' }, null],
    ['running', { state: 'SUBMITTED' }, null],
    ['running', { state: 'SUBMITTED', kind: 'RENDER' }, null],
    ['running', { state: 'STARTING', kind: 'IMAGE', deadlineAt: BEFORE }, null],
    ['done', { state: 'SUBMITTED', files: 1 }, null],
    ['done', { state: 'SUBMITTED', files: 1, deadlineAt: BEFORE }, null],
    ['done', { state: 'STARTING', kind: 'IMAGE', files: 1 }, null],
    ['done', { state: 'COMPLETED', files: 1 }, null],
    ['done', { state: 'COMPLETED', files: 0, deadlineAt: BEFORE }, null],
    ['failed', { state: 'SUBMITTED', deadlineAt: NOW }, 'video_timeout'],
    ['failed', { state: 'STARTING', kind: 'LIPSYNC', deadlineAt: BEFORE }, 'video_timeout'],
    ['no-callback', { state: 'SUBMITTED', kind: 'RENDER', deadlineAt: NOW }, 'no-callback'],
    ['no-callback', { state: 'FAILED', kind: 'RENDER', code: 'no-callback' }, 'no-callback'],
    ['quota', { state: 'FAILED', kind: 'RENDER', code: 'quota' }, 'quota'],
    ['failed', { state: 'FAILED', code: 'provider-failure' }, 'provider-failure'],
    ['failed', { state: 'FAILED', code: 'setting-dropped' }, 'setting-dropped'],
    ['failed', { state: 'FAILED', code: 'video_timeout' }, 'video_timeout'],
    ['failed', { state: 'FAILED', code: 'orphaned' }, 'orphaned'],
    ['failed', { state: 'FAILED', code: 'internal-error' }, 'internal-error'],
    ['cancelled', { state: 'CANCELLED' }, null],
    ['deleted', { state: 'COMPLETED', files: 1, filesDeletedAt: BEFORE }, null],
  ])('is %s for %o', (status, facts, code) => {
    expect(displayedStatus(row(facts), NOW)).toBe(status);
    expect(shownCode(row(facts), NOW)).toBe(code);
  });
});

describe('the states', () => {
  it('are two that can still change, and three that are closed', () => {
    expect(Object.values(GenerationState).filter(isOpenState).sort()).toEqual(['STARTING', 'SUBMITTED']);
    expect((['COMPLETED', 'FAILED', 'CANCELLED'] as const).map(isOpenState)).toEqual([false, false, false]);
  });
});
