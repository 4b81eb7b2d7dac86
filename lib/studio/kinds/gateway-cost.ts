import type { Micros } from '#lib/core/money.ts';
import type { GatewayCharge } from '#lib/providers/ports.ts';
import type { StudioContext } from '../context.ts';
import type { CostFacts } from '../generation/outcome.ts';

/**
 * What is known of a gateway call's price: the figure of its answer, else the one that the gateway gives afterwards for its id
 * (one read), else the formula alone.
 */
export async function gatewayCost(
  ctx: StudioContext,
  charge: GatewayCharge,
  formula: { formulaMicros: Micros; fromUsage?: boolean },
): Promise<CostFacts> {
  const id = charge.gatewayGenerationId;
  const identity = id ? { gatewayGenerationId: id } : {};
  if (charge.costMicros !== undefined) return { ...formula, ...identity, gatewayMicros: charge.costMicros };
  if (!id) return formula;
  const asked = await ctx.studio.providers.cost.cost(id);
  // Paid with our own key at the provider: the gateway's figure is not the whole price.
  if (asked.outcome === 'failed' || asked.ownKey) return { ...formula, ...identity };
  return { ...formula, ...identity, gatewayMicros: asked.costMicros };
}
