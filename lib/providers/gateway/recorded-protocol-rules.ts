import { hasOther, isJson, isOutside, type RefusalRule } from '../fixtures/refusal-rule.ts';

type Body = Record<string, unknown>;

/** Every route of a model. */
const MODELS = 'v4/ai';
const SDK = '[S] @ai-sdk/gateway 4.0.146';
const INFERRED = 'that another is refused is inferred, the status too';

/** What @ai-sdk/gateway sends of itself, by route. */
const FIELDS = {
  'image-model': ['prompt', 'n', 'size', 'aspectRatio', 'seed', 'files', 'mask', 'providerOptions'],
  'language-model': [
    'prompt',
    'maxOutputTokens',
    'temperature',
    'stopSequences',
    'topP',
    'topK',
    'presencePenalty',
    'frequencyPenalty',
    'responseFormat',
    'seed',
    'tools',
    'toolChoice',
    'includeRawChunks',
    'headers',
    'reasoning',
    'providerOptions',
  ],
  'video-model/start': [
    'prompt',
    'n',
    'aspectRatio',
    'resolution',
    'duration',
    'fps',
    'seed',
    'generateAudio',
    'image',
    'frameImages',
    'inputReferences',
    'providerOptions',
    'callbackUrl',
  ],
  'video-model/status': ['operation'],
} as const;

/** The headers by which a route knows its model, beside the version of its specification. */
const MODEL_HEADERS = {
  'image-model': ['ai-model-id', 'ai-image-model-specification-version'],
  'language-model': ['ai-language-model-id', 'ai-language-model-specification-version'],
  'video-model': ['ai-model-id', 'ai-video-model-specification-version'],
} as const;

const SPECIFICATION = '4';

type File = { type?: unknown; mediaType?: unknown; data?: unknown; url?: unknown };

/** A file of a request: bytes as base64 under their type, or an address. */
function isFile(file: unknown): boolean {
  const { type, mediaType, data, url } = (file ?? {}) as File;
  if (type === 'url') return typeof url === 'string' && /^https?:\/\//.test(url);
  return type === 'file' && typeof mediaType === 'string' && typeof data === 'string' && data !== '';
}

const listOf = (value: unknown) => (Array.isArray(value) ? (value as unknown[]) : []);

/** Every file of a request, wherever its route has it. */
function filesOf({ files, mask, image, frameImages, inputReferences }: Body): unknown[] {
  const frames = listOf(frameImages).map((frame) => (frame as { image?: unknown } | null)?.image);
  const alone = [mask, image].filter((file) => file !== undefined);
  return [...listOf(files), ...alone, ...frames, ...listOf(inputReferences)];
}

const frameTypesOf = ({ frameImages }: Body) =>
  listOf(frameImages).map((frame) => (frame as { frameType?: unknown } | null)?.frameType);

/** What the gateway’s own protocol refuses, whatever the model; a part of its table. */
export const PROTOCOL_REFUSALS: readonly RefusalRule<Body>[] = [
  {
    id: 'gateway-key',
    route: '',
    method: 'any',
    models: [],
    refuses: (_, { headers }) => !/^Bearer \S+$/.test(headers.get('authorization') ?? ''),
    status: 401,
    says: 'Invalid API key',
    source: `${SDK} (\`Authorization: Bearer\`, \`authentication_error\`)`,
  },
  {
    id: 'gateway-protocol',
    route: '',
    method: 'any',
    models: [],
    refuses: (_, { headers }) =>
      headers.get('ai-gateway-protocol-version') !== '0.0.1' ||
      isOutside(headers.get('ai-gateway-auth-method'), ['api-key', 'oidc']),
    status: 400,
    says: 'unknown protocol version or authentication method',
    source: `${SDK}, its headers; ${INFERRED}`,
  },
  {
    id: 'gateway-content-type',
    route: MODELS,
    models: [],
    refuses: (_, { headers }) => !isJson(headers),
    status: 400,
    says: 'the body must be JSON',
    source: `${SDK} (\`application/json\`); ${INFERRED}`,
  },
  ...Object.entries(MODEL_HEADERS).map(
    ([route, [name, version]]): RefusalRule<Body> => ({
      id: `${route.split('-')[0]}-headers`,
      route: `v4/ai/${route}`,
      models: [],
      refuses: (_, { headers }) => !headers.get(name) || headers.get(version) !== SPECIFICATION,
      status: 400,
      says: `${name} and ${version} are required`,
      source: `${SDK}, its headers; ${INFERRED}`,
    }),
  ),
  ...Object.entries(FIELDS).map(
    ([route, fields]): RefusalRule<Body> => ({
      id: `${route.replace('-model', '').replace('/', '-')}-fields`,
      route,
      models: [],
      refuses: (body) => hasOther(body, fields),
      status: 400,
      says: 'unknown field',
      source: `${SDK}, the fields that it sends; ${INFERRED}`,
    }),
  ),
  {
    id: 'language-prompt',
    route: 'language-model',
    models: [],
    refuses: ({ prompt }) =>
      !Array.isArray(prompt) || prompt.some((message) => typeof message?.role !== 'string'),
    status: 400,
    says: 'prompt must be a list of messages',
    source: `${SDK}, LanguageModelV4Prompt; ${INFERRED}`,
  },
  {
    id: 'gateway-files',
    route: MODELS,
    models: [],
    refuses: (body) =>
      filesOf(body).some((file) => !isFile(file)) ||
      frameTypesOf(body).some((type) => type !== 'first_frame' && type !== 'last_frame'),
    status: 400,
    says: 'a file is bytes in base64 under their type, or an address',
    source: `${SDK} and @ai-sdk/provider, their files of images and videos; ${INFERRED}`,
  },
  {
    id: 'video-callback-address',
    route: 'video-model/start',
    models: [],
    refuses: ({ callbackUrl }) => callbackUrl !== undefined && !/^https:\/\//.test(String(callbackUrl)),
    status: 400,
    says: 'callbackUrl must be a publicly reachable HTTPS address',
    source: `${SDK}, its documentation of batches (“publicly reachable HTTPS”); the status is inferred`,
  },
  {
    id: 'video-key-reused',
    route: 'video-model/start',
    models: [],
    refuses: (_, { isKeyReused = false }) => isKeyReused,
    status: 422,
    says: 'idempotency-key was used with another body',
    source: `${SDK}, gateway-batch.ts (the body is hashed, another one is a 422); that videos are like batches is inferred`,
  },
];
