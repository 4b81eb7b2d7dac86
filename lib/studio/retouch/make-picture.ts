import { formulaCostMicros, type PricingQuantities } from '#lib/providers/models/pricing.ts';
import type { ImageRequest, ImageResult } from '#lib/providers/ports.ts';
import { MediaRefusal } from '#lib/storage/media/media-refusal.ts';
import { probeImageFile } from '#lib/storage/media/probe.ts';
import type { StudioContext } from '../context.ts';
import type { Generation } from '../generation/generation.ts';
import type { Outcome } from '../generation/outcome.ts';
import type { MissedSetting } from '../generation/settings.ts';
import { oncePaid, paidLoss, providerFailure } from '../kinds/failures.ts';
import { gatewayCost } from '../kinds/gateway-cost.ts';
import { settingDropped, withoutReferences } from '../kinds/image.ts';
import { MAX_RESULT_BYTES } from '../limits.ts';

type Measured = { width: number; height: number };

/** What the picture should be: `isAsked` judges its pixels, `setting` and `asked` say what was not kept to. */
type Wanted = {
  quantities: PricingQuantities;
  setting: MissedSetting;
  asked: string;
  isAsked(size: Measured): boolean;
};

/** Asks the provider for one picture made of another, once under the row's identifier, and keeps it; or says why the member gets none. */
export async function makePicture(
  ctx: StudioContext,
  row: Generation,
  request: ImageRequest,
  wanted: Wanted,
): Promise<Outcome> {
  const result = await ctx.studio.providers.image.generate(request, {
    idempotencyKey: row.id,
    accountId: row.accountId,
  });
  if (result.outcome === 'failed') return providerFailure(result);
  return oncePaid(result, () => keepPicture(ctx, row, { caseId: request.case, result, wanted }));
}

/** The one picture to keep, with its price; or why the member gets none. */
async function keepPicture(
  ctx: StudioContext,
  { accountId: owner }: Generation,
  { caseId, result, wanted }: { caseId: string; result: ImageResult; wanted: Wanted },
): Promise<Outcome> {
  const bytes = result.images[0]?.bytes ?? new Uint8Array();
  const identity = result.gatewayGenerationId ? { gatewayGenerationId: result.gatewayGenerationId } : {};
  if (result.referencesLeftOut) return { ...withoutReferences(result), ...identity };
  try {
    const { contentType, extension, width, height } = await probeImageFile(bytes, {
      maxBytes: MAX_RESULT_BYTES,
      owner,
    });
    if (!wanted.isAsked({ width, height })) {
      const difference = `asked ${wanted.asked}, got ${width} × ${height}`;
      return { ...settingDropped(result, wanted.setting, difference), ...identity };
    }
    const formulaMicros = formulaCostMicros(caseId, wanted.quantities);
    return {
      result: 'delivered',
      files: [{ name: `image-1.${extension}`, bytes, contentType, width, height }],
      ...identity,
      cost: await gatewayCost(ctx, result, { formulaMicros }),
      ...(result.warnings.length > 0 ? { facts: { startWarnings: result.warnings } } : {}),
    };
  } catch (error) {
    if (!(error instanceof MediaRefusal)) throw error;
    return {
      result: 'failed',
      code: 'provider-failure',
      errorMessage: `unusable image: ${error.reason}`,
      paid: paidLoss(result),
      ...identity,
    };
  }
}
