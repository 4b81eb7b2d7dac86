import { generation as sentences } from '#lib/messages/studio.ts';
import { modelFor } from '#lib/providers/models/catalogue.ts';
import {
  estimateInputTokens,
  estimateMicros,
  formulaCostMicros,
  pricingRecord,
} from '#lib/providers/models/pricing.ts';
import type { VectorResult } from '#lib/providers/ports.ts';
import type { StudioContext } from '../context.ts';
import type { Outcome } from '../generation/outcome.ts';
import type { MissedSetting } from '../generation/settings.ts';
import { preparePrompt } from '../prompt/prepare-prompt.ts';
import { checkSvg } from '../vector/svg-allow-list.ts';
import { gatewayParams } from './checks.ts';
import { oncePaid, paidLoss, providerFailure } from './failures.ts';
import { gatewayCost } from './gateway-cost.ts';
import { hasRatio, RATIO_TOLERANCE } from './has-ratio.ts';
import type { PrepareKind } from './kind.ts';

/** The setting that a drawing which is not square does not respect. */
const SHAPE: MissedSetting = 'viewBox';

/** What a language model is told before the brief. */
const SYSTEM = `Tu dessines des pictogrammes. Réponds par un seul document SVG et rien d’autre : pas de prose, pas de commentaire.
Règles : xmlns="http://www.w3.org/2000/svg", viewBox="0 0 64 64", formes simples (path, circle, rect, line, polyline, polygon, g), couleurs en hexadécimal ou currentColor.
Interdits : image, script, style, foreignObject, texte, animation, adresse externe.`;

/** A pictogram as SVG from a language model, accepted only by the allow-list. */
export const prepareVector: PrepareKind<'vector'> = async (ctx, request, product) => {
  const model = modelFor('vector');
  const { readsContext, ...prompt } = await preparePrompt(ctx, {
    kind: 'vector',
    request,
    product,
    maxCharacters: model.limits.promptCharacters ?? 8_000,
  });
  const inputTokens = estimateInputTokens(SYSTEM + prompt.prompt);
  return {
    kind: 'VECTOR',
    assetType: 'VECTOR',
    provider: model.service,
    modelId: model.modelId,
    params: {
      ...prompt,
      ...gatewayParams(ctx, request, {
        ...model,
        case: 'vector',
        pricing: pricingRecord('vector', { inputTokens }),
      }),
    },
    references: {},
    readsContext,
    estimateMicros: estimateMicros('vector', { inputTokens }),
    async run(row): Promise<Outcome> {
      const result = await ctx.studio.providers.vector.generate(
        { system: SYSTEM, prompt: prompt.prompt },
        { idempotencyKey: row.id, accountId: row.accountId },
      );
      if (result.outcome === 'failed') return providerFailure(result);
      return oncePaid(result, () => keepDrawing(ctx, result, inputTokens));
    },
  };
};

/** The pictogram to keep, with its price; or why the member gets none. */
async function keepDrawing(ctx: StudioContext, result: VectorResult, inputTokens: number): Promise<Outcome> {
  const { outputTokens } = result.usage;
  const facts = outputTokens === undefined ? {} : { outputTokens };
  const identity = result.gatewayGenerationId ? { gatewayGenerationId: result.gatewayGenerationId } : {};
  if (result.truncated)
    return {
      result: 'failed',
      code: 'provider-failure',
      message: sentences.svgTruncated,
      errorMessage: 'cut at the token cap',
      paid: { ...paidLoss(result), reason: 'svg-unsafe', truncated: true },
      facts,
      ...identity,
    };
  const verdict = checkSvg(result.svg);
  if (!verdict.ok)
    return {
      result: 'failed',
      code: 'provider-failure',
      message: sentences.svgUnsafe,
      errorMessage: `svg-unsafe: ${verdict.reason}`,
      paid: { ...paidLoss(result), reason: 'svg-unsafe' },
      facts,
      ...identity,
    };
  if (!hasRatio(verdict, '1:1', RATIO_TOLERANCE.image))
    return {
      result: 'failed',
      code: 'setting-dropped',
      errorMessage: `asked a square, got ${verdict.width} × ${verdict.height}`,
      paid: { ...paidLoss(result), reason: 'setting-dropped', dropped: [SHAPE] },
      facts: { ...facts, dropped: [SHAPE] },
      ...identity,
    };
  const measured = {
    inputTokens: result.usage.inputTokens ?? inputTokens,
    outputTokens: outputTokens ?? modelFor('vector').limits.maxOutputTokens ?? 0,
  };
  const formula = {
    formulaMicros: formulaCostMicros('vector', measured),
    fromUsage: result.usage.inputTokens !== undefined && outputTokens !== undefined,
  };
  const bytes = new TextEncoder().encode(result.svg);
  const { width, height } = verdict;
  return {
    result: 'delivered',
    files: [
      {
        name: 'pictogramme.svg',
        bytes,
        contentType: 'image/svg+xml',
        width: Math.round(width),
        height: Math.round(height),
      },
    ],
    cost: await gatewayCost(ctx, result, formula),
    facts,
    ...identity,
  };
}
