import type { RecordedRequest } from '../fixtures/recorded-request.ts';
import { brokenRule, isOutside, type RefusalRule } from '../fixtures/refusal-rule.ts';
import { PICTURE_REFUSALS } from './recorded-picture-rules.ts';
import { REFERENCE_REFUSALS } from './recorded-reference-rules.ts';

type Body = {
  prompt?: string;
  aspectRatio?: string;
  size?: string;
  duration?: number;
  resolution?: string;
  image?: { type?: string };
  frameImages?: { image?: { type?: string } }[];
  inputReferences?: { type?: string; mediaType?: string }[];
  files?: { type?: string; mediaType?: string; data?: string }[];
  mask?: { data?: string };
  maxOutputTokens?: number;
  providerOptions?: {
    blackForestLabs?: { width?: number; height?: number };
    klingai?: { mode?: string; videoUrl?: string };
    anthropic?: { thinking?: { type?: string } };
    openai?: { background?: string; quality?: string; outputFormat?: string };
  };
};

const hasFrames = ({ image, frameImages }: Body) => image !== undefined || (frameImages?.length ?? 0) > 0;
const clipsOf = ({ inputReferences = [] }: Body) =>
  inputReferences.filter(({ mediaType }) => mediaType?.startsWith('video/'));
const isAddress = (file: { type?: string } | undefined) => file?.type === 'url';
const seconds = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

const VEO = ['google/veo-3.1'];
const KLING = ['klingai/kling-v3.0-t2v', 'klingai/kling-v3.0-i2v'];
const SEEDANCE = ['bytedance/seedance-2'];
const SEEDANCE_RATIOS = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9', 'adaptive'];
/** Landscape; each may stand upright. */
const SEEDANCE_SIZES = [
  ['480p', '864x496', '752x560', '640x640', '992x432'],
  ['720p', '1280x720', '1112x834', '960x960', '1470x630'],
  ['1080p', '1920x1080', '1664x1248', '1440x1440', '2206x946'],
].flat();

/** Models that a route does not serve: each is of another type. */
const OTHER_ROUTES = [
  ['image-model', 'anthropic/', 'google/veo', 'klingai/', 'bytedance/seedance'],
  [
    'language-model',
    'bfl/',
    'topaz/wonder',
    'openai/gpt-image',
    'google/veo',
    'klingai/',
    'bytedance/seedance',
  ],
  ['video-model/start', 'anthropic/', 'bfl/', 'topaz/wonder', 'openai/gpt-image'],
] as const;

/**
 * The reviewed table of what the services behind the gateway refuse: a fault that would be theirs to find shows here. Read on
 * 2026-11-22; printed in docs/providers.md.
 */
