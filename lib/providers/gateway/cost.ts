import type { Micros } from '#lib/core/money.ts';
import type { Budgets } from '../budgets.ts';
import type { CallOptions, CostProvider, CostResult, ProviderFailure, ProviderMode } from '../ports.ts';
import { traced } from '../trace.ts';
import { badAnswer, jsonOf, notConfigured, send } from '../transport.ts';
import { costOf, GATEWAY_ORIGIN, type GatewayClient, gatewayHeaders } from './client.ts';
import { generationInfoSchema } from './schemas.ts';

/** Reads the cost of one generation from the AI Gateway. */
export function createCostProvider(
  client: GatewayClient,
  budgets: Budgets,
  mode: ProviderMode,
): CostProvider {
  return {
    cost: (id, options = {}) =>
      traced({ mode, capability: 'cost' }, () => read(client, budgets, id, options)),
  };
}

async function read(
  client: GatewayClient,
  budgets: Budgets,
  gatewayGenerationId: string,
  options: CallOptions,
): Promise<CostResult | ProviderFailure> {
  if (!client.apiKey) return notConfigured('AI_GATEWAY_API_KEY');
  const answer = await send(
    client,
    {
      method: 'GET',
      url: `${GATEWAY_ORIGIN}/v1/generation?id=${encodeURIComponent(gatewayGenerationId)}`,
      headers: gatewayHeaders(client.apiKey),
      repeatable: true,
      maxBytes: 1024 * 1024,
    },
    budgets.cost,
    options,
  );
  if (answer.outcome === 'failed') return answer;
  const parsed = generationInfoSchema.safeParse(jsonOf(answer.bytes));
  const costMicros = parsed.success ? paidFor(parsed.data.data) : undefined;
  if (!parsed.success || costMicros === undefined) return badAnswer('the cost answer holds no cost');
  const { id = gatewayGenerationId, is_byok: ownKey, provider_name: providerName } = parsed.data.data;
  if (id !== gatewayGenerationId) return badAnswer('the cost answer is of another generation');
  return {
    outcome: 'success',
    costMicros,
    ownKey: ownKey ?? false,
    ...(providerName ? { providerName } : {}),
  };
}

/**
 * The total cost of one generation: the gateway's debit (`gateway_cost`, else the total), plus the provider's own bill where our key was used;
 * 0 when that is not reported.
 */
function paidFor(info: {
  total_cost: number;
  gateway_cost?: number | undefined;
  upstream_inference_cost?: number | undefined;
  is_byok?: boolean | undefined;
}): Micros | undefined {
  if (!info.is_byok) return costOf(info.gateway_cost ?? info.total_cost);
  const upstream = costOf(info.upstream_inference_cost ?? 0);
  if (!upstream) return upstream;
  return upstream + (costOf(info.gateway_cost ?? 0) ?? 0n);
}
