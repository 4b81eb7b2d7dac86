import { modelFor } from '../models/catalogue.ts';
import type { ModelEntry } from '../models/entry.ts';
import { estimateMicros, type PricingQuantities, seedanceTokens } from '../models/pricing.ts';
import type { VideoReference, VideoRole, VideoStartRequest } from '../ports.ts';
import type { CallFacts } from '../transport.ts';
import { wireFile } from './image.ts';

/** The body of `video-model/start` for one request: what each model's route expects of the same few fields. */
export function videoWireBody(request: VideoStartRequest): Record<string, unknown> {
  const references = request.references ?? [];
  const entry = modelFor(request.case);
  const body: Record<string, unknown> = {
    prompt: request.prompt,
    n: 1,
    ...(request.aspectRatio ? { aspectRatio: request.aspectRatio } : {}),
    ...resolutionOf(request),
    ...durationOf(request, entry),
    ...(entry.limits.audio === 'choice' && request.generateAudio !== undefined
      ? { generateAudio: request.generateAudio }
      : {}),
    ...(request.callbackUrl ? { callbackUrl: request.callbackUrl } : {}),
  };
  if (request.case === 'motion') return { ...body, ...motionFields(request, references) };
  const providerOptions = klingMode(request);
  return { ...body, ...frameFields(references), ...(providerOptions ? { providerOptions } : {}) };
}

/** The seconds asked; −1, « as the clip », where a clip decides them. */
function durationOf(request: VideoStartRequest, entry: ModelEntry): { duration?: number } {
  if (!entry.limits.durationsSeconds) return {};
  if (request.durationSeconds) return { duration: request.durationSeconds };
  const hasClip = request.references?.some(({ role }) => role === 'clip');
  return entry.clipsDecideShape && hasClip ? { duration: -1 } : {};
}

const LANDSCAPE: Record<string, string> = { '720p': '1280x720', '1080p': '1920x1080', '4k': '3840x2160' };

/** The sizes that ByteDance's provider maps to a tier; another one would be sent as it is, and refused. */
const SEEDANCE: Record<string, Record<string, string>> = {
  '480p': { '16:9': '864x496', '4:3': '752x560', '1:1': '640x640', '21:9': '992x432' },
  '720p': { '16:9': '1280x720', '4:3': '1112x834', '1:1': '960x960', '21:9': '1470x630' },
  '1080p': { '16:9': '1920x1080', '4:3': '1664x1248', '1:1': '1440x1440', '21:9': '2206x946' },
};

/** The resolution as the model's provider reads it; Kling has a mode instead, others have one size only. */
function resolutionOf(request: VideoStartRequest): { resolution?: string } {
  const tier = request.resolution ?? '';
  switch (modelFor(request.case).resolutionParameter) {
    case 'landscape':
      return LANDSCAPE[tier] ? { resolution: LANDSCAPE[tier] } : {};
    case 'seedance': {
      const [w = '16', h = '9'] = (request.aspectRatio ?? '16:9').split(':');
      const isPortrait = Number(w) < Number(h);
      const size = SEEDANCE[tier]?.[isPortrait ? `${h}:${w}` : `${w}:${h}`];
      if (!size) return {};
      return { resolution: isPortrait ? size.split('x').reverse().join('x') : size };
    }
    default:
      return {};
  }
}

function klingMode(request: VideoStartRequest): { klingai: Record<string, string | boolean> } | undefined {
  if (modelFor(request.case).resolutionParameter !== 'kling-mode') return undefined;
  return { klingai: { mode: request.resolution === '1080p' ? 'pro' : 'std' } };
}

/** A start image alone goes as `image`; with an end image both go as frames too, as the SDK sends them. */
function frameFields(references: VideoReference[]): Record<string, unknown> {
  const start = first(references, 'start-image');
  const end = first(references, 'end-image');
  const others = references.filter(({ role }) => role === 'character' || role === 'clip');
  return {
    ...(start ? { image: wireFile(start.file) } : {}),
    ...(end
      ? {
          frameImages: [
            ...(start ? [{ image: wireFile(start.file), frameType: 'first_frame' }] : []),
            { image: wireFile(end.file), frameType: 'last_frame' },
          ],
        }
      : {}),
    ...(others.length > 0 ? { inputReferences: others.map(typedReference) } : {}),
  };
}

/**
 * A reference in a form that the model's provider would ignore, and bill all the same: a clip in bytes (Kling takes an
 * address only), an image by its address for Veo. Undefined when all can be sent.
 */
export function unsendableReference(request: VideoStartRequest): string | undefined {
  for (const { role, file } of request.references ?? []) {
    if (role === 'clip' && file.kind !== 'url') return 'a clip must be given by its address';
    if (role !== 'clip' && file.kind === 'url' && modelFor(request.case).imagesInBytes)
      return 'an image must be given in bytes';
  }
  return undefined;
}

/** An address without a type would be taken for an image by ByteDance's provider. */
function typedReference({ role, file }: VideoReference): Record<string, string> {
  return { mediaType: role === 'clip' ? 'video/mp4' : 'image/jpeg', ...wireFile(file) };
}

/** Motion control: the character is the image, the clip an address in Kling's own options. */
function motionFields(request: VideoStartRequest, references: VideoReference[]): Record<string, unknown> {
  const character = first(references, 'character');
  const clip = first(references, 'clip');
  return {
    ...(character ? { image: wireFile(character.file) } : {}),
    providerOptions: {
      klingai: {
        ...klingMode(request)?.klingai,
        ...(clip?.file.kind === 'url' ? { videoUrl: clip.file.url } : {}),
        characterOrientation: 'video',
      },
    },
  };
}

function first(references: VideoReference[], role: VideoRole): VideoReference | undefined {
  return references.find((reference) => reference.role === role);
}

/** The quantities that a video request will be billed on, by the models table. */
function videoQuantities(request: VideoStartRequest): PricingQuantities {
  const clipsMs = (request.references ?? [])
    .filter(({ role }) => role === 'clip')
    .reduce((sum, { durationMs = 0 }) => sum + durationMs, 0);
  return {
    outputMs: (request.durationSeconds ?? 0) * 1_000,
    inputMs: clipsMs,
    sourceMs: clipsMs,
    ...(request.resolution ? { resolution: request.resolution } : {}),
    ...(request.generateAudio === undefined ? {} : { audio: request.generateAudio }),
  };
}

/** What a recorded answer needs in order to resemble this request. */
export function videoFacts(request: VideoStartRequest): CallFacts {
  const asked = videoQuantities(request);
  // Where a clip decides the length, what is made lasts as long as it.
  const quantities = { ...asked, outputMs: asked.outputMs || asked.sourceMs || 5_000 };
  const { limits } = modelFor(request.case);
  return {
    formulaMicros: () => estimateMicros(request.case, quantities),
    outputTokens: () => seedanceTokens(request.case, quantities),
    outputMs: quantities.outputMs,
    aspectRatio: request.aspectRatio ?? '16:9',
    audio: limits.audio === 'always' || (limits.audio === 'choice' && request.generateAudio !== false),
  };
}
