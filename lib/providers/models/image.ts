import type { MediaRule, ModelEntry } from './entry.ts';

const FLUX_RATIOS = ['1:1', '4:3', '3:4', '3:2', '2:3', '16:9', '9:16', '4:5', '5:4', '21:9'] as const;

/** What both makers read of a reference: a GIF is sent in one of these. */
const READ: MediaRule = { types: ['image/jpeg', 'image/png', 'image/webp'] };
const FLUX_READ = 'References in JPEG, PNG or WebP: kie.ai/flux-2 (read 2026-11-27).';

/** Images and pictograms. */
export const IMAGE_AND_TEXT_MODELS = {
  'image-fast': {
    capability: 'image',
    service: 'gateway',
    modelId: 'bfl/flux-2-pro',
    limits: { aspectRatios: FLUX_RATIOS, promptCharacters: 8_000, references: 6, media: READ },
    fallback: { case: 'image-light', why: 'the same family, size and settings; four references' },
    pricing: { basis: 'per-image', imageMicros: 30_000n, referenceMicros: 15_000n },
    source: `Model id: @ai-sdk/gateway 4.0.146. « from $0.03 », editing « from $0.045 »: docs.bfl.ai/quick_start/pricing: per megapixel, inputs included (one of a reference is the difference). \`width\` and \`height\`: @ai-sdk/black-forest-labs 2.0.41. ${FLUX_READ}`,
    assumption: 'Aspect ratios; that a further megapixel of reference costs as the first; 6 references.',
  },
  'image-best': {
    capability: 'image',
    service: 'gateway',
    modelId: 'bfl/flux-2-max',
    limits: { aspectRatios: FLUX_RATIOS, promptCharacters: 8_000, references: 6, media: READ },
    fallback: { case: 'image-flex', why: 'the same family, size, settings and references' },
    pricing: { basis: 'per-image', imageMicros: 70_000n, referenceMicros: 30_000n },
    source: `Model id: @ai-sdk/gateway 4.0.146. Price « from $0.07 »: docs.bfl.ai/quick_start/pricing; $0.03 a further megapixel: the maker’s own guide, black-forest-labs/skills (bfl-api). 8 input images: bfl API reference (our own limit is 6). ${FLUX_READ}`,
    assumption: 'That each megapixel of reference counts as a further one; aspect ratios.',
  },
  'image-light': {
    capability: 'image',
    service: 'gateway',
    modelId: 'bfl/flux-2-klein-9b',
    limits: { aspectRatios: FLUX_RATIOS, promptCharacters: 8_000, references: 4, media: READ },
    pricing: { basis: 'per-image', imageMicros: 15_000n, referenceMicros: 2_000n },
    source: `Asked for by nobody: the fallback of \`image-fast\`. Model id: @ai-sdk/gateway 4.0.146. $0.015 the first megapixel, $0.002 each other: docs.bfl.ai/quick_start/pricing and black-forest-labs/skills (bfl-api), read 2026-11-22. 4 references: docs.freepik.com, flux-2-klein. ${FLUX_READ}`,
    assumption: 'That each megapixel of reference counts as a further one; aspect ratios.',
  },
  'image-flex': {
    capability: 'image',
    service: 'gateway',
    modelId: 'bfl/flux-2-flex',
    limits: { aspectRatios: FLUX_RATIOS, promptCharacters: 8_000, references: 6, media: READ },
    pricing: { basis: 'per-image', imageMicros: 50_000n, referenceMicros: 50_000n },
    source: `Asked for by nobody: the fallback of \`image-best\`. Model id: @ai-sdk/gateway 4.0.146. $0.05 the first megapixel and each other: docs.bfl.ai/quick_start/pricing and black-forest-labs/skills (bfl-api), read 2026-11-22 (an older copy of the page says $0.06). ${FLUX_READ}`,
    assumption: 'That each megapixel of reference counts as a further one; aspect ratios; 6 references.',
  },
  'image-transparent': {
    capability: 'image',
    service: 'gateway',
    modelId: 'openai/gpt-image-2.5-flare',
    limits: {
      aspectRatios: ['1:1', '3:2', '2:3'],
      promptCharacters: 4_000,
      references: 6,
      media: READ,
      seed: 'never',
      background: 'transparent',
    },
    pricing: { basis: 'per-image', imageMicros: 60_000n, referenceMicros: 25_000n },
    source:
      'Model id: @ai-sdk/gateway 4.0.146. 1.5 is shut down on 2026-12-01: developers.openai.com/api/docs/deprecations. `background: transparent`, the price of gpt-image-2 and its parameters: docs.apiyi.com, live 2026-10 (gpt-image-2 refuses it since 2026-09-30). $5 words, $8 pictures in, $30 out per million tokens: vercel.com/ai-gateway/models/openai/gpt-image-2.5-flare, developers.cloudflare.com/ai/models. Medium of 1.5: $0.034 square, $0.050–0.051 otherwise; of gpt-image-2, 20 to 30 % less: docs.apiyi.com, gpt-image-2 (overview). Read 2026-11-27; the widest size of 1.5 and 1,000 tokens of words are held. `background` and `quality` under `providerOptions.openai`: vercel/ai, packages/openai (openai-image-model-options). References in PNG, WebP or JPEG: openai/openai-python, ImageEditParams.',
    assumption:
      'That a picture costs no more than one of 1.5 (third parties’ pages); a reference as 3,050 tokens of a picture (fal.ai, of gpt-image-1 in high fidelity) at $8 per million; 6 references; the three sizes of 1.5.',
  },
  'image-edit': {
    capability: 'image',
    service: 'gateway',
    modelId: 'bfl/flux-pro-1.0-fill',
    limits: { promptCharacters: 4_000, references: 1, mask: 'required' },
    pricing: { basis: 'per-image', imageMicros: 50_000n, referenceMicros: 0n },
    source:
      'Model id: @ai-sdk/gateway 4.0.146. 5 credits, $0.05 a picture: docs.bfl.ai/quick_start/pricing (FLUX.1 models). A picture and a mask of its very size, white where it changes: docs.bfl.ai/flux_tools/flux_1_fill. `image` and `mask`: @ai-sdk/black-forest-labs 2.0.41; `mask` beside `files` on the route: @ai-sdk/gateway 4.0.146 (read 2026-11-22).',
    assumption: 'That the picture comes back in its proportions; 4,000 characters.',
  },
  'image-upscale': {
    capability: 'image',
    service: 'gateway',
    modelId: 'topaz/wonder-3.5',
    limits: { references: 1, seed: 'never', scales: [2, 4], outputPixels: 16_777_216 },
    pricing: { basis: 'per-output-block', blockMicros: 80_000n, blockPixels: 4_000_000 },
    source:
      'Model id, JPEG or PNG alone: vercel.com/ai-gateway/models/wonder-3.5. `size`, no words, no seed, 1 to 32,000 pixels a side: vercel/ai, packages/topaz. A credit each 4 megapixels made: developer.topazlabs.com/image-models/wonder/wonder-3. $0.08 a credit: Comfy-Org/docs#582, muapi.ai (« from $0.08 / 4-8 MP block »), read 2026-11-22.',
    assumption:
      'The price of a credit (third parties’ pages), and that 3.5 counts them as 3; that transparency is lost; 16.8 megapixels so that it is done within 120 s.',
  },
  vector: {
    capability: 'vector',
    service: 'gateway',
    modelId: 'anthropic/claude-sonnet-5',
    limits: { promptCharacters: 8_000, maxOutputTokens: 2_000 },
    pricing: { basis: 'per-token', inputPerMillionMicros: 2_000_000n, outputPerMillionMicros: 10_000_000n },
    source:
      'Model id: @ai-sdk/gateway 4.0.146. $2 in, $10 out: vercel.com/ai-gateway/models/sonnet-5 and platform.claude.com/docs (2026-11-22); the gateway adds no markup. 4.5 retires on 2026-11-30: platform.claude.com. Thinking would count against the cap: it is sent as disabled, which 5.5 refuses (vercel/ai, @ai-sdk/gateway 3.0.205 notes).',
    assumption: 'That disabled thinking is heeded by every provider behind the gateway.',
  },
} as const satisfies Record<string, ModelEntry>;
