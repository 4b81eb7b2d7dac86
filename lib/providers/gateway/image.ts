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
import { callModel, chargeOf, type GatewayClient, warningsOf } from './client.ts';
import { imageAnswerSchema } from './schemas.ts';

/** Images through the AI Gateway's `image-model` route. */
export function createImageProvider(
  client: GatewayClient,
  budgets: Budgets,
  mode: ProviderMode,
): ImageProvider {
  return {
    generate(request, options = {}) {
      const { modelId } = modelFor(request.case);
      return traced({ mode, capability: 'image', model: modelId }, () =>
        generate(client, budgets, modelId, request, options),
      );
    },
  };
}

async function generate(
  client: GatewayClient,
  budgets: Budgets,
  modelId: string,
  request: ImageRequest,
  options: CallOptions,
): Promise<ImageResult | ProviderFailure> {
  const references = request.references ?? [];
  const answer = await callModel(
    client,
    {
      kind: 'image-model',
      modelId,
      json: {
        prompt: request.prompt,
        n: 1,
        aspectRatio: request.aspectRatio,
        ...(request.seed === undefined ? {} : { seed: request.seed }),
        ...(references.length > 0 ? { files: references.map(wireFile) } : {}),
      },
      facts: {
        aspectRatio: request.aspectRatio,
        formulaMicros: () => estimateMicros(request.case, { references: references.length }),
      },
    },
    budgets.image,
    options,
  );
  if (answer.outcome === 'failed') return answer;
  const charge = chargeOf(answer.json);
  const parsed = imageAnswerSchema.safeParse(answer.json);
  if (!parsed.success) return badAnswer('the image answer holds no image', charge);
  const images = parsed.data.images.map((text) => bytesOfBase64(text));
  const typed = [];
  for (const bytes of images) {
    const mediaType = bytes && imageType(bytes);
    if (!bytes || !mediaType) return badAnswer('the image answer is not an image', charge);
    typed.push({ bytes, mediaType });
  }
  const { usage } = parsed.data;
  return {
    outcome: 'success',
    images: typed,
    ...charge,
    ...(usage
      ? {
          usage: {
            ...(usage.inputTokens == null ? {} : { inputTokens: usage.inputTokens }),
            ...(usage.outputTokens == null ? {} : { outputTokens: usage.outputTokens }),
          },
        }
      : {}),
    warnings: warningsOf(answer.json),
  };
}

/** A file as the gateway reads it: base64 inside the JSON, or an address. */
export function wireFile(file: FileInput): Record<string, string> {
  if (file.kind === 'url')
    return { type: 'url', url: file.url, ...(file.mediaType ? { mediaType: file.mediaType } : {}) };
  return { type: 'file', mediaType: file.mediaType, data: Buffer.from(file.bytes).toString('base64') };
}

/** Strict base64 (a `data:` prefix is accepted); undefined for anything else. */
export function bytesOfBase64(text: string): Uint8Array | undefined {
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
