import { isScenario } from '#lib/providers/fixtures/scenarios.ts';
import type { StudioContext } from '#lib/studio/context.ts';
import { type DevScenario, withFaults } from '#lib/studio/dev-scenario.ts';
import { configuredProviders } from './studio.ts';

/** Shorter time limits for scenarios in which the provider is known not to answer. */
const SHORT_BUDGETS = {
  image: 1_500,
  vector: 1_500,
  voice: 1_500,
  videoStart: 1_500,
  voiceOrigin: 1_500,
  renderDispatch: 1_500,
};

/** The context of a request played on recorded answers, with what goes wrong in the scenario. Outside production only. */
export function withScenario<C extends StudioContext>(ctx: C, scenario: DevScenario): C {
  const providers = configuredProviders(
    isScenario(scenario) ? { scenario } : {},
    scenario.includes('timeout') ? SHORT_BUDGETS : undefined,
  );
  return withFaults({ ...ctx, studio: { ...ctx.studio, providers } }, scenario);
}
