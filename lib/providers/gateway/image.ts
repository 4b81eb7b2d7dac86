import type { AnswerFiles } from '#lib/core/net/read-json-files.ts';
import type { Budgets } from '../budgets.ts';
import { modelFor } from '../models/catalogue.ts';
import { estimateMicros } from '../models/pricing.ts';
import type {
  CallOptions,
  FileInput,
  ImageProvider,
  ImageRequest,
  ImageResult,
  ProviderFailure,
  ProviderMode,
} from '../ports.ts';
import { traced } from '../trace.ts';
import { badAnswer } from '../transport.ts';
import { callModel, chargeOf, type GatewayClient, gatewayOptions, warningsOf } from './client.ts';
import { imageAnswerSchema } from './schemas.ts';
import { leavesOutPictures } from './video-warnings.ts';

/** Images through the AI Gateway's `image-model` route. */
export function createImageProvider(
  client: GatewayClient,
  budgets: Budgets,
  mode: ProviderMode,
): ImageProvider {
  return {
    generate(request, options = {}) {
      const { modelId } = modelFor(lineOf(request));
      return traced({ mode, capability: 'image', model: modelId }, () =>
        generate(client, budgets, modelId, request, options),
      );
    },
  };
}

/** The line of the table whose model is asked. */
function lineOf({ case: asked, isFallback }: ImageRequest): string {
  return (isFallback && modelFor(asked).fallback?.case) || asked;
}

async function generate(
  client: GatewayClient,
  budgets: Budgets,
  modelId: string,
  request: ImageRequest,
  options: CallOptions,
): Promise<ImageResult | ProviderFailure> {
  const references = request.references ?? [];
  const shape = shapeOf(modelId, request);
  const answer = await callModel(
    client,
    {
      kind: 'image-model',
      modelId,
      json: {
        ...(request.prompt === '' ? {} : { prompt: request.prompt }),
        n: 1,
        ...shape.sent,
        ...(request.seed === undefined ? {} : { seed: request.seed }),
        ...(references.length > 0 ? { files: references.map(wireFile) } : {}),
        ...(request.mask ? { mask: wireFile(request.mask) } : {}),
        providerOptions: {
          ...shape.options,
          ...gatewayOptions(client, request.case, options),
        },
      },
      filesApart: true,
      facts: {
        aspectRatio: request.aspectRatio,
        formulaMicros: () =>
          estimateMicros(lineOf(request), {
            references: request.referenceMegapixels ?? references.length,
            ...(request.size ? { outputPixels: request.size.width * request.size.height } : {}),
          }),
        ...(request.isFallback ? { isFallback: true } : {}),
      },
    },
    budgets.image,
    options,
  );
  if (answer.outcome === 'failed') return answer;
  const charge = chargeOf(answer.json);
  const parsed = imageAnswerSchema.safeParse(answer.json);
  if (!parsed.success) return badAnswer('the image answer holds no image', charge);
  const { images, usage } = parsed.data;
  const bytes = fileOf(images[0], answer.files);
  const mediaType = bytes && imageType(bytes);
  if (!bytes || !mediaType) return badAnswer('the image answer is not an image', charge);
  const warnings = warningsOf(answer.json);
  return {
    outcome: 'success',
    images: [{ bytes, mediaType }],
    ...charge,
    ...(usage
      ? {
          usage: {
            ...(usage.inputTokens == null ? {} : { inputTokens: usage.inputTokens }),
            ...(usage.outputTokens == null ? {} : { outputTokens: usage.outputTokens }),
          },
        }
      : {}),
    warnings,
    ...(references.length > 0 && leavesOutPictures(warnings) ? { referencesLeftOut: true as const } : {}),
  };
}

/** The sizes that OpenAI's models draw. */
const OPENAI_SIZES: Record<string, string> = { '1:1': '1024x1024', '3:2': '1536x1024', '2:3': '1024x1536' };

type Shape = { sent: Record<string, string>; options: Record<string, Record<string, unknown>> };

/** How size and background are asked of a maker's models. */
function shapeOf(modelId: string, { aspectRatio, size }: ImageRequest): Shape {
  // The picture given decides its own size.
  if (modelId === 'bfl/flux-pro-1.0-fill') return { sent: {}, options: {} };
  if (modelId.startsWith('topaz/'))
    return {
      sent: size ? { size: `${size.width}x${size.height}` } : {},
      options: { topaz: { outputFormat: 'jpeg' } },
    };
  if (modelId.startsWith('openai/'))
    return {
      sent: { size: OPENAI_SIZES[aspectRatio] ?? '1024x1024' },
      options: { openai: { background: 'transparent', quality: 'medium' } },
    };
  // A ratio alone would leave the size to the model: exact pixels are requested.
  return { sent: { aspectRatio }, options: { blackForestLabs: sizeOf(aspectRatio) } };
}

const ONE_MEGAPIXEL = 1_048_576;
/** What the model's sides are multiples of. */
const STEP = 16;

/**
 * The largest size of one megapixel at most, for which a picture has its price, and of the ratio's proportions within a hundredth; a square
 * where there is none.
 */
export function sizeOf(aspectRatio: string): { width: number; height: number } {
  const [w = 1, h = 1] = aspectRatio.split(':').map(Number);
  const ratio = w > 0 && h > 0 ? w / h : 1;
  const top = Math.floor(Math.sqrt(ONE_MEGAPIXEL * ratio) / STEP) * STEP;
  for (let width = top; width >= STEP; width -= STEP) {
    const height = Math.round(width / ratio / STEP) * STEP;
    const isClose = Math.abs(width / height / ratio - 1) <= 0.01;
    if (isClose && width * height <= ONE_MEGAPIXEL) return { width, height };
  }
  return { width: 1024, height: 1024 };
}

/** A file as the gateway reads it: base64 inside the JSON, or an address. */
export function wireFile(file: FileInput): Record<string, string> {
  if (file.kind === 'url')
    return { type: 'url', url: file.url, ...(file.mediaType ? { mediaType: file.mediaType } : {}) };
  return { type: 'file', mediaType: file.mediaType, data: Buffer.from(file.bytes).toString('base64') };
}

/** The file in a text of an answer: one that was extracted while reading, or short base64; undefined for anything else. */
export function fileOf(text: string, files: AnswerFiles): Uint8Array | undefined {
  return files.has(text) ? (files.get(text) ?? undefined) : bytesOfBase64(text);
}

/** Strict base64 (a `data:` prefix is accepted); undefined for anything else. */
function bytesOfBase64(text: string): Uint8Array | undefined {
  const body = text.replace(/^data:[\w/+.-]+;base64,/, '');
  if (body.length === 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(body)) return undefined;
  const bytes = Buffer.from(body, 'base64');
  return bytes.length > 0 ? new Uint8Array(bytes) : undefined;
}

/** The type that an image's first bytes say. Full decoding is the caller's. */
function imageType(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'image/webp';
  if (head.slice(4, 8) === 'ftyp' && head.slice(8, 12) === 'avif') return 'image/avif';
  return undefined;
}
