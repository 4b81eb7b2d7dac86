import { expect, onTestFinished, test, vi } from 'vitest';
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

test('Prisma’s own command signs in as who owns the tables too, where an address of theirs is given', async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  const addressOf = async (given: { DATABASE_URL: string; DATABASE_DIRECT_URL: string }) => {
    for (const [name, value] of Object.entries(given)) vi.stubEnv(name, value);
    vi.resetModules();
    const { default: config } = await import('../../../prisma.config.ts');
    return config.datasource?.url;
  };
  expect(await addressOf({ DATABASE_URL: APP, DATABASE_DIRECT_URL: OWNER })).toBe(OWNER);
  expect(await addressOf({ DATABASE_URL: APP, DATABASE_DIRECT_URL: '' })).toBe(APP);
  expect(await addressOf({ DATABASE_URL: '', DATABASE_DIRECT_URL: '' })).toBeUndefined();
});
