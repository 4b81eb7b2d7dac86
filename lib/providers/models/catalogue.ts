import type { VideoRole } from '../ports.ts';
import { IMAGE_AND_TEXT_MODELS } from './image.ts';
import { VIDEO_MODELS } from './video.ts';
import { VOICE_AND_RENDER_MODELS } from './voice.ts';

/**
 * The one reviewed table: which outside model serves which case, its limits, the references it accepts and its price.
 * `source` says where each fact was read; `assumption` says what could not be verified. `docs/providers.md` is
 * generated from it (`node scripts/reports/providers-table.ts`) and a test keeps the two equal.
 */
export type ProviderService = 'gateway' | 'elevenlabs' | 'lipsync' | 'github';

export type Capability = 'image' | 'vector' | 'voice' | 'video' | 'lipsync' | 'render';

/** Amounts in micro-dollars. */
export type Pricing =
  | {
      basis: 'per-image';
      imageMicros: bigint;
      /** Each reference image sent along. */
      referenceMicros: bigint;
    }
  | { basis: 'per-token'; inputPerMillionMicros: bigint; outputPerMillionMicros: bigint }
  | { basis: 'per-character'; perThousandMicros: bigint }
  | {
      basis: 'per-second';
      /** By resolution; `default` where the model has one only. */
      perSecondMicros: Record<string, bigint>;
      /** Where a video without sound costs less. */
      silentPerSecondMicros?: Record<string, bigint>;
    }
  | {
      basis: 'seedance';
      framesPerSecond: number;
      /** Width × height of the billed frame, by tier. */
      tierPixels: Record<string, number>;
      perMillionTokensMicros: { withoutVideo: bigint; withVideo: bigint };
    }
  | { basis: 'source-clip'; perSecondMicros: Record<string, bigint> }
  | { basis: 'per-minute'; perMinuteMicros: bigint; reserveMinutes: number };

export type ReferenceRule = {
  min: number;
  max: number;
  /** Measured duration of each clip, in milliseconds. */
  minMs?: number;
  maxMs?: number;
  /** Sum over the clips. */
  maxTotalMs?: number;
};

export type ModelLimits = {
  aspectRatios?: readonly string[];
  resolutions?: readonly string[];
  /** Whole seconds that may be asked; absent where the source clip decides. */
  durationsSeconds?: readonly number[];
  audio?: 'always' | 'never' | 'choice';
  promptCharacters?: number;
  textCharacters?: number;
  maxOutputTokens?: number;
  /** Image references in all, start image included. */
  references?: number;
};

export type ModelEntry = {
  capability: Capability;
  service: ProviderService;
  /** As the outside service names it. */
  modelId: string;
  /** Where the service has another model for a request that carries a start image. */
  modelIdWithStartImage?: string;
  limits: ModelLimits;
  references?: Partial<Record<VideoRole, ReferenceRule>>;
  /** Start and end images cannot be mixed with characters and clips. */
  framesExcludeReferences?: boolean;
  /**
   * How a resolution is asked. `landscape`: pixels of the landscape frame whatever the ratio, the only ones that Veo's
   * provider knows; `seedance`: the exact pixels of ByteDance's list; `kling-mode`: no pixels but a mode; `none`.
   */
  resolutionParameter?: 'landscape' | 'seedance' | 'kling-mode' | 'none';
  pricing: Pricing;
  source: string;
  /** What in this line could not be verified; absent when nothing. */
  assumption?: string;
};

export const VIDEO_CASES = [
  'veo',
  'best-quality',
  'cinematic',
  'seedance-2',
  'seedance-2-5',
  'omni',
  'nova',
  'replace',
  'motion',
] as const;
export type VideoCase = (typeof VIDEO_CASES)[number];

export const IMAGE_CASES = ['image-fast', 'image-best'] as const;
export type ImageCase = (typeof IMAGE_CASES)[number];

const LIPSYNC_CASES = ['lipsync', 'lipsync-character'] as const;
export type LipsyncCase = (typeof LIPSYNC_CASES)[number];

export type CaseId = ImageCase | 'vector' | 'voice' | VideoCase | LipsyncCase | 'render';

export const MODELS: Record<CaseId, ModelEntry> = {
  ...IMAGE_AND_TEXT_MODELS,
  ...VOICE_AND_RENDER_MODELS,
  ...VIDEO_MODELS,
};

/** Whether a word names a line of the table. */
function isCaseId(name: string): name is CaseId {
  return Object.hasOwn(MODELS, name);
}

/** The line of a case. Throws RangeError on a word that names none: callers validate before. */
export function modelFor(name: string): ModelEntry {
  if (!isCaseId(name)) throw new RangeError('unknown case of the models table');
  return MODELS[name];
}

/** The model that will be called, knowing whether a start image goes along. */
export function modelIdFor(name: string, request: { startImage?: boolean } = {}): string {
  const entry = modelFor(name);
  return request.startImage && entry.modelIdWithStartImage ? entry.modelIdWithStartImage : entry.modelId;
}
