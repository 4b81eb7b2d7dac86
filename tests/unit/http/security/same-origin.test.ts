import { describe, expect, it } from 'vitest';
import { parseEnv } from '#lib/core/env.ts';
import { isSameOrigin } from '#lib/http/security/same-origin.ts';

const asks = (headers: Record<string, string>, own: Parameters<typeof isSameOrigin>[1] = LOCAL) =>
  isSameOrigin({ headers: new Headers(headers) }, own);
const LOCAL = { isProduction: false };

describe('isSameOrigin', () => {
  const https = { host: 'atelier.test', 'x-forwarded-proto': 'https' };

  it('lets our own pages and programs through', () => {
    expect(asks({ ...https, origin: 'https://atelier.test', 'sec-fetch-site': 'same-origin' })).toBe(true);
    expect(asks({ host: '127.0.0.1:3000', origin: 'http://127.0.0.1:3000' })).toBe(true);
    expect(asks({ host: 'atelier.test' })).toBe(true);
  });

  it('in production knows the public address alone', () => {
    const production = { isProduction: true, SERVICE_PUBLIC_URL: 'https://atelier.test' };
    expect(asks({ host: 'inside:3000', origin: 'https://atelier.test' }, production)).toBe(true);
    expect(asks({ host: 'inside:3000', origin: 'http://inside:3000' }, production)).toBe(false);
    expect(asks({ ...https, origin: 'http://atelier.test' }, production)).toBe(false);
  });

  it('refuses our own name under another scheme: whoever holds the network can speak as http', () => {
    expect(asks({ ...https, origin: 'http://atelier.test' })).toBe(false);
    expect(asks({ host: 'atelier.test', origin: 'https://atelier.test' })).toBe(false);
  });

  it('lets our own page through where the browser keeps its origin to itself: it says the relation in its own words', () => {
    expect(asks({ ...https, origin: 'null', 'sec-fetch-site': 'same-origin' })).toBe(true);
  });

  it.each<Record<string, string>>([
    { origin: 'https://evil.example' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    { origin: 'null' },
    { origin: 'null', 'sec-fetch-site': 'none' },
    { origin: 'null', 'sec-fetch-site': 'same-site' },
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
    { origin: 'https://atelier.test.evil.example' },
    { origin: 'https://atelier.test:444' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('refuses another site: %j', (headers) => {
    expect(asks({ ...https, ...headers })).toBe(false);
  });
});

describe('configuration', () => {
  it('in production, mail without a server is a fault named at boot', () => {
    const production = {
      SERVICE_ENV: 'production',
      DATABASE_URL: 'postgresql://localhost/x',
      SERVICE_SESSION_SECRET: 'x'.repeat(32),
      CRON_SECRET: 'x'.repeat(16),
      CALLBACK_SECRET: 'x'.repeat(16),
      SERVICE_PUBLIC_URL: 'https://atelier.example',
    };
    expect(() => parseEnv(production)).toThrow(/SERVICE_SMTP_URL\u00a0: obligatoire en production/);
    expect(() => parseEnv({ ...production, SERVICE_SMTP_URL: 'smtps://u:p@mail.example' })).not.toThrow();
    expect(() => parseEnv({ ...production, SERVICE_ENV: 'development' })).not.toThrow();
  });
});
