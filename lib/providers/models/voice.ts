import type { ModelEntry } from './entry.ts';

/** Voices, lipsync and template renders. */
export const VOICE_AND_RENDER_MODELS = {
  voice: {
    capability: 'voice',
    service: 'elevenlabs',
    modelId: 'eleven_multilingual_v2',
    limits: { textCharacters: 5_000 },
    pricing: { basis: 'per-character', perThousandMicros: 100_000n },
    source:
      'Interface: @elevenlabs/elevenlabs-js 2.73. Price $0.10 per 1,000 characters: developer.puter.com/tutorials/elevenlabs-api-pricing (June 2026).',
    assumption:
      'It reads the text’s own language and ignores `language_code` (livekit/agents#6197), which is not sent. Price (a third party’s page); 5,000 characters so that a reading fits in the 60 s budget.',
  },
  lipsync: {
    capability: 'lipsync',
    service: 'lipsync',
    modelId: 'lipsync-2',
    limits: { audio: 'always', voiceSeconds: 300 },
    references: { clip: { min: 1, max: 1, minMs: 1_000, maxMs: 60_000 } },
    pricing: { basis: 'per-second', perSecondMicros: { default: 50_000n }, atFramesPerSecond: 25 },
    source:
      'Interface: @sync.so/sdk 0.3. Price $0.04–0.05 per second at 25 frames: sync.so/docs/models/lipsync. Billed per output frame: sync.so/docs/product/billing (read 2026-11-27). 300 s of sound: sync.so/docs/developer-guides/error-handling. `sync_mode: bounce` gives a file as long as the voice: SyncMode of @sync.so/sdk 0.3.',
    assumption: 'That the file has as many frames a second as its clip; clip limits are ours.',
  },
  'lipsync-character': {
    capability: 'lipsync',
    service: 'lipsync',
    modelId: 'sync-3',
    limits: { audio: 'always', voiceSeconds: 300 },
    references: { character: { min: 1, max: 1 } },
    pricing: { basis: 'per-second', perSecondMicros: { default: 133_000n }, atFramesPerSecond: 25 },
    source:
      'Price $0.107–0.133 per second at 25 frames: sync.so/docs/models/sync-3. Billed per output frame: sync.so/docs/product/billing (read 2026-11-27). 300 s of sound: sync.so/docs/developer-guides/error-handling. Image input: sync.so/docs, API overview and the agent skill sync-api.',
    assumption:
      'The word of an image input (`type: image`): absent from @sync.so/sdk 0.3. That a file made of an image has 25 frames a second when it is held for: no page says how many; its own count or the provider’s figure is what is debited.',
  },
  render: {
    capability: 'render',
    service: 'github',
    modelId: 'github-actions',
    limits: {},
    pricing: { basis: 'per-minute', perMinuteMicros: 10_000n, reserveMinutes: 10 },
    source: 'Our own flat rate per begun minute. Interface: @octokit/openapi-types 29.',
  },
} as const satisfies Record<string, ModelEntry>;
