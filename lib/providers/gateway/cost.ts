import type { Budgets } from '../budgets.ts';
import type { CallOptions, CostProvider, CostResult, ProviderFailure, ProviderMode } from '../ports.ts';
import { traced } from '../trace.ts';
import { badAnswer, jsonOf, notConfigured, send } from '../transport.ts';
import { costOf, GATEWAY_ORIGIN, type GatewayClient, gatewayHeaders } from './client.ts';
import { generationInfoSchema } from './schemas.ts';

/** What the AI Gateway says that one generation cost. */
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
  const costMicros = parsed.success ? costOf(parsed.data.data.total_cost) : undefined;
  if (!parsed.success || costMicros === undefined) return badAnswer('the cost answer holds no cost');
  const { is_byok: ownKey, provider_name: providerName } = parsed.data.data;
  return {
    outcome: 'success',
    costMicros,
    ownKey: ownKey ?? false,
    ...(providerName ? { providerName } : {}),
  };
}
