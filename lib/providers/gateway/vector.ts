import type { Budgets } from '../budgets.ts';
import { modelFor } from '../models/catalogue.ts';
import { estimateInputTokens, estimateMicros } from '../models/pricing.ts';
import type {
  CallOptions,
  ProviderFailure,
  ProviderMode,
  VectorProvider,
  VectorRequest,
  VectorResult,
} from '../ports.ts';
import { traced } from '../trace.ts';
import { badAnswer } from '../transport.ts';
import { callModel, chargeOf, type GatewayClient, gatewayOptions } from './client.ts';
import { textAnswerSchema } from './schemas.ts';

/** Pictograms: a language model writes the SVG, through the AI Gateway's `language-model` route. */
export function createVectorProvider(
  client: GatewayClient,
  budgets: Budgets,
  mode: ProviderMode,
): VectorProvider {
  return {
    generate(request, options = {}) {
      const { modelId } = modelFor('vector');
      return traced({ mode, capability: 'vector', model: modelId }, () =>
        generate(client, budgets, request, options),
      );
    },
  };
}

async function generate(
  client: GatewayClient,
  budgets: Budgets,
  request: VectorRequest,
  options: CallOptions,
): Promise<VectorResult | ProviderFailure> {
  const { modelId, limits } = modelFor('vector');
  const inputTokens = estimateInputTokens(`${request.system ?? ''}${request.prompt}`);
  const answer = await callModel(
    client,
    {
      kind: 'language-model',
      modelId,
      json: {
        prompt: [
          ...(request.system ? [{ role: 'system', content: request.system }] : []),
          { role: 'user', content: [{ type: 'text', text: request.prompt }] },
        ],
        maxOutputTokens: limits.maxOutputTokens,
        // Reasoning tokens would count against the drawing's.
        providerOptions: {
          anthropic: { thinking: { type: 'disabled' } },
          ...gatewayOptions(client, 'vector', options),
        },
      },
      facts: { formulaMicros: (usage = {}) => estimateMicros('vector', { inputTokens, ...usage }) },
    },
    budgets.vector,
    options,
  );
  if (answer.outcome === 'failed') return answer;
  const charge = chargeOf(answer.json);
  const parsed = textAnswerSchema.safeParse(answer.json);
  if (!parsed.success) return badAnswer('the text answer is not what its schema says', charge);
  const { content, finishReason, usage } = parsed.data;
  if (finishReason.unified === 'content-filter')
    return {
      ...badAnswer('refused by the model’s content filter', charge),
      reason: 'content-refused',
    };
  const text = content.flatMap((part) => (part.type === 'text' && part.text ? [part.text] : [])).join('');
  return {
    outcome: 'success',
    svg: svgIn(text),
    text,
    truncated: finishReason.unified === 'length',
    usage: {
      ...(usage?.inputTokens?.total == null ? {} : { inputTokens: usage.inputTokens.total }),
      ...(usage?.outputTokens?.total == null ? {} : { outputTokens: usage.outputTokens.total }),
    },
    ...charge,
  };
}

/**
 * The SVG document inside a model's text: the first fenced block that holds one, else from the first `<svg` to the last
 * `</svg>`. Empty when there is none, or when it was cut before its end. Nothing inside is altered.
 */
export function svgIn(text: string): string {
  const fenced = text.split('```').filter((_, index) => index % 2 === 1);
  for (const part of [...fenced, text]) {
    const start = part.search(/<svg[\s/>]/);
    const end = part.lastIndexOf('</svg>');
    if (start >= 0 && end > start) return part.slice(start, end + '</svg>'.length);
  }
  return '';
}
