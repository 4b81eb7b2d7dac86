import { describe, expect, test } from 'vitest';
import { nextMonth, quotaExceeded, readPeriodOf } from '#lib/brain/quota/read-quota.ts';
import { ServiceError } from '#lib/core/errors.ts';
import {
  CREDENTIAL_RATE,
  enforceRate,
  minuteOf,
  type RateCounts,
  rateOf,
  rateRefusal,
} from '#lib/identity/rate/rate-limit.ts';
import { utcMonth } from '#lib/ledger/month.ts';
import { errorMessage } from '#lib/messages/fr.ts';

const counts = (more: Partial<RateCounts> = {}): RateCounts => ({
  requests: 1,
  writes: 0,
  own: CREDENTIAL_RATE,
  accountPasses: true,
  resetSeconds: 17,
  ...more,
});

describe('the minute in which a request counts', () => {
  test.each([
    ['2026-11-10T12:00:00.000Z', 60],
    ['2026-11-10T12:00:00.001Z', 60],
    ['2026-11-10T12:00:01.000Z', 59],
    ['2026-11-10T12:00:59.000Z', 1],
    ['2026-11-10T12:00:59.999Z', 1],
  ])('%s: the one of 12:00, which lasts another %i s', (at, resetSeconds) => {
    const windowStart = new Date('2026-11-10T12:00:00Z');
    expect(minuteOf(new Date(at))).toEqual({ windowStart, resetSeconds });
  });

  test('is named the same in an account’s rows, and the next one otherwise', () => {
    const minute = (at: string) => rateOf(new Date(at), 'member', { isWrite: false }).params.minute;
    expect(minute('2026-11-10T12:00:59.999Z')).toBe(minute('2026-11-10T12:00:00Z'));
    expect(Number(minute('2026-11-10T12:01:00Z')) - Number(minute('2026-11-10T12:00:00Z'))).toBe(1);
  });
});

describe('how much may be asked in a minute', () => {
  const at = new Date('2026-11-10T12:00:00Z');
  test('by a key or application: 120 requests, 20 of which may write', () => {
    expect(CREDENTIAL_RATE).toEqual({ requests: 120, writes: 20 });
    expect(rateOf(at, 'credential', { isWrite: true }).params).toMatchObject({
      windowStart: at,
      writeIncrement: 1,
      maxRequests: 120,
      maxWrites: 20,
      maxAccountRequests: 6_000,
      maxAccountWrites: 600,
    });
  });

  test('by a member’s browsers: four tenths of the account’s, a twentieth of which may write', () => {
    expect(rateOf(at, 'member', { isWrite: false }).params).toMatchObject({
      writeIncrement: 0,
      maxRequests: 2_400,
      maxWrites: 300,
    });
    expect(rateOf(at, 'member', { isWrite: false, accountRequests: 19 }).params).toMatchObject({
      maxRequests: 7,
      maxWrites: 1,
      maxAccountRequests: 19,
      maxAccountWrites: 1,
    });
  });

  test('the counts of a row are told with whose rate it is and when the minute ends', () => {
    const row = { requests: 5, writes: 2, ownPasses: true, accountPasses: false };
    expect(rateOf(new Date('2026-11-10T12:00:20Z'), 'credential', { isWrite: false }).counts(row)).toEqual({
      requests: 5,
      writes: 2,
      accountPasses: false,
      own: CREDENTIAL_RATE,
      resetSeconds: 40,
    });
  });
});

describe('the request that is one too many', () => {
  const table: [string, Partial<RateCounts>, boolean, boolean][] = [
    ['the 120th request', { requests: 120 }, false, true],
    ['the 121st', { requests: 121 }, false, false],
    ['the 20th write', { writes: 20 }, true, true],
    ['the 21st', { writes: 21 }, true, false],
    ['a read after 21 writes', { writes: 21 }, false, true],
    ['one of an account past its rate', { accountPasses: false }, false, false],
  ];
  test.each(table)('%s, %o, a write: %s, passes: %s', (_, more, isWrite, passes) => {
    const refusal = rateRefusal(counts(more), isWrite);
    expect(refusal === undefined).toBe(passes);
    let thrown: unknown;
    try {
      enforceRate(counts(more), isWrite, new Headers());
    } catch (error) {
      thrown = error;
    }
    expect(thrown instanceof ServiceError).toBe(!passes);
  });

  test('says how long to wait, and that it is the account which is full when it is', () => {
    const own = rateRefusal(counts({ requests: 121, accountPasses: false }), false);
    expect(own).toMatchObject({
      code: 'rate_limited',
      options: { params: { seconds: 17 }, retryAfterSeconds: 17 },
    });
    expect(own?.options).not.toHaveProperty('message');
    expect(rateRefusal(counts({ accountPasses: false }), false)?.options).toMatchObject({
      params: { seconds: 17 },
      retryAfterSeconds: 17,
      message:
        'Votre compte fait trop de demandes en une minute, toutes clés, applications et sessions réunies. Réessayez dans 17 s.',
    });
  });

  test('every answer says where its caller stands, never below nothing', () => {
    const headers = new Headers();
    enforceRate(counts({ requests: 100, writes: 5 }), true, headers);
    expect(headers.get('RateLimit-Policy')).toBe('"requests";q=120;w=60, "writes";q=20;w=60');
    expect(headers.get('RateLimit')).toBe('"requests";r=20;t=17, "writes";r=15;t=17');
    expect(() => enforceRate(counts({ requests: 130, writes: 30 }), true, headers)).toThrow(ServiceError);
    expect(headers.get('RateLimit')).toBe('"requests";r=0;t=17, "writes";r=0;t=17');
  });
});

describe('the reads of a month', () => {
  test('count in the UTC month and day', () => {
    const at = new Date('2026-12-31T23:59:59.999Z');
    expect([utcMonth(at), readPeriodOf(at)]).toEqual(['2026-12', { month: '2026-12', day: '2026-12-31' }]);
    expect(nextMonth(at)).toEqual(new Date('2027-01-01T00:00:00Z'));
    expect(nextMonth(new Date('2026-11-01T00:00:00Z'))).toEqual(new Date('2026-12-01T00:00:00Z'));
  });

  test('once exhausted, say in French when the next month begins, and in how many seconds, rounded up', () => {
    for (const limit of [1, 2, 1_000]) {
      const refusal = quotaExceeded(new Date('2026-11-30T23:59:58.500Z'), limit);
      expect(refusal).toMatchObject({ code: 'quota_exceeded', options: { retryAfterSeconds: 2 } });
      expect(refusal.options.detail).toBeUndefined();
      expect(errorMessage(refusal)).toBe(
        'Le quota de lectures du mois est épuisé. Il se renouvelle le 1er décembre 2026 à 0\u00a0h UTC.',
      );
    }
  });

  test('of which none is included are told so, without a date that would bring any', () => {
    const refusal = quotaExceeded(new Date('2026-11-30T23:59:58.500Z'), 0);
    expect(refusal).toMatchObject({
      code: 'quota_exceeded',
      options: { detail: 'none-included', retryAfterSeconds: 2 },
    });
    expect(errorMessage(refusal)).toBe(
      'Aucune lecture n’est comprise dans ce compte\u00a0: demandez-en à l’exploitant du service.',
    );
  });
});
