import { modelFor } from '#lib/providers/models/catalogue.ts';
import { estimateMicros, pricingRecord } from '#lib/providers/models/pricing.ts';
import { isTransparent } from '#lib/storage/media/transparency.ts';
import { checkMask } from '../composition/check-composition.ts';
import { loadSharp } from '../composition/load-sharp.ts';
import type { Outcome } from '../generation/outcome.ts';
import { settingsOf } from '../generation/settings.ts';
import { gatewayParams, refuseInvalid } from '../kinds/checks.ts';
import { hasRatio, RATIO_TOLERANCE } from '../kinds/has-ratio.ts';
import type { PrepareKind } from '../kinds/kind.ts';
import { preparePrompt } from '../prompt/prepare-prompt.ts';
import { type ReadReference, readReferences } from '../references/read-references.ts';
import { blackAndWhite, OPENS_FROM } from './edit-mask.ts';
import { makePicture } from './make-picture.ts';
import { uprightPicture } from './upright.ts';

const CASE = 'image-edit';
const NOTHING_CHOSEN = {
  field: 'edit.image',
  message: 'Choisissez l’image à retoucher, et un masque qui dit où.',
};
/** The model takes the transparency of a picture for its mask (docs/providers.md, `fill-mask-or-alpha`), and gives back an opaque one. */
const SEEN_THROUGH = {
  field: 'edit.image',
  message:
    'Cette image laisse voir au travers, ce que la retouche ne garde pas\u00a0: choisissez-en une autre. Rien n’a été débité.',
};

/** A picture drawn again where its mask is white: what the mask opens is measured before anything is held. */
export const prepareEdit: PrepareKind<'image'> = async (ctx, request, product) => {
  const model = modelFor(CASE);
  refuseInvalid('edit.image', request.edit ? [] : [NOTHING_CHOSEN]);
  const { image: imageRef = '', mask: maskRef = '' } = request.edit ?? {};
  const sharp = await loadSharp();
  const [image, mask] = (await readReferences(ctx, product, [
    { ref: imageRef, as: 'image' },
    { ref: maskRef, as: 'image' },
  ])) as [ReadReference, ReadReference];
  const owner = ctx.actor.accountId;
  refuseInvalid('edit.image', (await isTransparent(image.bytes, owner)) ? [SEEN_THROUGH] : []);
  // Measured as the model reads it: a grey mask would be paid, and open nothing.
  await checkMask(sharp, mask.bytes, { picture: image, field: 'edit.mask', owner, opensFrom: OPENS_FROM });
  const { readsContext, ...prompt } = await preparePrompt(ctx, {
    kind: 'image',
    request,
    product,
    maxCharacters: model.limits.promptCharacters ?? 4_000,
  });
  const quantities = { images: 1 };
  const proportions = `${image.width}:${image.height}`;
  return {
    kind: 'IMAGE',
    assetType: 'IMAGE',
    provider: model.service,
    modelId: model.modelId,
    params: {
      ...prompt,
      ...gatewayParams(ctx, request, { ...model, case: CASE, pricing: pricingRecord(CASE, quantities) }),
      settings: settingsOf({ seed: request.seed }),
    },
    references: { roles: { images: [image.file], mask: mask.file } },
    readsContext,
    estimateMicros: estimateMicros(CASE, quantities),
    async run(row): Promise<Outcome> {
      const sent = await uprightPicture(image, owner);
      const opened = await blackAndWhite(mask.bytes, sent, owner);
      return makePicture(
        ctx,
        row,
        {
          case: CASE,
          prompt: prompt.prompt,
          aspectRatio: proportions,
          references: [{ kind: 'bytes', bytes: sent.bytes, mediaType: sent.contentType }],
          mask: { kind: 'bytes', bytes: opened, mediaType: 'image/png' },
          ...(request.seed === undefined ? {} : { seed: request.seed }),
        },
        {
          quantities,
          setting: 'aspectRatio',
          asked: proportions,
          isAsked: (size) => hasRatio(size, proportions, RATIO_TOLERANCE.image),
        },
      );
    },
  };
};
