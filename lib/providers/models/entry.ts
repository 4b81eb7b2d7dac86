import type { ProviderName } from '#lib/core/env.ts';
import type { VideoRole } from '../ports.ts';

type Capability = 'image' | 'vector' | 'voice' | 'video' | 'lipsync' | 'render';

export type SeedanceRates = { withoutVideo: bigint; withVideo: bigint };

/** Amounts in micro-dollars. */
export type Pricing =
  | {
      basis: 'per-image';
      imageMicros: bigint;
      /** Each begun megapixel of the reference images sent along. */
      referenceMicros: bigint;
    }
  | {
      basis: 'per-output-block';
      /** Each begun block of the pixels of the picture made. */
      blockMicros: bigint;
      blockPixels: number;
    }
  | { basis: 'per-token'; inputPerMillionMicros: bigint; outputPerMillionMicros: bigint }
  | { basis: 'per-character'; perThousandMicros: bigint }
  | {
      basis: 'per-second';
      /** By resolution; `default` where the model has one only. */
      perSecondMicros: Record<string, bigint>;
      /** Where a video without sound costs less. */
      silentPerSecondMicros?: Record<string, bigint>;
      /** What is billed are frames: the rate is of this many a second, and more cost in proportion. */
      atFramesPerSecond?: number;
    }
  | {
      basis: 'seedance';
      framesPerSecond: number;
      /** Width × height of the billed frame, by tier. */
      tierPixels: Record<string, number>;
      perMillionTokensMicros: SeedanceRates;
      /** Where a tier has rates of its own. */
      tierMicros: Record<string, SeedanceRates>;
    }
  | { basis: 'source-clip'; perSecondMicros: Record<string, bigint> }
  | { basis: 'per-minute'; perMinuteMicros: bigint; reserveMinutes: number };

/** What a maker reads of a picture or a clip; what its pages do not say is absent. */
export type MediaRule = {
  types?: readonly string[];
  /** Of each side, in pixels. */
  minSide?: number;
  maxSide?: number;
  /** The longer side over the shorter one. */
  maxRatio?: number;
  /** Width × height. */
  minPixels?: number;
  maxPixels?: number;
  /** Whole, as measured on average. */
  minFramesPerSecond?: number;
  maxFramesPerSecond?: number;
};

export type ReferenceRule = {
  min: number;
  max: number;
  /** Measured duration of each clip, in milliseconds. */
  minMs?: number;
  maxMs?: number;
  /** Sum over the clips. */
  maxTotalMs?: number;
  media?: MediaRule;
};

type ModelLimits = {
  aspectRatios?: readonly string[];
  resolutions?: readonly string[];
  /** Whole seconds that may be asked; absent where the source clip decides. */
  durationsSeconds?: readonly number[];
  audio?: 'always' | 'never' | 'choice';
  promptCharacters?: number;
  textCharacters?: number;
  /** Of the voice that is said, in seconds. */
  voiceSeconds?: number;
  maxOutputTokens?: number;
  /** Image references in all, start image included. */
  references?: number;
  /** Of each of them. */
  media?: MediaRule;
  /** The model has no seed. */
  seed?: 'never';
  /** What is drawn has no background: asked so, and measured on what comes back. */
  background?: 'transparent';
  /** A picture and a mask of what may change in it. */
  mask?: 'required';
  /** How many times wider and taller the picture comes back. */
  scales?: readonly number[];
  /** Of the picture made. */
  outputPixels?: number;
};

export type ModelEntry = {
  capability: Capability;
  service: ProviderName;
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
  /** A start or end image decides the proportions: the provider refuses a ratio beside it. */
  framesDecideRatio?: boolean;
  /** A request with a clip may be read as its edit, whose length and proportions are the clip's: neither is sent. */
  clipsDecideShape?: boolean;
  /** With characters the model makes this length alone, in seconds. */
  secondsWithCharacters?: number;
  /** Images go as bytes whatever their size: an address is ignored, and billed. */
  imagesInBytes?: boolean;
  /** The case whose model is asked instead when this one proves that it began nothing; reviewed with the rest of the line. */
  fallback?: { case: string; why: string };
  /** Why no live service makes this case; it is then refused before anything is held. */
  unserved?: string;
  pricing: Pricing;
  source: string;
  /** What in this line could not be verified; absent when nothing. */
  assumption?: string;
};
