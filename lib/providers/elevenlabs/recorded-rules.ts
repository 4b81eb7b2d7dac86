import { isJson, isOutside, type RefusalRule } from '../fixtures/refusal-rule.ts';

type Settings = { stability?: number; similarity_boost?: number; speed?: number };
type Body = { text?: string; model_id?: string; voice_settings?: Settings };

const rates = (codec: string, hertz: readonly number[]) => hertz.map((rate) => `${codec}_${rate}`);
const WAVES = [8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000];
const FORMATS = [
  'mp3_22050_32',
  'mp3_24000_48',
  'ulaw_8000',
  'alaw_8000',
  ...rates('mp3_44100', [32, 64, 96, 128, 192]),
  ...rates('opus_48000', [32, 64, 96, 128, 192]),
  ...rates('pcm', WAVES),
  ...rates('wav', WAVES),
];
const MAX_PAGE = 100;

const isWithin = (value: number | undefined, least: number, most: number) =>
  value === undefined || (value >= least && value <= most);

/** The speech requests that ElevenLabs refuses. Read on 2026-11-22. */
export const ELEVENLABS_REFUSALS: readonly RefusalRule<Body>[] = [
  {
    id: 'voice-key',
    route: '',
    method: 'any',
    models: [],
    refuses: (_, { headers }) => !headers.get('xi-api-key'),
    status: 401,
    says: 'invalid_api_key',
    source: '[S] help.elevenlabs.io, article 19572237925521 (`xi-api-key`)',
  },
  {
    id: 'voice-list-page',
    route: 'v2/voices',
    method: 'GET',
    models: [],
    refuses: (_, { url }) => {
      const size = url.searchParams.get('page_size');
      return size !== null && !(Number(size) >= 1 && Number(size) <= MAX_PAGE);
    },
    status: 422,
    says: 'page_size must be from 1 to 100',
    source: '[S] @elevenlabs/elevenlabs-js 2.73 (“Can not exceed 100”); the status is inferred',
  },
  {
    id: 'voice-content-type',
    route: 'v1/text-to-speech',
    models: [],
    refuses: (_, { headers }) => !isJson(headers),
    status: 422,
    says: 'the body must be JSON',
    source:
      '[S] @elevenlabs/elevenlabs-js 2.73 (`application/json`); that another is refused is inferred, the status too',
  },
  {
    id: 'voice-text',
    route: 'v1/text-to-speech',
    models: [],
    refuses: ({ text }) => typeof text !== 'string' || text === '',
    status: 422,
    says: 'Field required',
    source:
      '[S] @elevenlabs/elevenlabs-js 2.73 (`text: string`, UnprocessableEntityError); of an empty one it is inferred',
  },
  {
    id: 'voice-output-format',
    route: 'v1/text-to-speech',
    models: [],
    refuses: (_, { url }) => isOutside(url.searchParams.get('output_format') ?? undefined, FORMATS),
    status: 422,
    says: 'output_format is not valid',
    source:
      '[S] @elevenlabs/elevenlabs-js 2.73, TextToSpeechConvertWithTimestampsRequestOutputFormat; the status is inferred',
  },
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
