import { hasOther, isJson, type RefusalRule } from '../fixtures/refusal-rule.ts';

type Input = { type?: string; url?: string; assetId?: string };
type Body = { model?: string; input?: Input[]; options?: { sync_mode?: string }; webhookUrl?: string };

/** What @sync.so/sdk 0.3 sends, and what the service's own pages add to it. */
const FIELDS = [
  'model',
  'input',
  'options',
  'webhookUrl',
  'segments',
  'dubParams',
  'dialogueEdit',
  'projectId',
  'outputFileName',
];
const INPUT_FIELDS = ['type', 'url', 'assetId', 'refId', 'provider', 'segments_secs', 'segments_frames'];
const OPTIONS = [
  'sync_mode',
  'model_mode',
  'prompt',
  'temperature',
  'active_speaker_detection',
  'occlusion_detection_enabled',
  'output_resolution',
  'fps',
  'output_format',
  'pads',
  'speedup',
];

const MODELS = ['sync-3', 'lipsync-2', 'lipsync-2-pro', 'lipsync-1.9.0-beta', 'react-1'];
const SYNC_MODES = ['cut_off', 'bounce', 'loop', 'silence', 'remap'];
/** Five minutes of sound. */
const MAX_AUDIO_MS = 300_000;
const KEY = /^[A-Za-z0-9._~-]{1,128}$/;

const hasOneOf = (input: readonly Input[], types: readonly string[]) =>
  input.some(({ type = '' }) => types.includes(type));

/** What sync.so refuses of a start. Read on 2026-11-22. */
export const LIPSYNC_REFUSALS: readonly RefusalRule<Body>[] = [
  {
    id: 'lipsync-api-key',
    route: 'v2',
    method: 'any',
    models: [],
    refuses: (_, { headers }) => !headers.get('x-api-key'),
    status: 401,
    says: 'Invalid API key',
    source: '[S] sync.so/docs/developer-guides/error-handling (401: “included in the x-api-key header”)',
  },
  {
    id: 'lipsync-content-type',
    route: 'v2/generate',
    models: [],
    refuses: (_, { headers }) => !isJson(headers),
    status: 400,
    says: 'the body must be JSON',
    source:
      '[S] sync.so/docs, idempotency (“JSON and multipart requests”; we send no parts); the status is inferred',
  },
  {
    id: 'lipsync-key',
    route: 'v2/generate',
    models: [],
    refuses: (_, { headers }) => {
      const key = headers.get('idempotency-key');
      return key !== null && !KEY.test(key);
    },
    status: 400,
    says: 'Invalid Idempotency-Key header',
    code: 'INVALID_IDEMPOTENCY_KEY',
    source: '[S] sync.so/docs, idempotency (`[A-Za-z0-9._~-]{1,128}`)',
  },
  {
    id: 'lipsync-key-reused',
    route: 'v2/generate',
    models: [],
    refuses: (_, { isKeyReused = false }) => isKeyReused,
    status: 409,
    says: 'Idempotency-Key was used with another payload',
    code: 'IDEMPOTENCY_CONFLICT',
    source:
      '[S] sync.so/docs/developer-guides/error-handling (“payload conflicts”); status and code are inferred',
  },
  {
    id: 'lipsync-fields',
    route: 'v2/generate',
    models: [],
    refuses: ({ input = [], options, ...body }) =>
      hasOther(body, FIELDS) ||
      hasOther(options, OPTIONS) ||
      input.some((one) => hasOther(one, INPUT_FIELDS)),
    status: 400,
    says: 'unknown field',
    code: 'generation_input_validation_failed',
    source: '[S] @sync.so/sdk 0.3, its types; that another is refused is inferred, the status too',
  },
  {
    id: 'lipsync-webhook-address',
    route: 'v2/generate',
    models: [],
    refuses: ({ webhookUrl }) => webhookUrl !== undefined && !/^https:\/\//.test(webhookUrl),
    status: 400,
    says: 'webhookUrl must be an HTTPS address',
    source:
      '[S] sync.so/docs/api-reference/guides/webhooks (“accept and process HTTPS POST requests”); the status is inferred',
  },
  {
    id: 'lipsync-model',
    route: 'v2/generate',
    models: [],
    refuses: (_, { model }) => !MODELS.includes(model),
    status: 400,
    says: 'model is not supported',
    code: 'generation_unsupported_model',
    source: '[S] sync.so/docs/api-reference (five public models); the status is inferred',
  },
  {
    id: 'lipsync-inputs',
    route: 'v2/generate',
    models: [],
    refuses: ({ input = [] }) => !hasOneOf(input, ['video', 'image']) || !hasOneOf(input, ['audio', 'text']),
    status: 400,
    says: 'input needs a video or an image, and an audio or a text',
    source: '[S] sync.so/docs/api-reference, supported inputs; the status is inferred',
  },
  {
    id: 'lipsync-one-visual',
    route: 'v2/generate',
    models: [],
    refuses: ({ input = [] }) =>
      input.filter(({ type = '' }) => type === 'video' || type === 'image').length > 1,
    status: 400,
    says: 'exactly one video or image',
    code: 'generation_input_too_many_visual',
    source:
      '[T] a published client that transcribes sync.so’s own document and `GET /v2/errors` (2026-08-25); the status is inferred',
  },
  {
    id: 'lipsync-image-model',
    route: 'v2/generate',
    models: ['lipsync-', 'react-'],
    refuses: ({ input = [] }) => hasOneOf(input, ['image']),
    status: 400,
    says: 'an image is taken by sync-3 alone',
    code: 'generation_input_validation_failed',
    source:
      '[T] a published client that transcribes sync.so’s own document (2026-08-25); status and code are inferred',
  },
  {
    id: 'lipsync-audio-length',
    route: 'v2/generate',
    models: [],
    refuses: (_, { outputMs = 0 }) => outputMs > MAX_AUDIO_MS,
    status: 400,
    says: 'The provided audio exceeds the maximum allowed length.',
    code: 'generation_audio_length_exceeded',
    source: '[S] sync.so/docs/developer-guides/error-handling (300 seconds); the status is inferred',
  },
  {
    id: 'lipsync-input-place',
    route: 'v2/generate',
    models: [],
    refuses: ({ input = [] }) =>
      input.some(({ type, url, assetId }) => type !== 'text' && !assetId && !/^https?:\/\//.test(url ?? '')),
    status: 400,
    says: 'input must be given by url or asset id',
    source: '[S] sync.so/docs/api-reference, “via URL or asset ID”; the status is inferred',
  },
  {
    id: 'lipsync-sync-mode',
    route: 'v2/generate',
    models: [],
    refuses: ({ options }) => options?.sync_mode !== undefined && !SYNC_MODES.includes(options.sync_mode),
    status: 400,
    says: 'sync_mode must be cut_off, bounce, loop, silence or remap',
    source: '[S] sync.so/docs/developer-guides/sync-mode; the status is inferred',
  },
];
