import type { AccountActor } from '#lib/core/actor.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { generation as sentences } from '#lib/messages/studio.ts';
import type { Product } from '#lib/products/types.ts';
import { modelFor } from '#lib/providers/models/catalogue.ts';
import type { ModelEntry } from '#lib/providers/models/entry.ts';
import { formulaCostMicros, pricingRecord } from '#lib/providers/models/pricing.ts';
import type { ImageRequest, ImageResult } from '#lib/providers/ports.ts';
import { MediaRefusal } from '#lib/storage/media/media-refusal.ts';
import { probeImageFile } from '#lib/storage/media/probe.ts';
import { isTransparent } from '#lib/storage/media/transparency.ts';
import { checkComposition } from '../composition/check-composition.ts';
import { composeProductImage } from '../composition/compose-product-image.ts';
import { loadSharp } from '../composition/load-sharp.ts';
import type { StudioContext } from '../context.ts';
import type { DeliveredFile, Failed, Outcome } from '../generation/outcome.ts';
import type { Params, References } from '../generation/params.ts';
import { type MissedSetting, settingsOf } from '../generation/settings.ts';
import { MAX_RESULT_BYTES, REFERENCES_PER_IMAGE } from '../limits.ts';
import { preparePrompt } from '../prompt/prepare-prompt.ts';
import { fitImages } from '../references/fit-inline.ts';
import { type ReadReference, readReferences } from '../references/read-references.ts';
import type { RequestOf } from '../request.ts';
import { choiceProblem, gatewayParams, refuseInvalid } from './checks.ts';
import { oncePaid, paidLoss, providerFailure } from './failures.ts';
import { askModels, fallbackOf, holdForBoth } from './fallback.ts';
import { gatewayCost } from './gateway-cost.ts';
import { hasRatio, RATIO_TOLERANCE } from './has-ratio.ts';
import type { PrepareKind } from './kind.ts';

/** Text to image, with references, a start image, or a product kept pixel for pixel. */
export const prepareImage: PrepareKind<'image'> = async (ctx, request, product) => {
  const model = modelFor(request.case);
  const { background, media } = model.limits;
  checkSettings(request, model.limits);
  if (request.composition) await loadSharp();
  const pictures = await readPictures(ctx, product, request);
  const { composition, sent } = pictures;
  const { aspectRatio } = composition
    ? await checkComposition({
        product: composition.product.bytes,
        mask: composition.mask.bytes,
        aspectRatio: request.aspectRatio,
        offered: model.limits.aspectRatios ?? [],
        owner: ctx.actor.accountId,
      })
    : { aspectRatio: request.aspectRatio ?? '1:1' };
  const { readsContext, ...prompt } = await preparePrompt(ctx, {
    kind: 'image',
    request,
    product,
    maxCharacters: model.limits.promptCharacters ?? 8_000,
  });

  const megapixels = sent.reduce((sum, picture) => sum + begunMegapixels(picture), 0);
  const quantities = { images: 1, references: megapixels };
  const fallback = fallbackOf(request.case, { references: sent.length });
  const hold = holdForBoth(request.case, fallback, quantities);
  return {
    kind: 'IMAGE',
    assetType: 'IMAGE',
    provider: model.service,
    modelId: model.modelId,
    params: {
      ...prompt,
      ...gatewayParams(ctx, request, {
        ...model,
        case: request.case,
        pricing: pricingRecord(request.case, quantities),
      }),
      ...hold.expected,
      settings: settingsOf({ aspectRatio, background, seed: request.seed }),
    },
    references: sent.length > 0 ? { roles: rolesOf(pictures) } : {},
    readsContext,
    estimateMicros: hold.estimateMicros,
    ...(fallback === undefined ? {} : { fallbackModelId: modelFor(fallback).modelId }),
    async run(row): Promise<Outcome> {
      const asked: ImageRequest = {
        case: request.case,
        prompt: prompt.prompt,
        aspectRatio,
        references: (await fitImages(sent, { owner: row.accountId, media })).map(
          ({ bytes, contentType }) => ({
            kind: 'bytes',
            bytes,
            mediaType: contentType,
          }),
        ),
        ...(megapixels > 0 ? { referenceMegapixels: megapixels } : {}),
        ...(request.seed === undefined ? {} : { seed: request.seed }),
      };
      const { result, ranCase, facts } = await askModels(ctx, row, { asked, fallback, quantities });
      if (result.outcome === 'failed') return providerFailure(result);
      return oncePaid(result, () =>
        keepImages(ctx, ranCase, {
          facts,
          result,
          composition,
          aspectRatio,
          background,
          references: megapixels,
          owner: row.accountId,
        }),
      );
    },
  };
};

