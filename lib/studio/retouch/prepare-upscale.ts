import { modelFor } from '#lib/providers/models/catalogue.ts';
import { estimateMicros, pricingRecord } from '#lib/providers/models/pricing.ts';
import { isTransparent } from '#lib/storage/media/transparency.ts';
import { loadSharp } from '../composition/load-sharp.ts';
import { sizeOf } from '../composition/pixels.ts';
import type { Outcome } from '../generation/outcome.ts';
import { settingsOf } from '../generation/settings.ts';
import { choiceProblem, gatewayParams, refuseInvalid } from '../kinds/checks.ts';
import { RATIO_TOLERANCE } from '../kinds/has-ratio.ts';
import type { PrepareKind } from '../kinds/kind.ts';
import { ignoredLayersOf } from '../prompt/server-layers.ts';
import { type ReadReference, readReferences } from '../references/read-references.ts';
import { makePicture } from './make-picture.ts';
import { uprightPicture } from './upright.ts';

const CASE = 'image-upscale';
const NOTHING_CHOSEN = { field: 'references', message: 'Choisissez l’image à agrandir, une seule.' };
const SEEN_THROUGH = {
  field: 'references',
  message:
    'Cette image laisse voir au travers, ce que l’agrandissement ne garde pas\u00a0: choisissez-en une autre. Rien n’a été débité.',
};
const millions = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 1 });

/** A picture made two or four times wider and taller: no words are sent; the brief is the row's title. */
export const prepareUpscale: PrepareKind<'image'> = async (ctx, request, product) => {
  const model = modelFor(CASE);
  const { scales = [], outputPixels: most = 0 } = model.limits;
  const scale = request.scale ?? 2;
  refuseInvalid('scale', choiceProblem('scale', scale, scales));
  const [ref] = request.references ?? [];
  if (ref === undefined || request.references?.length !== 1)
    return refuseInvalid('references', [NOTHING_CHOSEN]) as never;
  const sharp = await loadSharp();
  const [image] = (await readReferences(ctx, product, [{ ref, as: 'image' }])) as [ReadReference];
  const shown = await sizeOf(sharp, image.bytes);
  const size = { width: shown.width * scale, height: shown.height * scale };
  const outputPixels = size.width * size.height;
  const tooLarge = `Agrandie ${scale}\u00a0fois, cette image compterait ${millions.format(outputPixels / 1e6)}\u00a0millions de pixels, et ${millions.format(most / 1e6)}\u00a0au plus sont faits. Rien n’a été débité.`;
  refuseInvalid('scale', outputPixels > most ? [{ field: 'scale', message: tooLarge }] : []);
  const owner = ctx.actor.accountId;
  const isSeenThrough = await isTransparent(image.bytes, owner);
  refuseInvalid('references', isSeenThrough ? [SEEN_THROUGH] : []);
  const quantities = { outputPixels };
  return {
    kind: 'IMAGE',
    assetType: 'IMAGE',
    provider: model.service,
    modelId: model.modelId,
    params: {
      ...gatewayParams(ctx, request, { ...model, case: CASE, pricing: pricingRecord(CASE, quantities) }),
      ignoredLayers: ignoredLayersOf(request),
      settings: settingsOf({ scale }),
    },
    references: { roles: { images: [image.file] } },
    estimateMicros: estimateMicros(CASE, quantities),
    async run(row): Promise<Outcome> {
      const { bytes, contentType } = await uprightPicture(image, owner);
      return makePicture(
        ctx,
        row,
        {
          case: CASE,
          prompt: '',
          aspectRatio: `${size.width}:${size.height}`,
          references: [{ kind: 'bytes', bytes, mediaType: contentType }],
          size,
        },
        {
          quantities,
          setting: 'size',
          asked: `${size.width} × ${size.height}`,
          isAsked: ({ width, height }) => near(width, size.width) && near(height, size.height),
        },
      );
    },
  };
};

const near = (got: number, asked: number) => Math.abs(got / asked - 1) <= RATIO_TOLERANCE.image;
