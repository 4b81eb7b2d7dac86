import type { RefusalRule } from '../fixtures/refusal-rule.ts';
import { pixelsOf } from '../fixtures/sent-picture.ts';

type Sent = { type?: string; mediaType?: string; data?: string; url?: string };
type Body = {
  prompt?: string;
  image?: Sent;
  frameImages?: { image?: Sent; frameType?: string }[];
  inputReferences?: Sent[];
  providerOptions?: { klingai?: { videoUrl?: string; mode?: string; characterOrientation?: string } };
};

const VEO = ['google/veo-3.1'];
const INSTANCE = '[S] docs.cloud.google.com, VideoGenerationModelInstance';
const KLING = ['klingai/kling-v3.0-i2v', 'klingai/kling-v3.0-motion-control'];
const MOTION = ['klingai/kling-v3.0-motion-control'];
const SEEDANCE = ['bytedance/seedance-2'];
const FILMS = /^video\/(?:mp4|quicktime)$/;

const isFilm = ({ mediaType = '' }: Sent) => mediaType.startsWith('video/');

/** Every picture of a request, wherever it is. */
function picturesOf({ image, frameImages = [], inputReferences = [] }: Body): Sent[] {
  const all = [image, ...frameImages.map((frame) => frame.image), ...inputReferences];
  return all.filter((one) => one !== undefined).filter((one) => !isFilm(one));
}

const isNoJpegOrPng = ({ mediaType = '' }: Sent) =>
  mediaType !== '' && !/^image\/(?:jpeg|png)$/.test(mediaType);

/** Whether a picture whose pixels can be read here has a side or a shape beyond these. */
function isBeyond(
  sent: Sent,
  { minSide, maxSide, maxRatio }: Record<'minSide' | 'maxSide' | 'maxRatio', number>,
) {
  const sides = pixelsOf(sent)?.split('x').map(Number);
  if (!sides) return false;
  const [short, long] = [Math.min(...sides), Math.max(...sides)];
  return short < minSide || long > maxSide || long > short * maxRatio;
}

/** The ending of an address, without its query. */
const endingOf = (url: string) => /\.([a-z0-9]+)$/i.exec(new URL(url).pathname)?.[1]?.toLowerCase() ?? '';

/** What the makers of videos refuse of the words and files that they are given; a part of the gateway’s table. Read on 2026-11-27. */
export const REFERENCE_REFUSALS: readonly RefusalRule<Body>[] = [
  {
    id: 'veo-image-type',
    route: 'video-model/start',
    models: VEO,
    refuses: (body) => picturesOf(body).some(isNoJpegOrPng),
    status: 400,
    says: 'mimeType must be image/jpeg or image/png',
    source: `${INSTANCE} (“only the images in below listed MIME types”); the status is inferred`,
  },
  {
    id: 'veo-frames-mixed',
    route: 'video-model/start',
    models: VEO,
    refuses: ({ image, frameImages = [], inputReferences = [] }) =>
      inputReferences.length > 0 && (image !== undefined || frameImages.length > 0),
    status: 400,
    says: 'image and lastFrame are not supported with referenceImages',
    source: `${INSTANCE} (\`referenceImages\`); the status is inferred`,
  },
  {
    id: 'veo-last-frame-alone',
    route: 'video-model/start',
    models: VEO,
    refuses: ({ image, frameImages = [] }) =>
      frameImages.length > 0 &&
      image === undefined &&
      !frameImages.some(({ frameType }) => frameType === 'first_frame'),
    status: 400,
    says: 'lastFrame needs an image',
    source: `${INSTANCE} (“an input image must also be provided”); the status is inferred`,
  },
  {
    id: 'kling-prompt-length',
    route: 'video-model/start',
    models: ['klingai/kling-v3.0'],
    refuses: ({ prompt = '' }) => prompt.length > 2_500,
    status: 400,
    says: 'prompt must be at most 2500 characters',
    source:
      '[T] novita.ai/docs, kling-v3.0-std-i2v; docs.comfy.org, KlingFirstLastFrameNode (“1 to 2500 characters”); the status is inferred',
  },
  {
    id: 'kling-image-type',
    route: 'video-model/start',
    models: KLING,
    refuses: (body) => picturesOf(body).some(isNoJpegOrPng),
    status: 400,
    says: 'image must be a JPEG or a PNG',
    source:
      '[S] vercel.com/ai-gateway/models/kling-v3.0-i2v (“jpg, jpeg, png”); of motion control, [T] docs.evolink.ai; the status is inferred',
  },
  {
    id: 'kling-image-size',
    route: 'video-model/start',
    models: KLING,
    refuses: (body) =>
      picturesOf(body).some((one) => isBeyond(one, { minSide: 300, maxSide: 65_536, maxRatio: 2.5 })),
    status: 400,
    says: 'image sides must be at least 300 px, and its ratio from 1:2.5 to 2.5:1',
    source:
      '[T] novita.ai/docs, kling-v3.0-std-i2v; docs.powertokens.ai, kling-v3-motion-control (300 to 65,536 px); the status is inferred',
  },
  {
    id: 'motion-options',
    route: 'video-model/start',
    models: MOTION,
    refuses: ({ providerOptions: { klingai = {} } = {} }) => !klingai.mode || !klingai.characterOrientation,
    status: 400,
    says: 'motion control needs mode and characterOrientation',
    source: '[S] vercel/ai packages/klingai (it throws without them); the status is inferred',
  },
  {
    id: 'motion-clip-type',
    route: 'video-model/start',
    models: MOTION,
    refuses: ({ providerOptions }) =>
      ['webm', 'mkv', 'avi'].includes(endingOf(providerOptions?.klingai?.videoUrl ?? 'https://x.invalid/')),
    status: 400,
    says: 'the reference video must be an MP4 or a MOV',
    source: '[T] novita.ai/docs, kling-v3.0-motion-control (“.mp4, .mov”); the status is inferred',
  },
  {
    id: 'seedance-2-references',
    route: 'video-model/start',
    models: ['bytedance/seedance-2.0'],
    refuses: ({ inputReferences = [] }) => {
      const films = inputReferences.filter(isFilm).length;
      return films > 3 || inputReferences.length - films > 9;
    },
    status: 400,
    says: 'at most 9 reference images and 3 reference videos',
    source:
      '[T] docs.comfy.org, ByteDance2ReferenceNodeV2; developers.cloudflare.com/ai/models/bytedance/seedance-2.0 (“up to 9 images, 3 videos”); the status is inferred',
  },
  {
    id: 'seedance-image-size',
    route: 'video-model/start',
    models: SEEDANCE,
    refuses: (body) =>
      picturesOf(body).some((one) => isBeyond(one, { minSide: 300, maxSide: 6_000, maxRatio: 2.5 })),
    status: 400,
    says: 'image sides must be from 300 to 6000 px, and its ratio from 0.4 to 2.5',
    source:
      '[T] docs.evolink.ai, seedance-2.0-reference-to-video; docs.comfy.org, ByteDance2ReferenceNodeV2; the status is inferred',
  },
  {
    id: 'seedance-clip-type',
    route: 'video-model/start',
    models: SEEDANCE,
    refuses: ({ inputReferences = [] }) =>
      inputReferences.filter(isFilm).some(({ mediaType = '' }) => !FILMS.test(mediaType)),
    status: 400,
    says: 'a reference video must be an MP4 or a MOV',
    source: '[T] docs.evolink.ai, seedance-2.0-reference-to-video (“.mp4, .mov”); the status is inferred',
  },
];