/** The pictures of a request, by what each serves as. */
type Pictures = {
  start: ReadReference | undefined;
  composition: Composition | null;
  references: ReadReference[];
  /** Those that the model is given, in order: all but the mask, which is ours. */
  sent: ReadReference[];
};

async function readPictures(
  ctx: StudioContext<AccountActor>,
  product: Product,
  request: RequestOf<'image'>,
): Promise<Pictures> {
  const { startImage, composition } = request;
  const first = [startImage, composition?.product, composition?.mask].filter((ref) => ref !== undefined);
  const refs = [...first, ...(request.references ?? [])];
  const read = await readReferences(
    ctx,
    product,
    refs.map((ref) => ({ ref, as: 'image' as const })),
  );
  const references = read.splice(first.length);
  const start = startImage === undefined ? undefined : read.shift();
  const [kept, mask] = read;
  const sent = [start, kept, ...references].filter((picture) => picture !== undefined);
  return { start, composition: kept && mask ? { product: kept, mask } : null, references, sent };
}

/** Which file serves as what, as the row records it. */
function rolesOf({ start, composition, references }: Pictures): NonNullable<References['roles']> {
  return {
    ...(start ? { startImage: start.file } : {}),
    ...(composition ? { product: composition.product.file, mask: composition.mask.file } : {}),
    ...(references.length > 0 ? { images: references.map(({ file }) => file) } : {}),
  };
}

const NOT_HERE = (field: string) => ({ field, message: 'Ce modèle n’a pas ce réglage.' });
const NO_SEED = NOT_HERE('seed');
const NO_COMPOSITION = {
  field: 'composition.product',
  message:
    'Une image à fond transparent n’a rien à mettre derrière un produit\u00a0: choisissez un autre modèle.',
};

const MEGAPIXEL = 1_048_576;
/** Checks the settings and the number of references against the model's limits. Throws `invalid` naming the first that is not taken. */
function checkSettings(request: RequestOf<'image'>, limits: ModelEntry['limits']): void {
  refuseInvalid('aspectRatio', choiceProblem('aspectRatio', request.aspectRatio, limits.aspectRatios));
  refuseInvalid('seed', limits.seed === 'never' && request.seed !== undefined ? [NO_SEED] : []);
  if (limits.background && request.composition) refuseInvalid('composition.product', [NO_COMPOSITION]);
  refuseInvalid('edit.image', request.edit ? [NOT_HERE('edit.image')] : []);
  refuseInvalid('scale', request.scale === undefined ? [] : [NOT_HERE('scale')]);
  const most = Math.min(REFERENCES_PER_IMAGE, limits.references ?? REFERENCES_PER_IMAGE);
  const asked =
    (request.references?.length ?? 0) + (request.startImage ? 1 : 0) + (request.composition ? 1 : 0);
  if (asked > most)
    refuseInvalid('references', [
      { field: 'references', message: `Ce modèle accepte au plus ${most} images de référence en tout.` },
    ]);
}

/** A larger picture is made smaller by the model before it is read. */
const MAX_MEGAPIXELS = 4;

/** What a reference image is billed for. */
function begunMegapixels({ width, height }: ReadReference): number {
  return Math.min(MAX_MEGAPIXELS, Math.max(1, Math.ceil((width * height) / MEGAPIXEL)));
}

type Composition = { product: ReadReference; mask: ReadReference };

