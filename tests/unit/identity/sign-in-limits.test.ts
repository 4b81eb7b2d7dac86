import { expect, test } from 'vitest';
import { FAILURES_ALLOWED } from '#lib/identity/sign-in/attempts.ts';
import { CODE_ATTEMPTS, CODE_LIFETIME_MS } from '#lib/identity/sign-in/sign-in-codes.ts';
import { REQUEST_LIMITS, VERIFY_LIMITS } from '#lib/identity/sign-in/throttle.ts';

// The tests of signing in use these constants by name; this one has the figures, for which decision 6 gives the reasons.
test('guesses and mails are limited by the figures of decision 6', () => {
  expect(REQUEST_LIMITS).toEqual({
    perPerson: 5,
    perPersonDaily: 20,
    perNetwork: 60,
    perNetworkDaily: 400,
    perAddress: 30,
    perAddressDaily: 100,
  });
  expect(VERIFY_LIMITS).toEqual({ perPerson: 25, perNetwork: 100, perPlaceDaily: 30 });
  expect([CODE_ATTEMPTS, CODE_LIFETIME_MS, FAILURES_ALLOWED]).toEqual([5, 600_000, 100]);
});
