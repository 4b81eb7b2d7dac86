import type { RefusalRule } from '../fixtures/refusal-rule.ts';

type Settings = { stability?: number; similarity_boost?: number; speed?: number };
type Body = { text?: string; model_id?: string; voice_settings?: Settings };

const isWithin = (value: number | undefined, least: number, most: number) =>
  value === undefined || (value >= least && value <= most);

/** What ElevenLabs refuses of a text to say. Read on 2026-11-22. */
export const ELEVENLABS_REFUSALS: readonly RefusalRule<Body>[] = [
  {
    id: 'voice-text-length',
    route: 'v1/text-to-speech',
    models: ['eleven_multilingual_v2'],
    refuses: ({ text = '' }) => text.length > 10_000,
    status: 400,
    says: 'max_character_limit_exceeded',
    source: '[S] help.elevenlabs.io, articles 13298164480913 and 19572237925521 (multilingual v2: 10,000)',
  },
  {
    id: 'voice-settings',
    route: 'v1/text-to-speech',
    models: [],
    refuses: ({ voice_settings: given = {} }) =>
      !isWithin(given.stability, 0, 1) ||
      !isWithin(given.similarity_boost, 0, 1) ||
      !isWithin(given.speed, 0.7, 1.2),
    status: 400,
    says: 'invalid_voice_settings',
    source: '[S] elevenlabs.io/docs, voice settings (0 to 1; speed 0.7 to 1.2); as recalled, the code too',
  },
  {
    id: 'voice-model-type',
    route: 'v1/text-to-speech',
    models: [],
    refuses: (_, { model }) => /_sts_|^scribe_/.test(model),
    status: 400,
    says: 'model_can_not_do_text_to_speech',
    source:
      '[T] glama.ai/mcp/servers/AIWerk (the vendor’s field `can_do_text_to_speech`); the status is inferred',
  },
];
