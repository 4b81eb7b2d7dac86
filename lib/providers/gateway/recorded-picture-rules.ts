import { isOutside, type RefusalRule } from '../fixtures/refusal-rule.ts';
import { pixelsOf, seesThrough } from '../fixtures/sent-picture.ts';

type Sent = { type?: string; mediaType?: string; data?: string };
type Body = {
  files?: Sent[];
  mask?: Sent;
  size?: string;
  providerOptions?: {
    blackForestLabs?: { width?: number; height?: number };
    openai?: { background?: string; quality?: string; outputFormat?: string };
  };
};

const FILL = ['bfl/flux-pro-1.0-fill'];
const TOPAZ = ['topaz/'];
const SEE_THROUGH = ['openai/gpt-image-1', 'openai/gpt-image-2.5'];
const FILL_SOURCE = '[S] docs.bfl.ai/flux_tools/flux_1_fill';

const hasUnread = ({ files = [] }: Body) =>
  files.some(({ mediaType }) => mediaType && !/^image\/(?:jpeg|png|webp)$/.test(mediaType));

/** What the image models refuse; a part of the gateway’s table. */
export const PICTURE_REFUSALS: readonly RefusalRule<Body>[] = [
  {
    id: 'flux-size',
    route: 'image-model',
    models: ['bfl/flux-2'],
    refuses: ({ providerOptions }) => {
      const { width, height } = providerOptions?.blackForestLabs ?? {};
      if (width === undefined && height === undefined) return false;
      const sides = [width ?? 0, height ?? 0];
      return sides.some((side) => side < 64 || side % 16 !== 0) || (width ?? 0) * (height ?? 0) > 4_194_304;
    },
    status: 422,
    says: 'width and height must be multiples of 16, 4 megapixels at most',
    source: '[S] docs.bfl.ai, FLUX.2 (width, height); [T] docs.apiyi.com (4 MP)',
  },
  {
    id: 'flux-references',
    route: 'image-model',
    models: ['bfl/flux-2'],
    refuses: ({ files = [] }) => files.length > 8,
    status: 422,
    says: 'at most 8 input images',
    source: '[S] docs.bfl.ai, FLUX.2',
  },
  {
    id: 'flux-image-type',
    route: 'image-model',
    models: ['bfl/flux-2'],
    refuses: hasUnread,
    status: 422,
    says: 'input images must be JPEG, PNG or WebP',
    source: '[T] kie.ai/flux-2 (“JPEG, PNG, WEBP”, 2026-11-27); the status is inferred',
  },
  {
    id: 'flux-klein-references',
    route: 'image-model',
    models: ['bfl/flux-2-klein'],
    refuses: ({ files = [] }) => files.length > 4,
    status: 422,
    says: 'at most 4 input images',
    source: '[T] docs.freepik.com, flux-2-klein (4 references); the status is inferred',
  },
  {
    id: 'gpt-image-size',
    route: 'image-model',
    models: ['openai/gpt-image-1'],
    refuses: ({ size }) => isOutside(size, ['1024x1024', '1536x1024', '1024x1536', 'auto']),
    status: 400,
    says: 'size must be 1024x1024, 1536x1024, 1024x1536 or auto',
    source: '[T] docs.apiyi.com/en/api-capabilities/gpt-image-1-5 (request parameters)',
  },
  {
    id: 'gpt-image-quality',
    route: 'image-model',
    models: ['openai/gpt-image-1'],
    refuses: ({ providerOptions }) =>
      isOutside(providerOptions?.openai?.quality, ['low', 'medium', 'high', 'auto']),
    status: 400,
    says: 'quality must be low, medium, high or auto',
    source: '[T] docs.apiyi.com/en/api-capabilities/gpt-image-1-5 (request parameters)',
  },
  {
    id: 'gpt-image-background',
    route: 'image-model',
    models: SEE_THROUGH,
    refuses: ({ providerOptions }) =>
      isOutside(providerOptions?.openai?.background, ['transparent', 'opaque', 'auto']) ||
      (providerOptions?.openai?.background === 'transparent' &&
        providerOptions.openai.outputFormat === 'jpeg'),
    status: 400,
    says: 'background must be transparent (png or webp alone), opaque or auto',
    source:
      '[T] docs.apiyi.com/en/api-capabilities/gpt-image-1-5 (request parameters); that a JPEG has no transparency is of its format',
  },
  {
    id: 'gpt-image-references',
    route: 'image-model',
    models: SEE_THROUGH,
    refuses: ({ files = [] }) => files.length > 16,
    status: 400,
    says: 'at most 16 input images',
    source: '[T] a published guide of the AI SDK’s image edits (“up to 16 input images”)',
  },
  {
    id: 'gpt-image-type',
    route: 'image-model',
    models: ['openai/gpt-image'],
    refuses: hasUnread,
    status: 400,
    says: 'input images must be PNG, WebP or JPEG',
    source:
      '[S] openai/openai-python, ImageEditParams (“png, webp, or jpg”, 2026-11-27); the status is inferred',
  },
  {
    id: 'gpt-image-2-opaque',
    route: 'image-model',
    models: ['openai/gpt-image-2'],
    refuses: ({ providerOptions }, { model }) =>
      model === 'openai/gpt-image-2' && providerOptions?.openai?.background === 'transparent',
    status: 400,
    says: 'Transparent background is not supported for this model.',
    source: '[T] docs.apiyi.com/en/live/2026-10/gpt-image-2-transparent-shutdown (since 2026-09-30)',
  },
  {
    id: 'gpt-image-1-retired',
    route: 'image-model',
    models: ['openai/gpt-image-1'],
    refuses: (_, { at }) => at >= new Date('2026-12-01T00:00:00Z'),
    status: 404,
    says: 'model is retired',
    source:
      '[S] developers.openai.com/api/docs/deprecations (1.5 and 1-mini: Dec 1, 2026); that the gateway has no other maker of it, and the status, are inferred',
  },
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
