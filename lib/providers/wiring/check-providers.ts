import { systemClock } from '#lib/core/clock.ts';
import { PROVIDER_NAMES, PROVIDERS, type ProviderName } from '#lib/core/env.ts';
import { compareListedPrices } from '../gateway/listed-prices.ts';
import type { FailureReason } from '../ports.ts';
import { createProviders, type ProvidersOptions, SERVICES } from './create-providers.ts';

/** The list of models is some hundred kilobytes. */
const PRICES_MS = 20_000;

export type CheckedProvider = {
  service: ProviderName;
  /**
   * `answers`: its key is accepted and, for GitHub, the render workflow is visible (whether it may be started is known at the first render).
   * `no-key`: nothing was sent. Otherwise the failure.
   */
  said: 'answers' | 'no-key' | FailureReason;
  /** Names of the variables that it lacks; never their values. */
  missing: string[];
};

/**
 * Sends one harmless request to every service that has its key, live whatever `SERVICE_PROVIDERS` says; `variables` as in the process. Nothing
 * is generated or billed. For a request about something that does not exist, « not found » proves the key; for the render workflow it means
 * that it is missing or not visible to the key.
 */
export async function checkProviders(
  variables: Readonly<Record<string, string | undefined>>,
  network: Pick<ProvidersOptions, 'fetch' | 'sleep'> = {},
): Promise<CheckedProvider[]> {
  const keys = PROVIDER_NAMES.map((service) => [service, variables[PROVIDERS[service].key]] as const);
  const secrets = Object.fromEntries(keys) as Record<ProviderName, string | undefined>;
  const keyed = PROVIDER_NAMES.filter((service) => secrets[service]);
  const providers = createProviders({
    live: new Set(keyed),
    absent: new Set(PROVIDER_NAMES.filter((service) => !secrets[service])),
    clock: systemClock,
    secrets,
    renderRepository: variables.SERVICE_RENDER_REPOSITORY,
    ...network,
  });
  return Promise.all(
    PROVIDER_NAMES.map(async (service): Promise<CheckedProvider> => {
      const { key, needs } = PROVIDERS[service];
      const missing = [key, ...needs].filter((name) => !variables[name]);
      if (!secrets[service]) return { service, said: 'no-key', missing };
      const { probe, asksForNothing = false } = SERVICES[service];
      const answer = await probe(providers);
      const isTaken = answer.outcome !== 'failed' || (asksForNothing && answer.reason === 'not-found');
      return { service, said: isTaken ? 'answers' : (answer.reason as FailureReason), missing };
    }),
  );
}

/** Compares the table's prices with those that the gateway lists, live. Null without its key: nothing is sent then. */
export function checkPrices(
  variables: Readonly<Record<string, string | undefined>>,
  network: Pick<ProvidersOptions, 'fetch' | 'sleep'> = {},
): ReturnType<typeof compareListedPrices> | null {
  if (!variables[PROVIDERS.gateway.key]) return null;
  const { fetch = globalThis.fetch, sleep } = network;
  return compareListedPrices({ fetch, secrets: [], ...(sleep ? { sleep } : {}) }, PRICES_MS);
}
