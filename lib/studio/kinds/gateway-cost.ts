import type { Micros } from '#lib/core/money.ts';
import type { GatewayCharge } from '#lib/providers/ports.ts';
import type { StudioContext } from '../context.ts';
import type { CostFacts } from '../generation/outcome.ts';

/**
 * What is known of a gateway call's price: the figure of its answer unless it is 0, else the one that the gateway gives afterwards for its id
 * (one read), else the formula alone.
 */
export async function gatewayCost(
  ctx: StudioContext,
  charge: GatewayCharge,
  formula: { formulaMicros: Micros; fromUsage?: boolean },
): Promise<CostFacts> {
  const id = charge.gatewayGenerationId;
  const identity = id ? { gatewayGenerationId: id } : {};
  const { costMicros } = charge;
  // With our own key at the provider, the answer's cost is 0: only its identifier can tell what was paid.
  if (costMicros !== undefined && costMicros > 0n)
    return { ...formula, ...identity, gatewayMicros: costMicros };
  if (!id) return formula;
  const asked = await ctx.studio.providers.cost.cost(id);
  if (asked.outcome === 'failed') return { ...formula, ...identity };
  // Paid with our own key, and the provider's price is not told: the formula.
  if (asked.ownKey && asked.costMicros === 0n) return { ...formula, ...identity };
  return { ...formula, ...identity, gatewayMicros: asked.costMicros };
}
