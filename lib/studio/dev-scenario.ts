import { SCENARIOS } from '#lib/providers/fixtures/scenarios.ts';
import type { StudioContext } from './context.ts';

/** What `POST /api/dev/generate` can make go wrong: at the providers, in the store, in the ledger. */
export const DEV_SCENARIOS = [...SCENARIOS, 'storage-failure', 'settlement-failure'] as const;
export type DevScenario = (typeof DEV_SCENARIOS)[number];

class ScenarioFault extends Error {
  override name = 'ScenarioFault';
}

/** The same context whose store or ledger fails as the scenario says; the other scenarios are the providers' own. */
export function withFaults<C extends StudioContext>(ctx: C, scenario: DevScenario): C {
  const { store } = ctx.studio;
  if (scenario === 'storage-failure' && store)
    return {
      ...ctx,
      studio: {
        ...ctx.studio,
        store: { ...store, put: () => Promise.reject(new ScenarioFault('store')) },
      },
    };
  if (scenario !== 'settlement-failure') return ctx;
  return { ...ctx, studio: { ...ctx.studio, settle: () => Promise.reject(new ScenarioFault('ledger')) } };
}
