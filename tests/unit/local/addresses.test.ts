import { expect, test } from 'vitest';
import { ApplicationAddressMissing, configuredAddresses } from '#lib/local/prisma/migrate.ts';

const APP = 'postgresql://atelier_app@db.example/atelier';
const OWNER = 'postgresql://atelier_owner@db.example/atelier';

test('the database is the one that DATABASE_URL names, its owner’s address the same one where none is given', () => {
  expect(configuredAddresses({ DATABASE_URL: APP })).toEqual({ url: APP, ownerUrl: APP });
  expect(configuredAddresses({ DATABASE_URL: APP, DATABASE_DIRECT_URL: OWNER })).toEqual({
    url: APP,
    ownerUrl: OWNER,
  });
  for (const none of [{}, { DATABASE_URL: ' ', DATABASE_DIRECT_URL: '' }])
    expect(configuredAddresses(none)).toBeUndefined();
});

test('an owner’s address alone never leads a command to the embedded database', () => {
  for (const DATABASE_URL of [undefined, ''])
    expect(() => configuredAddresses({ DATABASE_URL, DATABASE_DIRECT_URL: OWNER })).toThrow(
      ApplicationAddressMissing,
    );
});
