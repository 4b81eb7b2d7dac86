import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigurationError, parseEnv, parseVoiceEnv, VARIABLES } from '#lib/core/env.ts';
import { repositoryRoot } from '#lib/local/paths.ts';

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

  test('the public address is an origin as browsers say it; one with a path, which no page would match, is named', () => {
    const read = (SERVICE_PUBLIC_URL: string) => parseEnv({ ...GOOD, SERVICE_PUBLIC_URL }).SERVICE_PUBLIC_URL;
    expect(read('https://Atelier.Example:443/')).toBe('https://atelier.example');
    expect(read('http://127.0.0.1:3000')).toBe('http://127.0.0.1:3000');
    for (const value of ['https://atelier.example/app', 'https://atelier.example?a', 'atelier.example'])
      expect(problemsOf({ ...GOOD, SERVICE_PUBLIC_URL: value }), value).toEqual([
        expect.stringContaining('SERVICE_PUBLIC_URL'),
      ]);
  });

  test('of two secrets in one variable each is as long as one alone must be; an empty one counts for nothing', () => {
    for (const [name, length] of [
      ['CALLBACK_SECRET', 16],
      ['SERVICE_SEALING_SECRET', 32],
    ] as const) {
      const [whole, short] = ['w'.repeat(length), 's'.repeat(length - 1)];
      for (const value of [short, `${whole},${short}`, `${short}, ${whole}`, ','.repeat(length)])
        expect(problemsOf({ ...GOOD, [name]: value }), value).toEqual([expect.stringContaining(name)]);
      for (const value of [whole, `${whole}, ${whole}`, `${whole},`])
        expect(problemsOf({ ...GOOD, [name]: value }), value).toEqual([]);
    }
  });

  test('the scheduler’s secret is one that its header can hold: what surrounds it is left out, what would never arrive is named', () => {
    const secret = 'c'.repeat(16);
    for (const value of [secret, ` ${secret}\n`])
      expect(parseEnv({ ...GOOD, CRON_SECRET: value }).CRON_SECRET, value).toBe(secret);
    for (const value of [`${secret} ${secret}`, `${secret}é`, `${secret}\t${secret}`, ` ${secret.slice(1)} `])
      expect(problemsOf({ ...GOOD, CRON_SECRET: value }), value).toEqual([
        expect.stringContaining('CRON_SECRET'),
      ]);
  });

  test('a bucket comes with its region and keys, and alone', () => {
    expect(problemsOf({ ...GOOD, S3_BUCKET: 'atelier', S3_REGION: 'fr-par' })).toEqual([
      expect.stringContaining('S3_ACCESS_KEY_ID'),
      expect.stringContaining('S3_SECRET_ACCESS_KEY'),
    ]);
    const whole = {
      ...GOOD,
      S3_BUCKET: 'atelier',
      S3_REGION: 'fr-par',
      S3_ACCESS_KEY_ID: 'k',
      S3_SECRET_ACCESS_KEY: 's',
    };
    expect(problemsOf(whole)).toEqual([]);
    expect(problemsOf({ ...whole, BLOB_READ_WRITE_TOKEN: 'vercel_blob_rw_a_b' })).toEqual([
      expect.stringContaining('un seul magasin'),
    ]);
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
      SERVICE_PUBLIC_URL: 'https://atelier.example',
    };
    expect(parseEnv(production)).toMatchObject({ isProduction: true });
    expect(parseEnv(production).liveProviders.has('elevenlabs')).toBe(true);
  });

  test('in production a service that is not listed, or lacks its key, is not served; elsewhere it is recorded', () => {
    const production = {
      ...GOOD,
      SERVICE_ENV: 'production',
      CRON_SECRET: 'c'.repeat(16),
      CALLBACK_SECRET: 'k'.repeat(16),
      SERVICE_SMTP_URL: 'smtps://mail.example',
      SERVICE_PUBLIC_URL: 'https://atelier.example',
      AI_GATEWAY_API_KEY: 'key',
    };
    const absent = (source: Record<string, string>) => [...parseEnv(source).absentProviders];
    expect(absent({ ...production, SERVICE_PROVIDERS: 'gateway' })).toEqual([
      'elevenlabs',
      'lipsync',
      'github',
    ]);
    expect(absent({ ...production, SERVICE_PROVIDERS: 'fixtures' })).toHaveLength(4);
    expect(absent(production)).toEqual(['elevenlabs', 'lipsync', 'github']);
    expect(absent({ ...GOOD, SERVICE_PROVIDERS: 'lipsync' })).toEqual(['lipsync']);
    expect(absent(GOOD)).toEqual([]);
    expect(problemsOf({ ...production, SERVICE_PROVIDERS: 'gateway, elevenlabs' })).toEqual([
      'ELEVENLABS_API_KEY\u00a0: manque, et SERVICE_PROVIDERS nomme elevenlabs',
    ]);
  });

  test('production refuses to boot without its secrets; the environment defaults to VERCEL_ENV, then to production', () => {
    const { SERVICE_ENV: _, ...unnamed } = GOOD;
    expect(problemsOf(unnamed).some((problem) => problem.startsWith('CRON_SECRET'))).toBe(true);
    // Without its own https address, MCP would answer nobody and OAuth would trust any Host.
    for (const address of [undefined, '', 'http://atelier.example', 'http://127.0.0.1:3000'])
      expect(problemsOf({ ...unnamed, SERVICE_PUBLIC_URL: address })).toContain(
        'SERVICE_PUBLIC_URL\u00a0: obligatoire en production, en https',
      );
    expect(problemsOf({ ...GOOD, SERVICE_PUBLIC_URL: 'http://127.0.0.1:3000' })).toEqual([]);
    expect(parseEnv({ ...unnamed, VERCEL_ENV: 'preview' }).SERVICE_ENV).toBe('preview');
  });

  test('.env.example names every variable that the service reads, and those that only the build, the scheduler, OpenTelemetry or the tests read', () => {
    const named = readFileSync(path.join(repositoryRoot, '.env.example'), 'utf8');
    const listed = new Set([...named.matchAll(/^# ([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name));
    const wanted = [
      ...VARIABLES,
      'SERVICE_BUILD_DIR',
      'DATABASE_ENV',
      'SERVICE_URL',
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'ATELIER_CHROMIUM',
      'TEST_DATABASE_URL',
    ];
    expect(wanted.filter((name) => !listed.has(name))).toEqual([]);
    expect([...listed].filter((name) => !wanted.includes(name as string))).toEqual([]);
  });

  test('the voice pipeline reads the providers as the service does, and needs neither database nor secret', () => {
    expect(parseVoiceEnv({ SERVICE_ENV: 'development' })).toMatchObject({
      liveProviders: new Set(),
      VOICE_MONTHLY_CHARACTERS: 100_000,
    });
    expect(parseVoiceEnv({ STUDIO_PROVIDERS: 'gateway, elevenlabs' }).liveProviders.has('elevenlabs')).toBe(
      true,
    );
    expect(parseVoiceEnv({}).liveProviders.size).toBe(4);
    expect(() => parseVoiceEnv({ SERVICE_PROVIDERS: 'elevenlab', VOICE_MONTHLY_CHARACTERS: 'x' })).toThrow(
      /VOICE_MONTHLY_CHARACTERS[\s\S]*elevenlab/,
    );
  });
});
