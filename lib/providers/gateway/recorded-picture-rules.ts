import type { RefusalRule } from '../fixtures/refusal-rule.ts';
import { pixelsOf, seesThrough } from '../fixtures/sent-picture.ts';

type Sent = { type?: string; mediaType?: string; data?: string };
type Body = { files?: Sent[]; mask?: Sent; size?: string };

const FILL = ['bfl/flux-pro-1.0-fill'];
const TOPAZ = ['topaz/'];
const FILL_SOURCE = '[S] docs.bfl.ai/flux_tools/flux_1_fill';

/** What the models that make one picture of another refuse; a part of the gateway's table. */
export const PICTURE_REFUSALS: readonly RefusalRule<Body>[] = [
  {
    id: 'fill-one-image',
    route: 'image-model',
    models: FILL,
    refuses: ({ files = [] }) => files.length !== 1,
    status: 422,
    says: 'image is required, one alone',
    source: '[S] docs.bfl.ai/api-reference, flux-pro-1.0-fill (`image`); the status is inferred',
  },
  {
    id: 'fill-mask-or-alpha',
    route: 'image-model',
    models: FILL,
    refuses: ({ files = [], mask }) => mask === undefined && !files.some(seesThrough),
    status: 422,
    says: 'a mask is required unless the image has an alpha channel',
    source: `${FILL_SOURCE} (“separate mask”, “alpha channel”); the status is inferred`,
  },
  {
    id: 'fill-mask-size',
    route: 'image-model',
    models: FILL,
    refuses: ({ files = [], mask }) => {
      const [image, other] = [pixelsOf(files[0]), pixelsOf(mask)];
      return image !== null && other !== null && image !== other;
    },
    status: 422,
    says: 'the mask must have the dimensions of the image',
    source:
      '[S] docs.bfl.ai/api-reference, flux-pro-1.0-fill (`mask`), as docs.comfy.org gives it; the status is inferred',
  },
  {
    id: 'topaz-needs-image',
    route: 'image-model',
    models: TOPAZ,
    refuses: ({ files = [] }) => files.length === 0,
    status: 400,
    says: 'an input image is required',
    source: '[S] vercel/ai, packages/topaz (topaz-image-model); the status is inferred',
  },
  {
    id: 'topaz-format',
    route: 'image-model',
    models: TOPAZ,
    refuses: ({ files = [] }) =>
      files.some(
        ({ type, mediaType = '' }) => type === 'file' && !/^image\/(jpeg|png|tiff)$/.test(mediaType),
      ),
    status: 400,
    says: 'the image must be a JPEG, PNG or TIFF',
    source: '[S] vercel.com/ai-gateway/models/wonder-3.5; the status is inferred',
  },
  {
    id: 'topaz-output-size',
    route: 'image-model',
    models: TOPAZ,
    refuses: ({ size = '1x1' }) =>
      size.split('x').some((side) => !(Number(side) >= 1 && Number(side) <= 32_000)),
    status: 400,
    says: 'output_width and output_height go from 1 to 32000',
    source: '[S] vercel/ai, packages/topaz (topaz-image-model-options); the status is inferred',
  },
];
