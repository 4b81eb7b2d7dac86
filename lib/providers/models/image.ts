import type { ModelEntry } from './entry.ts';

const FLUX_RATIOS = ['1:1', '4:3', '3:4', '3:2', '2:3', '16:9', '9:16', '4:5', '5:4', '21:9'] as const;

/** Images and pictograms. */
export const IMAGE_AND_TEXT_MODELS = {
  'image-fast': {
    capability: 'image',
    service: 'gateway',
    modelId: 'bfl/flux-2-pro',
    limits: { aspectRatios: FLUX_RATIOS, promptCharacters: 8_000, references: 6 },
    pricing: { basis: 'per-image', imageMicros: 30_000n, referenceMicros: 15_000n },
    source:
      'Model id: @ai-sdk/gateway 4.0.146. « from $0.03 », editing « from $0.045 »: docs.bfl.ai/quick_start/pricing (one reference is the difference).',
    assumption: 'Aspect ratios; that each further reference costs as the first; 6 references.',
  },
  'image-best': {
    capability: 'image',
    service: 'gateway',
    modelId: 'bfl/flux-2-max',
    limits: { aspectRatios: FLUX_RATIOS, promptCharacters: 8_000, references: 6 },
    pricing: { basis: 'per-image', imageMicros: 70_000n, referenceMicros: 30_000n },
    source:
      'Model id: @ai-sdk/gateway 4.0.146. Price « from $0.07 »: docs.bfl.ai/quick_start/pricing. 8 input images: bfl API reference (our own limit is 6).',
    assumption: 'Price of a reference image; aspect ratios.',
  },
  vector: {
    capability: 'vector',
    service: 'gateway',
    modelId: 'anthropic/claude-sonnet-4.5',
    limits: { promptCharacters: 8_000, maxOutputTokens: 2_000 },
    pricing: { basis: 'per-token', inputPerMillionMicros: 3_000_000n, outputPerMillionMicros: 15_000_000n },
    source:
      'Model id: @ai-sdk/gateway 4.0.146. The gateway adds no markup: vercel.com/docs/ai-gateway/pricing.',
    assumption: 'Price: Anthropic’s list price, recalled.',
  },
} as const satisfies Record<string, ModelEntry>;
