import { describe, expect, test } from 'vitest';
import { binEnd, erasedBefore } from '#lib/core/bin-time.ts';
import { KEEP_REASON_LABELS } from '#lib/messages/storage.ts';
import { canReview, REVIEWS, type Review, reviewsOf } from '#lib/storage/file-states.ts';
import {
  ASSET_KEEP_REASONS,
  type FileFacts,
  factsSince,
  fileRetention,
  type KeepReason,
  keepReason,
  lastingReason,
  retentionCutoff,
} from '#lib/storage/keep-reason.ts';

const DAY_MS = 86_400_000;
const NOW = new Date('2026-11-30T12:00:00Z');
const ago = (ms: number) => new Date(NOW.getTime() - ms);
const old = (more: Partial<FileFacts> = {}): FileFacts => ({ ...factsSince(ago(31 * DAY_MS)), ...more });

/** Each fact alone with the reason that it gives, in the order in which reasons are named when several facts hold. */
const FACT_REASONS: [Partial<FileFacts>, KeepReason][] = [
  [{ state: 'APPROVED' }, 'status'],
  [{ state: 'DELIVERED' }, 'status'],
  [{ hasAvatar: true }, 'avatar'],
  [{ hasBinnedAvatar: true }, 'avatar'],
  [{ hasLesson: true }, 'learning'],
  [{ hasConcept: true }, 'concept'],
  [{ hasBinnedConcept: true }, 'concept'],
  [{ hasKeptRelative: true }, 'lineage'],
  [{ hasRush: true }, 'rush'],
  [{ hasConsent: true }, 'consent'],
  [{ isInFlight: true }, 'in-flight'],
  [{ isTaken: true }, 'in-flight'],
  [{ hasKeptSibling: true }, 'sibling'],
  [{ isImported: true }, 'foreign-store'],
  [{ hasChanged: true }, 'changed'],
  [{ isRecorded: true }, 'recorded'],
];

describe('what keeps a file past its thirty days', () => {
  test('each fact alone keeps it, and the table above names every fact', () => {
    for (const [fact, reason] of FACT_REASONS) {
      expect(keepReason(old(fact), NOW)).toBe(reason);
      expect(fileRetention(old(fact), NOW)).toEqual({
        keptBecause: reason,
        lasting: reason,
        expiresAt: null,
      });
    }
    const named = FACT_REASONS.flatMap(([fact]) => Object.keys(fact));
    expect(new Set([...named, 'since'])).toEqual(new Set(Object.keys(factsSince(NOW))));
  });

  test('of several, the first of the table is the one that is told', () => {
    for (const [first, [, reason]] of FACT_REASONS.entries()) {
      const all = Object.assign(
        {},
        ...FACT_REASONS.slice(first)
          .map(([fact]) => fact)
          .reverse(),
      );
      expect(lastingReason(old(all))).toBe(reason);
    }
  });

  test.each(['GENERATED', 'REJECTED', null] as const)('state %s keeps nothing', (state) => {
    expect(keepReason(old({ state }), NOW)).toBeNull();
    expect(lastingReason(old({ state }))).toBeNull();
  });

  test('age keeps it for thirty days to the millisecond, and is told before any other reason', () => {
    expect(keepReason(factsSince(ago(30 * DAY_MS)), NOW)).toBe('recent');
    expect(keepReason(factsSince(ago(30 * DAY_MS + 1)), NOW)).toBeNull();
    expect(keepReason({ ...factsSince(NOW), hasAvatar: true }, NOW)).toBe('recent');
    expect(keepReason(factsSince(new Date(Number.NaN)), NOW)).toBe('recent');
    expect(retentionCutoff(NOW)).toEqual(ago(30 * DAY_MS));
  });

  test('it expires thirty days after `since` as long as nothing else keeps it', () => {
    const since = new Date('2026-11-01T00:00:00Z');
    const expiresAt = new Date('2026-12-01T00:00:00Z');
    expect(fileRetention(factsSince(since), NOW)).toEqual({
      keptBecause: 'recent',
      lasting: null,
      expiresAt,
    });
    expect(fileRetention({ ...factsSince(since), isImported: true }, NOW)).toEqual({
      keptBecause: 'recent',
      lasting: 'foreign-store',
      expiresAt: null,
    });
  });

  test('the report of assets knows every reason but the three that no asset can have', () => {
    const never: string[] = ['rush', 'consent', 'recorded'];
    expect(ASSET_KEEP_REASONS).toEqual(Object.keys(KEEP_REASON_LABELS).filter((one) => !never.includes(one)));
  });
});

describe('quality control', () => {
  const ALLOWED = {
    GENERATED: ['approve', 'reject'],
    REJECTED: ['approve'],
    APPROVED: ['reject', 'deliver'],
    DELIVERED: [],
  } as const satisfies Record<string, readonly Review[]>;

  test.each(Object.keys(ALLOWED) as (keyof typeof ALLOWED)[])('%s: these decisions and no other', (state) => {
    const allowed: readonly Review[] = ALLOWED[state];
    expect(reviewsOf(state)).toEqual(allowed);
    for (const review of Object.keys(REVIEWS) as Review[])
      expect(canReview(state, review)).toBe(allowed.includes(review));
  });
});

describe('the bin', () => {
  test('what was deleted can be brought back for thirty days', () => {
    expect(erasedBefore(NOW)).toEqual(ago(30 * DAY_MS));
    expect(binEnd(ago(30 * DAY_MS))).toEqual(NOW);
  });
});
