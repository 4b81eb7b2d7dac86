import { expect, test } from 'vitest';
import { planVercelBuild, UnsafeBuild } from '../../../scripts/deploy/vercel-plan.ts';

const url = 'postgresql://app@db.example/atelier';
const plan = (source: Readonly<Record<string, string | undefined>>) => planVercelBuild(source).migrates;

test('production migrates the database that it is given, and is not built without one', () => {
  expect(plan({ VERCEL_ENV: 'production', DATABASE_URL: url })).toBe(true);
  expect(plan({ VERCEL_ENV: 'production', DATABASE_URL: url, DATABASE_ENV: 'production' })).toBe(true);
  expect(() => plan({ VERCEL_ENV: 'production' })).toThrow(UnsafeBuild);
});

test('a preview migrates nothing that does not say that it is a preview’s: a variable set for every environment is production’s', () => {
  for (const given of [{ DATABASE_URL: url }, { DATABASE_DIRECT_URL: url }])
    for (const declared of [{}, { DATABASE_ENV: '' }, { DATABASE_ENV: 'production' }])
      expect(() => plan({ VERCEL_ENV: 'preview', ...given, ...declared })).toThrow(/DATABASE_ENV=preview/);
  expect(plan({ VERCEL_ENV: 'preview', DATABASE_URL: url, DATABASE_ENV: 'preview' })).toBe(true);
  expect(plan({ VERCEL_ENV: 'preview' })).toBe(false);
});

test('a preview’s database is not migrated by production either', () => {
  expect(() => plan({ VERCEL_ENV: 'production', DATABASE_URL: url, DATABASE_ENV: 'preview' })).toThrow(
    UnsafeBuild,
  );
});
