import { expect, it } from 'vitest';
import { takePlace } from '#lib/http/middleware/stream-places.ts';

it('sixteen accounts with all their streams open keep no other account from its first one', () => {
  const busy = Array.from({ length: 16 }, (_, at) => `acc_${at}`);
  const places = busy.flatMap((account) => Array.from({ length: 4 }, () => takePlace(account)));
  expect(() => takePlace('acc_0')).toThrow('fermez-en un');
  const first = takePlace('victim');
  // Its second one waits for room, and the account is not told to close the one that it needs.
  expect(() => takePlace('victim')).toThrow('recommencez dans une minute');
  places[0]?.();
  places[0]?.();
  expect(() => takePlace('victim')).toThrow('recommencez dans une minute');
  places[1]?.();
  places.push(takePlace('victim'));
  for (const giveBack of [first, ...places]) giveBack();
});
