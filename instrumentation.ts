import { registerOTel } from '@vercel/otel';

/** At boot, once per instance: traces, and a configuration whose every fault is named before the first request. */
export async function register(): Promise<void> {
  registerOTel({ serviceName: 'atelier' });
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    const { env } = await import('#lib/core/env.ts');
    env();
  }
}