/** The images to keep, with their price; or why the member gets none. */
async function keepImages(
  ctx: StudioContext,
  caseId: string,
  answer: {
    result: ImageResult;
    composition: Composition | null;
    aspectRatio: string;
    background: 'transparent' | undefined;
    references: number;
    facts: Partial<Params>;
    owner: string;
  },
): Promise<Outcome> {
  const { result, composition, references } = answer;
  const identity = result.gatewayGenerationId ? { gatewayGenerationId: result.gatewayGenerationId } : {};
  if (result.referencesLeftOut) return { ...withoutReferences(result), ...identity };
  const files = await filesOf(result, composition, answer);
  if ('result' in files) return { ...files, ...identity };
  return {
    result: 'delivered',
    files: files.files,
    ...identity,
    cost: await imageCost(ctx, caseId, result, references),
    facts: {
      ...answer.facts,
      ...files.facts,
      ...(result.usage?.outputTokens === undefined ? {} : { outputTokens: result.usage.outputTokens }),
      ...(result.warnings.length > 0 ? { startWarnings: result.warnings } : {}),
    },
  };
}

function imageCost(ctx: StudioContext, caseId: string, result: ImageResult, references: number) {
  const formulaMicros = formulaCostMicros(caseId, { images: result.images.length, references });
  return gatewayCost(ctx, result, { formulaMicros });
}

/** The provider was paid for something else than what was asked. */
export function settingDropped(result: ImageResult, setting: MissedSetting, errorMessage: string): Failed {
  return {
    result: 'failed',
    code: 'setting-dropped',
    errorMessage,
    paid: { ...paidLoss(result), reason: 'setting-dropped', dropped: [setting] },
    facts: { dropped: [setting] },
  };
}

/** The picture was made without what the member gave for it. */
export function withoutReferences(result: ImageResult): Failed {
  const dropped = settingDropped(result, 'references', 'dropped: references');
  return { ...dropped, message: sentences.referenceDropped };
}

type Files = { files: DeliveredFile[]; facts: { composition?: Record<string, number> } };

/** The files to keep, their types and sizes by their bytes; or why the member gets none. */
async function filesOf(
  result: ImageResult,
  composition: Composition | null,
  given: { aspectRatio: string; background: 'transparent' | undefined; owner: string },
): Promise<Files | Failed> {
  const { aspectRatio, background, owner } = given;
  try {
    if (composition) {
      const generated = result.images[0]?.bytes ?? new Uint8Array();
      const { png, width, height, coverage } = await composeProductImage(
        { product: composition.product.bytes, mask: composition.mask.bytes, generated },
        { owner, aspectRatio },
      );
      const file = { name: 'image-1.png', bytes: png, contentType: 'image/png', width, height };
      return { files: [file], facts: { composition: { coverage } } };
    }
    const files: DeliveredFile[] = [];
    for (const [index, image] of result.images.entries()) {
      const { contentType, extension, width, height } = await probeImageFile(image.bytes, {
        maxBytes: MAX_RESULT_BYTES,
        owner,
      });
      if (!hasRatio({ width, height }, aspectRatio, RATIO_TOLERANCE.image))
        return settingDropped(result, 'aspectRatio', `asked ${aspectRatio}, got ${width} × ${height}`);
      if (background && !(await isTransparent(image.bytes, owner)))
        return settingDropped(result, 'background', 'asked without a background, got an opaque image');
      files.push({ name: `image-${index + 1}.${extension}`, bytes: image.bytes, contentType, width, height });
    }
    return { files, facts: {} };
  } catch (error) {
    if (error instanceof ServiceError)
      return {
        result: 'failed',
        code: 'composition-failed',
        errorMessage: error.options.detail ?? error.code,
        paid: { ...paidLoss(result), reason: 'composition-failed' },
      };
    if (error instanceof MediaRefusal)
      return {
        result: 'failed',
        code: 'provider-failure',
        errorMessage: `unusable image: ${error.reason}`,
        paid: paidLoss(result),
      };
    throw error;
  }
}
