import type { MediaRule, ModelEntry } from './entry.ts';

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

const SEEDANCE_RATIOS = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'] as const;
const SEEDANCE_TIERS = { '480p': 864 * 496, '720p': 1280 * 720, '1080p': 1920 * 1080 };
const FILMS = ['video/mp4', 'video/quicktime'] as const;
const SEEDANCE_IMAGE: MediaRule = { minSide: 300, maxSide: 6_000, maxRatio: 2.5 };
const SEEDANCE_CLIP: MediaRule = {
  types: FILMS,
  ...SEEDANCE_IMAGE,
  minPixels: 409_600,
  maxPixels: 8_295_044,
  minFramesPerSecond: 24,
  maxFramesPerSecond: 60,
};
const SEEDANCE_REFERENCES = {
  'start-image': { min: 0, max: 1, media: SEEDANCE_IMAGE },
  'end-image': { min: 0, max: 1, media: SEEDANCE_IMAGE },
  character: { min: 0, max: 9, media: SEEDANCE_IMAGE },
  clip: { min: 0, max: 3, minMs: 2_000, maxMs: 15_000, maxTotalMs: 15_000, media: SEEDANCE_CLIP },
};
const SEEDANCE_MEDIA =
  'Sides of 300–6,000 pixels, ratios of 0.4–2.5, clips in MP4 or MOV of 24–60 frames a second and 409,600 to 8,295,044 pixels: docs.byteplus.com/en/docs/ModelArk/1520757, as copied by others (older copies say 927,408 and 2,086,876 at most); docs.evolink.ai (seedance-2.0-reference-to-video), docs.comfy.org (read 2026-11-27).';
const VEO_IMAGE: MediaRule = { types: ['image/jpeg', 'image/png'] };
const VEO_REFERENCES = {
  'start-image': { min: 0, max: 1, media: VEO_IMAGE },
  'end-image': { min: 0, max: 1, media: VEO_IMAGE },
  character: { min: 0, max: 3, media: VEO_IMAGE },
};
const VEO_MEDIA =
  'One start image, an end image only beside it, or up to three images of a subject, never both; JPEG or PNG: docs.cloud.google.com, VideoGenerationModelInstance and “generate videos from reference images” (read 2026-11-27).';
const KLING_IMAGE: MediaRule = { types: ['image/jpeg', 'image/png'], minSide: 300, maxRatio: 2.5 };
const KLING_CLIP: MediaRule = { types: FILMS, minSide: 340, maxSide: 3_850 };

