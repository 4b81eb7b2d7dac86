import { describe, expect, test } from 'vitest';
import { askedUntil, nextAttempt, restUntil } from '#lib/webhooks/delivery/retry.ts';
import { newWebhookSecret, sealer } from '#lib/webhooks/secrets.ts';

const NOW = new Date('2026-11-10T12:00:00Z');
const DAY_MS = 86_400_000;
const END = new Date(NOW.getTime() + DAY_MS);
const after = (at: Date | null) => (at === null ? null : (at.getTime() - NOW.getTime()) / 1_000);
const attempt = (attempts: number, chance = 0.5, endsAt = END) =>
  after(nextAttempt({ attempts, now: NOW, endsAt, chance }));
const rest = (failures: number, chance = 0.5) => after(restUntil({ failures, now: NOW, chance }));

describe('when an event is sent again', () => {
  test('after 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 2 h, then every 4 h', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 50].map((attempts) => attempt(attempts))).toEqual([
      5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 14_400, 14_400,
    ]);
    expect(attempt(0)).toBe(5);
  });

  test('a fifth earlier or later, as chance has it', () => {
    expect([attempt(2, 0), attempt(2, 1)]).toEqual([24, 36]);
  });

  test('the last time at its end, and never from its end on', () => {
    const endsAt = (ms: number) => attempt(8, 0.5, new Date(NOW.getTime() + ms));
    expect([endsAt(14_400_000), endsAt(14_399_000), endsAt(1)]).toEqual([14_400, 14_399, 0.001]);
    expect([endsAt(0), endsAt(-1)]).toEqual([null, null]);
  });
});

describe('until when an endpoint rests', () => {
  test('from its third failure in a row on: 5 s, twice as long each time, 15 min at most', () => {
    expect([0, 1, 2].map((failures) => rest(failures))).toEqual([null, null, null]);
    expect([3, 4, 5, 9, 10, 11, 12, 500].map((failures) => rest(failures))).toEqual([
      5, 10, 20, 320, 640, 900, 900, 900,
    ]);
    expect([rest(3, 0), rest(3, 1)]).toEqual([4, 6]);
  });
});

describe('until when a subscriber asks to be left alone', () => {
  const asked = (status: number, retryAfter?: string) => after(askedUntil({ status, retryAfter, now: NOW }));

  test('by seconds or by a date, an hour at most, when it has too much to do', () => {
    expect([asked(429, '120'), asked(503, '7'), asked(429, '86400'), asked(429, '0')]).toEqual([
      120, 7, 3_600, 0,
    ]);
    expect(asked(503, new Date(NOW.getTime() + 90_000).toUTCString())).toBe(90);
  });

  test('not at all when it says nothing that can be read, or refuses for another reason', () => {
    expect([asked(429), asked(429, 'bientôt'), asked(500, '120'), asked(301, '120')]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});

describe('a sealed secret', () => {
  const [old, young] = ['a'.repeat(32), 'b'.repeat(32)];

  test('opens for its own row, with a key that the service has, and with no other', () => {
    const sealed = sealer([old]).seal('whsec_é', 'whe_1');
    expect(sealer([old]).open(sealed, 'whe_1')).toBe('whsec_é');
    expect(sealer([young, old]).open(sealed, 'whe_1')).toBe('whsec_é');
    expect(sealer([old]).open(sealed, 'whe_2')).toBeNull();
    expect(sealer([young]).open(sealed, 'whe_1')).toBeNull();
    expect(sealer([old]).open(sealed.slice(0, 20), 'whe_1')).toBeNull();
    for (const at of [0, 12, 28]) {
      const changed = Uint8Array.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(sealer([old]).open(changed, 'whe_1')).toBeNull();
    }
  });

  test('is sealed with the first key, differently each time, and never in clear', () => {
    const both = sealer([young, old]);
    const sealed = both.seal('whsec_text', 'whe_1');
    expect(sealer([young]).open(sealed, 'whe_1')).toBe('whsec_text');
    expect(sealer([old]).open(sealed, 'whe_1')).toBeNull();
    expect(both.seal('whsec_text', 'whe_1')).not.toEqual(sealed);
    expect(Buffer.from(sealed).toString('latin1')).not.toContain('whsec_text');
    expect(sealed.length).toBe(12 + 16 + 'whsec_text'.length);
    expect(() => sealer([])).toThrow('a sealer needs a key');
  });

  test('that was sealed by an earlier version of the service opens still', () => {
    const sealed = Buffer.from('rpJYiImw7tPItZ97y2n/X+CK+/3vR+djMFnEEI30aZArXAnd/5A=', 'base64');
    expect(sealer([old]).open(sealed, 'whe_1')).toBe('whsec_text');
  });

  test('never opens with less than its whole mark, though nothing be in it', () => {
    const empty = sealer([old]).seal('', 'whe_1');
    expect(sealer([old]).open(empty, 'whe_1')).toBe('');
    for (const length of [16, 20, 24, 27])
      expect(sealer([old]).open(empty.slice(0, length), 'whe_1')).toBeNull();
  });

  test('is new each time, in the form of Standard Webhooks', () => {
    const [one, other] = [newWebhookSecret(), newWebhookSecret()];
    expect(one).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(other).not.toBe(one);
  });
});
