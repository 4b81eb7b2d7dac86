import { describe, expect, test } from 'vitest';
import { ConfigurationError, parseEnv } from '#lib/core/env.ts';

const GOOD = {
  DATABASE_URL: 'postgresql://localhost/atelier',
  SERVICE_SESSION_SECRET: 's'.repeat(32),
  SERVICE_ENV: 'development',
};

function problemsOf(source: Record<string, string | undefined>): string[] {
  try {
    parseEnv(source);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
}

describe('configuration', () => {
  test('every fault is named at once, and the message lists them all', () => {
    const problems = problemsOf({
      PORT: '70000',
      DATABASE_URL: 'mysql://x',
      BLOB_READ_WRITE_TOKEN: 'nope',
      SERVICE_SPEND_ALERT_USD: 'beaucoup',
      SERVICE_PROVIDERS: 'gateway,inconnu',
      SERVICE_ENV: 'development',
    });
    for (const name of [
      'PORT',
      'DATABASE_URL',
      'BLOB_READ_WRITE_TOKEN',
      'SERVICE_SPEND_ALERT_USD',
      'SERVICE_PROVIDERS',
      'SERVICE_SESSION_SECRET',
    ])
      expect(
        problems.some((problem) => problem.startsWith(name)),
        name,
      ).toBe(true);
    expect(new ConfigurationError(problems).message.split('\n')).toHaveLength(problems.length + 1);
  });

  test.each(['PUBLIC_URL', 'RENDER_DISPATCH_TOKEN', 'SPEND_ALERT_USD', 'PROVIDERS'])(
    '%s is read under its former prefix when the new name is absent or empty, and the new name wins',
    (name) => {
      const values: Record<string, [string, string]> = {
        PUBLIC_URL: ['https://ancien.example', 'https://nouveau.example'],
        RENDER_DISPATCH_TOKEN: ['ancien', 'nouveau'],
        SPEND_ALERT_USD: ['10', '20'],
        PROVIDERS: ['fixtures', 'live'],
      };
      const [former, current] = values[name] as [string, string];
      const read = (source: Record<string, string>) =>
        (parseEnv({ ...GOOD, ...source }) as unknown as Record<string, unknown>)[`SERVICE_${name}`];
      expect(read({ [`STUDIO_${name}`]: former })).toBe(former);
      expect(read({ [`STUDIO_${name}`]: former, [`SERVICE_${name}`]: '' })).toBe(former);
      expect(read({ [`STUDIO_${name}`]: former, [`SERVICE_${name}`]: current })).toBe(current);
    },
  );

  test('outside production the providers answer from recordings unless said otherwise; in production they are live', () => {
    expect(parseEnv(GOOD).liveProviders.size).toBe(0);
    expect([...parseEnv({ ...GOOD, SERVICE_PROVIDERS: 'gateway, github' }).liveProviders]).toEqual([
      'gateway',
      'github',
    ]);
    const production = {
      ...GOOD,
      SERVICE_ENV: 'production',
      CRON_SECRET: 'c'.repeat(16),
      CALLBACK_SECRET: 'k'.repeat(16),
      SERVICE_SMTP_URL: 'smtps://mail.example',
    };
    expect(parseEnv(production)).toMatchObject({ isProduction: true });
    expect(parseEnv(production).liveProviders.has('elevenlabs')).toBe(true);
  });

  test('production refuses to boot without its secrets; the environment defaults to VERCEL_ENV, then to production', () => {
    const { SERVICE_ENV: _, ...unnamed } = GOOD;
    expect(problemsOf(unnamed).some((problem) => problem.startsWith('CRON_SECRET'))).toBe(true);
    expect(parseEnv({ ...unnamed, VERCEL_ENV: 'preview' }).SERVICE_ENV).toBe('preview');
  });
});
