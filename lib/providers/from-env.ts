import type { Clock } from '#lib/core/clock.ts';
import type { Env } from '#lib/core/env.ts';
import { createProviders, type ProvidersOptions } from './create-providers.ts';
import type { Providers } from './ports.ts';

/** The outside services as the configuration wants them; `extra` picks a recorded scenario or other budgets. */
export function providersFromEnv(
  env: Env,
  clock: Clock,
  extra: Partial<Pick<ProvidersOptions, 'fetch' | 'fixtures' | 'budgets'>> = {},
): Providers {
  return createProviders({
    live: env.liveProviders,
    clock,
    secrets: {
      gatewayApiKey: env.AI_GATEWAY_API_KEY,
      elevenLabsApiKey: env.ELEVENLABS_API_KEY,
      lipsyncApiKey: env.LIPSYNC_API_KEY,
      renderDispatchToken: env.SERVICE_RENDER_DISPATCH_TOKEN,
    },
    renderRepository: env.SERVICE_RENDER_REPOSITORY,
    ...extra,
  });
}
