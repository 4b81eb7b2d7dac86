import { createHash } from 'node:crypto';
import { recordedJson } from '../fixtures/recorded-files.ts';
import { recordedEdit, recordedImage, recordedLarger } from '../fixtures/recorded-image.ts';
import type { RecordedRequest } from '../fixtures/recorded-request.ts';
import {
  decodeState,
  GARBAGE_VIDEO,
  jsonAnswer,
  type RecordedErrors,
  recordedError,
  startError,
} from '../fixtures/recorded-results.ts';
import { brokenRule } from '../fixtures/refusal-rule.ts';
import type { TokenUsage } from '../ports.ts';
import { costText, generationId } from './recorded-charge.ts';
import { PROTOCOL_REFUSALS } from './recorded-protocol-rules.ts';
import { refusalOf } from './recorded-rules.ts';
import { answerVideo } from './recorded-video-answers.ts';

type Metadata = { gateway: Record<string, unknown> };
type Charged = { providerMetadata: Metadata };

/** The AI Gateway, from recorded answers. */
export async function answerGateway(request: RecordedRequest): Promise<Response> {
  const errors = await recordedJson<RecordedErrors>('gateway', 'errors.json');
  if (request.method === 'GET' && request.url.pathname === '/v1/models')
    return jsonAnswer(await recordedJson('gateway', 'models.json'));
  const broken = brokenRule(PROTOCOL_REFUSALS, request, '');
  if (broken) return refused(broken);
  const route = request.url.pathname;
  if (request.method === 'GET' && route === '/v1/generation') return answerCost(request, errors);
  if (request.method !== 'POST') return recordedError(errors, 'not-found');
  if (route === '/v4/ai/video-model/status') return answerVideo(request);
  if (request.scenario === 'model-unavailable' && !request.facts.isFallback)
    return jsonAnswer({ error: { message: 'Model is unavailable', type: 'internal_server_error' } }, 503, {
      'retry-after': '600',
    });
  const failed = startError(errors, request.scenario);
  if (failed) return failed;
  if (request.scenario === 'bad-answer') return jsonAnswer({ hello: 'there' });
  const refusal = refusalOf(request);
  if (refusal) return refused(refusal);
  if (route === '/v4/ai/video-model/start') return answerVideo(request);
  if (route === '/v4/ai/image-model') return answerImage(request);
  if (route === '/v4/ai/language-model') return answerText(request);
  return recordedError(errors, 'not-found');
}

const ERROR_TYPES: Record<number, string> = { 401: 'authentication_error', 404: 'model_not_found' };

/** A refusal as the gateway tells it. */
function refused({ says: message, status }: { says: string; status: number }): Response {
  const type = ERROR_TYPES[status] ?? 'invalid_request_error';
  return jsonAnswer({ error: { message, type, param: null } }, status);
}

type AskedImage = {
  prompt?: string;
  aspectRatio?: string;
  size?: string;
  files?: { data?: string }[];
  mask?: { data?: string };
  providerOptions?: {
    blackForestLabs?: { width: number; height: number };
    openai?: { background?: string };
  };
};

async function answerImage(request: RecordedRequest): Promise<Response> {
  const asked = request.json as AskedImage;
  const answer = await recordedJson<Charged & { images: string[]; warnings: unknown[] }>(
    'gateway',
    'image-model.json',
  );
  const bytes = request.scenario === 'garbage-file' ? GARBAGE_VIDEO : await picture(asked);
  if (request.scenario === 'reference-dropped' && asked.files)
    answer.warnings = [{ type: 'unsupported', feature: 'files', details: 'The input images were ignored.' }];
  answer.images = [Buffer.from(bytes).toString('base64')];
  return jsonAnswer(charged(answer, request));
}

function picture({ prompt, aspectRatio = '1:1', size, files, mask, providerOptions }: AskedImage) {
  const [image] = files ?? [];
  const pixels = sizeAsked(size);
  if (image && mask) return recordedEdit(prompt ?? '', image, mask);
  // Only an upscaling model takes no prompt.
  if (image && pixels && prompt === undefined) return recordedLarger(image, pixels);
  return recordedImage(prompt ?? '', aspectRatio, {
    asked: pixels ?? providerOptions?.blackForestLabs,
    transparent: providerOptions?.openai?.background === 'transparent',
  });
}

/** `1536x1024` in numbers. */
function sizeAsked(size: string | undefined): { width: number; height: number } | undefined {
  const [width = 0, height = 0] = (size ?? '').split('x').map(Number);
  return width > 0 && height > 0 ? { width, height } : undefined;
}

type TextAnswer = Charged & {
  content: { text: string }[];
  usage: { inputTokens: { total: number }; outputTokens: { total: number } };
};
type TextAnswers = Record<'fenced' | 'unsafe' | 'truncated' | 'refused', TextAnswer> & {
  icons: TextAnswer[];
};

async function answerText(request: RecordedRequest): Promise<Response> {
  const answers = await recordedJson<TextAnswers>('gateway', 'language-model.json');
  const seed = createHash('sha256').update(JSON.stringify(request.json)).digest();
  const icon = answers.icons[(seed[0] as number) % answers.icons.length] as TextAnswer;
  const answer =
    request.scenario === 'unsafe-svg'
      ? answers.unsafe
      : request.scenario === 'truncated-svg'
        ? answers.truncated
        : request.scenario === 'garbage-file'
          ? { ...icon, content: [{ type: 'text', text: 'Je ne sais pas dessiner cela.' }] }
          : icon;
  const { inputTokens, outputTokens } = answer.usage;
  return jsonAnswer(
    charged(answer, request, { inputTokens: inputTokens.total, outputTokens: outputTokens.total }),
  );
}

/** Writes the generation id and the cost that the scenario asks for into a recorded answer. */
function charged<T extends Charged>(answer: T, request: RecordedRequest, usage?: TokenUsage): T {
  const cost = costText(request, usage);
  const { gateway } = answer.providerMetadata;
  gateway.generationId = generationId(cost);
  if (cost === undefined) delete gateway.cost;
  else gateway.cost = cost;
  return answer;
}

async function answerCost(request: RecordedRequest, errors: RecordedErrors): Promise<Response> {
  const id = request.url.searchParams.get('id') ?? '';
  const state = decodeState<{ cost?: string }>(id.replace(/^gen_/, ''));
  if (state?.cost === undefined) return recordedError(errors, 'not-found');
  const answer = await recordedJson<{ data: Record<string, unknown> }>('gateway', 'generation.json');
  const cost = Number(state.cost);
  Object.assign(answer.data, { id, total_cost: cost, usage: cost, gateway_cost: cost, market_cost: cost });
  return jsonAnswer(answer);
}