export const GATEWAY_REFUSALS: readonly RefusalRule<Body>[] = [
  ...OTHER_ROUTES.map(
    ([route, ...models]): RefusalRule<Body> => ({
      id: `${route.split('-')[0]}-route-models`,
      route,
      models,
      refuses: () => true,
      status: 404,
      says: 'model not found on this route',
      source: '[S] @ai-sdk/gateway 4.0.146, its lists of models by type; the status is inferred',
    }),
  ),
  ...OTHER_ROUTES.map(
    ([route]): RefusalRule<Body> => ({
      id: `${route.split('-')[0]}-body-size`,
      route,
      models: [],
      refuses: (body) => JSON.stringify(body).length > 4_500_000,
      status: 413,
      says: 'request body is larger than 4.5 MB',
      source:
        '[T] community.vercel.com/t/ai-gateway-payload-size/23450 (images in base64, 2025-09-29); no page of the vendor gives another limit',
    }),
  ),
  {
    id: 'seedance-ratio-with-frames',
    route: 'video-model/start',
    models: ['bytedance/seedance-2.5'],
    refuses: (body) => hasFrames(body) && body.aspectRatio !== undefined,
    status: 400,
    says: 'aspect_ratio cannot be set with frame images',
    source: '[T] dev.to/owen_fox, “first and last frame control” (measured 2026-08-24)',
  },
  {
    id: 'seedance-clip-edit-shape',
    route: 'video-model/start',
    models: ['bytedance/seedance-2.5'],
    refuses: (body) => clipsOf(body).length > 0 && (body.aspectRatio !== undefined || body.duration !== -1),
    status: 400,
    says: 'TaskTypeConstraint: an edit takes ratio adaptive and duration -1',
    source: '[T] docs.apiyi.com/en/live/2026-09/seedance2-reference-vs-edit',
  },
  {
    id: 'seedance-frames-mixed',
    route: 'video-model/start',
    models: SEEDANCE,
    refuses: (body) => hasFrames(body) && (body.inputReferences?.length ?? 0) > 0,
    status: 400,
    says: 'first/last frame content cannot be mixed with reference media content',
    source: '[T] docs.apiyi.com/ja/faq/seedance-first-frame-mixed-with-reference',
  },
  {
    id: 'seedance-duration',
    route: 'video-model/start',
    models: ['bytedance/seedance-2.5'],
    refuses: ({ duration }) => isOutside(duration, [-1, ...seconds(4, 30)]),
    status: 400,
    says: 'duration is not valid',
    source: '[T] piapi.ai, seedance-2-5 (4–30 s)',
  },
  {
    id: 'seedance-2-duration',
    route: 'video-model/start',
    models: ['bytedance/seedance-2.0'],
    refuses: ({ duration }) => isOutside(duration, [-1, ...seconds(4, 15)]),
    status: 400,
    says: 'duration is not valid',
    source: '[T] listenhub.ai/docs (4–15 s)',
  },
  {
    id: 'seedance-ratio',
    route: 'video-model/start',
    models: SEEDANCE,
    refuses: ({ aspectRatio }) => isOutside(aspectRatio, SEEDANCE_RATIOS),
    status: 400,
    says: 'ratio is not valid',
    source: '[S] vercel/ai packages/bytedance, its map of sizes; that another is refused is inferred',
  },
  {
    id: 'seedance-size',
    route: 'video-model/start',
    models: SEEDANCE,
    refuses: ({ resolution }) =>
      resolution !== undefined &&
      ![resolution, resolution.split('x').reverse().join('x')].some((size) => SEEDANCE_SIZES.includes(size)),
    status: 400,
    says: 'resolution is not valid',
    source:
      '[S] vercel/ai packages/bytedance, its map of sizes: another is sent as it is; that it is then refused is inferred',
  },
  {
    id: 'veo-references-last-8-seconds',
    route: 'video-model/start',
    models: VEO,
    refuses: (body) => (body.inputReferences?.length ?? 0) > 0 && body.duration !== 8,
    status: 400,
    says: 'reference_to_video supports a duration of 8 seconds',
    source: '[S] docs.cloud.google.com, veo “generate from references”; Vercel’s model page',
  },
  {
    id: 'veo-images-in-bytes',
    route: 'video-model/start',
    models: VEO,
    refuses: ({ image, frameImages = [], inputReferences = [] }) =>
      [image, ...frameImages.map((frame) => frame.image), ...inputReferences].some(isAddress),
    status: 400,
    says: 'image must be given as bytes',
    source: '[T] vercel/ai, google-vertex video model: an address is ignored with a warning',
  },
  {
    id: 'veo-three-references',
    route: 'video-model/start',
    models: VEO,
    refuses: ({ inputReferences = [] }) => inputReferences.length > 3,
    status: 400,
    says: 'at most 3 reference images',
    source: '[S] vercel.com/ai-gateway/models/google/veo-3.1-generate-001 (“up to 3 images”)',
  },
  {
    id: 'veo-duration',
    route: 'video-model/start',
    models: VEO,
    refuses: ({ duration }) => isOutside(duration, [4, 6, 8]),
    status: 400,
    says: 'durationSeconds must be 4, 6 or 8',
    source: '[S] docs.cloud.google.com, veo-3.1-generate',
  },
  {
    id: 'veo-ratio',
    route: 'video-model/start',
    models: VEO,
    refuses: ({ aspectRatio }) => isOutside(aspectRatio, ['16:9', '9:16']),
    status: 400,
    says: 'aspectRatio must be 16:9 or 9:16',
    source: '[S] docs.cloud.google.com, veo-3.1-generate',
  },
  {
    id: 'kling-duration',
    route: 'video-model/start',
    models: KLING,
    refuses: ({ duration }) => isOutside(duration, seconds(3, 15)),
    status: 400,
    says: 'duration must be between 3 and 15',
    source: '[S] vercel/ai packages/klingai',
  },
  {
    id: 'kling-ratio',
    route: 'video-model/start',
    models: KLING,
    refuses: ({ aspectRatio }) => isOutside(aspectRatio, ['16:9', '9:16', '1:1']),
    status: 400,
    says: 'aspect_ratio must be 16:9, 9:16 or 1:1',
    source: '[S] vercel/ai packages/klingai; that another is refused is inferred',
  },
  {
    id: 'kling-mode',
    route: 'video-model/start',
    models: ['klingai/'],
    refuses: ({ providerOptions }) => isOutside(providerOptions?.klingai?.mode, ['std', 'pro']),
    status: 400,
    says: 'mode must be std or pro',
    source: '[S] vercel/ai packages/klingai',
  },
  {
    id: 'motion-needs-both',
    route: 'video-model/start',
    models: ['klingai/kling-v3.0-motion-control'],
    refuses: (body) => body.image === undefined || !body.providerOptions?.klingai?.videoUrl,
    status: 400,
    says: 'motion control needs an image and a video',
    source: '[S] vercel.com/docs/ai-gateway/modalities/video-generation/motion-control',
  },
  ...REFERENCE_REFUSALS,
  ...PICTURE_REFUSALS,
  {
    id: 'sonnet-retired',
    route: 'language-model',
    models: ['anthropic/claude-sonnet-4.5'],
    refuses: (_, { at }) => at >= new Date('2026-11-30T00:00:00Z'),
    status: 404,
    says: 'model is retired',
    source: '[S] platform.claude.com, models: Claude Sonnet 4.5 retires on November 30, 2026',
  },
  {
    id: 'sonnet-thinks',
    route: 'language-model',
    models: ['anthropic/claude-sonnet-5.5'],
    refuses: ({ providerOptions }) => providerOptions?.anthropic?.thinking?.type === 'disabled',
    status: 400,
    says: 'thinking cannot be disabled',
    source: '[S] vercel/ai, @ai-sdk/gateway 3.0.205 notes',
  },
];

/** The documented refusal that a request meets; undefined when the service would take it. */
export function refusalOf(request: RecordedRequest): RefusalRule<Body> | undefined {
  const model = request.headers.get('ai-model-id') ?? request.headers.get('ai-language-model-id') ?? '';
  return brokenRule(GATEWAY_REFUSALS, request, model);
}
