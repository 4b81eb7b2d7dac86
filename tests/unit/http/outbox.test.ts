import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const TOKEN = 'outbox-token-of-the-tests-0123456789';

/** A process started with this configuration: it is read once. */
async function started(changes: Record<string, string | undefined>) {
  vi.resetModules();
  for (const [name, value] of Object.entries(changes)) vi.stubEnv(name, value);
  return import('#lib/http/security/shows-outbox.ts');
}

beforeEach(() => {
  vi.stubEnv('DATABASE_URL', 'postgresql://localhost/none');
  vi.stubEnv('SERVICE_SESSION_SECRET', 'session-secret-of-the-tests-0123456789');
  vi.stubEnv('VERCEL', undefined);
});
afterEach(() => vi.unstubAllEnvs());

it('the outbox opens for its token and nothing else: no header is asked', async () => {
  const { showsOutbox } = await started({ SERVICE_ENV: 'development', SERVICE_OUTBOX_TOKEN: TOKEN });
  expect(showsOutbox(TOKEN)).toBe(true);
  for (const wrong of [undefined, '', 'x', `${TOKEN}x`, TOKEN.toUpperCase()])
    expect(showsOutbox(wrong)).toBe(false);
  expect(showsOutbox.length).toBe(1);
});

it('without a token, on the platform and in production there is none', async () => {
  const { showsOutbox, hasOutbox } = await started({
    SERVICE_ENV: 'development',
    SERVICE_OUTBOX_TOKEN: undefined,
  });
  expect([hasOutbox(), showsOutbox(undefined), showsOutbox('')]).toEqual([false, false, false]);
  const preview = await started({ SERVICE_ENV: 'preview', SERVICE_OUTBOX_TOKEN: TOKEN, VERCEL: '1' });
  expect(preview.showsOutbox(TOKEN)).toBe(false);
  const production = await started({
    SERVICE_ENV: 'production',
    SERVICE_OUTBOX_TOKEN: TOKEN,
    VERCEL: undefined,
    CRON_SECRET: 'x'.repeat(16),
    CALLBACK_SECRET: 'x'.repeat(16),
    SERVICE_SMTP_URL: 'smtps://mail.example',
    SERVICE_PUBLIC_URL: 'https://atelier.example',
  });
  expect(production.showsOutbox(TOKEN)).toBe(false);
});