/** The nine video cases. */
export const VIDEO_MODELS = {
  veo: {
    capability: 'video',
    service: 'gateway',
    modelId: 'google/veo-3.1-fast-generate-001',
    limits: {
      aspectRatios: ['16:9', '9:16'],
      resolutions: ['720p', '1080p'],
      durationsSeconds: [4, 6, 8],
      audio: 'choice',
      promptCharacters: 4_000,
    },
    references: VEO_REFERENCES,
    framesExcludeReferences: true,
    secondsWithCharacters: 8,
    imagesInBytes: true,
    resolutionParameter: 'landscape',
    pricing: {
      basis: 'per-second',
      perSecondMicros: { '720p': 100_000n, '1080p': 120_000n },
      silentPerSecondMicros: { '720p': 80_000n, '1080p': 100_000n },
    },
    source: `Model id: @ai-sdk/gateway 4.0.146. $0.10 and $0.12 per second since April 2026: theplanettools.ai/blog/veo-3-1-lite-vs-fast-vs-full-comparison-2026; 4, 6, 8 s. ${VEO_MEDIA}`,
    assumption:
      'Prices (third parties’ pages, which disagree by up to 50 %); silent rate; that the gateway passes an end image and characters on, whose page says one input image.',
  },
  'best-quality': {
    capability: 'video',
    service: 'gateway',
    modelId: 'google/veo-3.1-generate-001',
    limits: {
      aspectRatios: ['16:9', '9:16'],
      resolutions: ['720p', '1080p', '4k'],
      durationsSeconds: [4, 6, 8],
      audio: 'choice',
      promptCharacters: 4_000,
    },
    references: VEO_REFERENCES,
    framesExcludeReferences: true,
    secondsWithCharacters: 8,
    imagesInBytes: true,
    resolutionParameter: 'landscape',
    pricing: {
      basis: 'per-second',
      perSecondMicros: { '720p': 400_000n, '1080p': 400_000n, '4k': 600_000n },
      silentPerSecondMicros: { '720p': 200_000n, '1080p': 200_000n, '4k': 400_000n },
    },
    source: `Model id: @ai-sdk/gateway 4.0.146. $0.40 per second, $0.60 in 4K: aifreeapi.com/en/posts/veo-3-1-pricing-per-second-gemini-api. ${VEO_MEDIA}`,
    assumption:
      'Prices (third parties’ pages); silent rate; that the gateway passes an end image and characters on, whose page says one input image.',
  },
  cinematic: {
    capability: 'video',
    service: 'gateway',
    modelId: 'klingai/kling-v3.0-t2v',
    modelIdWithStartImage: 'klingai/kling-v3.0-i2v',
    limits: {
      aspectRatios: ['16:9', '9:16', '1:1'],
      resolutions: ['720p', '1080p'],
      durationsSeconds: range(3, 15),
      audio: 'choice',
      promptCharacters: 2_500,
    },
    references: {
      'start-image': { min: 0, max: 1, media: KLING_IMAGE },
      'end-image': { min: 0, max: 1, media: KLING_IMAGE },
    },
    framesExcludeReferences: true,
    framesDecideRatio: true,
    resolutionParameter: 'kling-mode',
    pricing: {
      basis: 'per-second',
      perSecondMicros: { '720p': 126_000n, '1080p': 168_000n },
      silentPerSecondMicros: { '720p': 84_000n, '1080p': 112_000n },
    },
    source:
      'Model ids: @ai-sdk/gateway 4.0.146. No `resolution` setting, `mode: std | pro`; a start image decides the ratio (“determined by the input image”): vercel/ai packages/klingai. Images in JPEG or PNG, 10 MB at most (we read 8): vercel.com/ai-gateway/models/kling-v3.0-i2v. Sides of 300 pixels at least, ratios of 1:2.5 to 2.5:1: novita.ai/docs, kling-v3.0-std-i2v, docs.comfy.org (read 2026-11-27). Silent, $0.42 and $0.56 for 5 s; with sound, $1.68 for 10 s at 1080p: atlascloud.ai/blog, kling-ai-api-pricing (read 2026-11-27).',
    assumption:
      'Prices (a third party’s page; that of 720p with sound is recalled); sides and ratios of images (third parties’ pages).',
  },
  'seedance-2': {
    capability: 'video',
    service: 'gateway',
    modelId: 'bytedance/seedance-2.0',
    limits: {
      aspectRatios: SEEDANCE_RATIOS,
      resolutions: ['480p', '720p', '1080p'],
      durationsSeconds: range(4, 15),
      audio: 'choice',
      promptCharacters: 4_000,
    },
    references: SEEDANCE_REFERENCES,
    framesExcludeReferences: true,
    framesDecideRatio: true,
    resolutionParameter: 'seedance',
    pricing: {
      basis: 'seedance',
      framesPerSecond: 24,
      tierPixels: SEEDANCE_TIERS,
      perMillionTokensMicros: { withoutVideo: 7_000_000n, withVideo: 4_300_000n },
      tierMicros: { '1080p': { withoutVideo: 7_700_000n, withVideo: 4_700_000n } },
    },
    source: `Model id: @ai-sdk/gateway 4.0.146. $7.0 and $4.3 per million tokens: Comfy-Org/docs#966. That 1080p has rates of its own: docs.laozhang.ai, docs.apiyi.com (2026-11-22). Tokens = (input + output seconds) × width × height × 24 / 1024: docs.ai-tokenhub.com (Doubao-Seedance-2.0 billing). 4–15 s, clips 2–15 s: listenhub.ai/docs. ${SEEDANCE_MEDIA}`,
    assumption:
      'The 1080p rates (recalled); the minimum token count of a request with a clip is not modelled; counts of references; the billed frame is taken as 16:9 (others differ by less than 1 %); rules of images and clips (copies of the maker’s page, and third parties’ pages).',
  },
  'seedance-2-5': {
    capability: 'video',
    service: 'gateway',
    modelId: 'bytedance/seedance-2.5',
    limits: {
      aspectRatios: SEEDANCE_RATIOS,
      resolutions: ['480p', '720p', '1080p'],
      durationsSeconds: range(4, 15),
      audio: 'choice',
      promptCharacters: 4_000,
    },
    references: SEEDANCE_REFERENCES,
    framesExcludeReferences: true,
    framesDecideRatio: true,
    clipsDecideShape: true,
    resolutionParameter: 'seedance',
    pricing: {
      basis: 'seedance',
      framesPerSecond: 24,
      tierPixels: SEEDANCE_TIERS,
      perMillionTokensMicros: { withoutVideo: 10_000_000n, withVideo: 6_000_000n },
      tierMicros: { '1080p': { withoutVideo: 11_000_000n, withVideo: 6_600_000n } },
    },
    source: `Model id: @ai-sdk/gateway 4.0.146. About $10 and $6 per million tokens, $11 and $6.6 at 1080p: docs.laozhang.ai, docs.apiyi.com (2026-11-22). A ratio beside frames is a 400: dev.to/owen_fox (measured 2026-08-24). A clip read as an edit wants the adaptive ratio and duration −1: docs.apiyi.com/en/live/2026-09/seedance2-reference-vs-edit. ${SEEDANCE_MEDIA}`,
    assumption:
      'Prices and rules (third parties’ pages); 30 s exist and are not offered; counts and files as 2.0.',
  },
  omni: {
    capability: 'video',
    unserved: 'chat-type model: the gateway serves it on its language route, not as a video',
    service: 'gateway',
    modelId: 'google/gemini-omni-flash-preview',
    limits: { resolutions: ['720p'], audio: 'always', promptCharacters: 4_000 },
    references: { clip: { min: 1, max: 1, minMs: 3_000, maxMs: 10_000 }, character: { min: 0, max: 5 } },
    resolutionParameter: 'none',
    pricing: { basis: 'source-clip', perSecondMicros: { '720p': 130_000n } },
    source:
      'Edits cost about $0.13 per second of video: fal.ai/models/google/gemini-omni-flash/edit. 3–10 s, 5 images, 720p: docs.gmicloud.ai.',
    assumption:
      'The id is in the gateway’s list of language models (@ai-sdk/gateway 4.0.146); that its video route serves it is inferred.',
  },
  nova: {
    capability: 'video',
    unserved: 'absent from the gateway’s video models',
    service: 'gateway',
    modelId: 'amazon/nova-reel-v1.1',
    limits: {
      aspectRatios: ['16:9'],
      resolutions: ['720p'],
      durationsSeconds: [6, 12, 18, 24, 30],
      audio: 'never',
      promptCharacters: 512,
    },
    references: { 'start-image': { min: 0, max: 1 } },
    framesExcludeReferences: true,
    resolutionParameter: 'landscape',
    pricing: { basis: 'per-second', perSecondMicros: { '720p': 80_000n } },
    source: 'None: the specification names the case only.',
    assumption:
      'The model itself (Amazon Nova Reel, not in the gateway’s list), its price and limits (recalled).',
  },
  replace: {
    capability: 'video',
    unserved: 'absent from the gateway’s video models',
    service: 'gateway',
    modelId: 'alibaba/wan-v2.2-animate-replace',
    limits: { resolutions: ['480p', '720p'], audio: 'always', promptCharacters: 2_000 },
    references: {
      clip: { min: 1, max: 1, minMs: 2_000, maxMs: 30_000 },
      character: { min: 1, max: 1 },
    },
    resolutionParameter: 'none',
    pricing: { basis: 'source-clip', perSecondMicros: { '480p': 40_000n, '720p': 80_000n } },
    source: '$0.20 and $0.40 per 5 s: wavespeed.ai/docs/docs-api/wavespeed-ai/wan-2.2-animate.',
    assumption:
      'The model itself (Wan Animate in its replace mode, not in the gateway’s list), its route and limits; another reseller’s price.',
  },
  motion: {
    capability: 'video',
    service: 'gateway',
    modelId: 'klingai/kling-v3.0-motion-control',
    limits: { resolutions: ['720p', '1080p'], audio: 'always', promptCharacters: 2_500 },
    references: {
      clip: { min: 1, max: 1, minMs: 3_000, maxMs: 30_000, media: KLING_CLIP },
      character: { min: 1, max: 1, media: KLING_IMAGE },
    },
    resolutionParameter: 'kling-mode',
    pricing: { basis: 'source-clip', perSecondMicros: { '720p': 126_000n, '1080p': 168_000n } },
    source:
      'Model id: @ai-sdk/gateway 4.0.146. Options `videoUrl`, `characterOrientation`, `mode`: vercel.com/docs/ai-gateway/modalities/video-generation/motion-control. $0.126 per second: evolink.ai/kling-v3-motion-control; clips 3–30 s. Clips in MP4 or MOV, sides of 340–3,850 pixels, 100 MB at most (we read 50); the image as of `cinematic`: docs.evolink.ai, kling-v3-motion-control (read 2026-11-27).',
    assumption: '1080p price (recalled); rules of the image and the clip (a third party’s page).',
  },
} satisfies Record<string, ModelEntry>;
