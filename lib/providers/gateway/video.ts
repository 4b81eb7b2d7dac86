import type { Clock } from '#lib/core/clock.ts';
import type { AnswerFiles } from '#lib/core/net/read-json-files.ts';
import type { Budgets } from '../budgets.ts';
import { modelIdFor } from '../models/catalogue.ts';
import type {
  CallOptions,
  GatewayCharge,
  JobStatus,
  ProviderFailure,
  ProviderMode,
  VideoCompleted,
  VideoProvider,
  VideoStarted,
  VideoStartRequest,
  VideoStatusRequest,
} from '../ports.ts';
import { traced } from '../trace.ts';
import { badAnswer, cleanDetail, notSendable } from '../transport.ts';
import { isOfContent } from '../transport-status.ts';
import { callModel, chargeOf, type GatewayClient, gatewayOptions, warningsOf } from './client.ts';
import { fileOf } from './image.ts';
import {
  asyncJobSchema,
  seedanceUsageSchema,
  unknownVideoStatus,
  type VideoFile,
  videoStartSchema,
  videoStatusSchema,
} from './schemas.ts';
import { parseGatewayWebhook } from './signature.ts';
import { droppedSettings } from './video-warnings.ts';
import { unsendableReference, videoFacts, videoWireBody } from './video-wire.ts';

/** Asynchronous videos through the AI Gateway's `video-model/start` and `video-model/status`. */
export function createVideoProvider(
  client: GatewayClient,
  budgets: Budgets,
  mode: ProviderMode,
  clock: Clock,
): VideoProvider {
  return {
    start(request, options = {}) {
      const startImage = (request.references ?? []).some(({ role }) => role === 'start-image');
      const modelId = modelIdFor(request.case, { startImage });
      return traced({ mode, capability: 'video.start', model: modelId }, () =>
        start(client, budgets, modelId, request, options),
      );
    },
    status: (request, options = {}) =>
      traced({ mode, capability: 'video.status', model: request.modelId }, () =>
        status(client, budgets, request, options),
      ),
    parseWebhook: (input) => parseGatewayWebhook(input, clock.now()),
  };
}

/** A finished video may come as base64 inside the JSON. */
const MAX_VIDEO_ANSWER_BYTES = 160 * 1024 * 1024;
/** Only a finished job has so large an answer: its file exceeds what is kept. */
const TOO_LARGE = {
  outcome: 'job-failed',
  reason: 'no-file',
  detail: 'completed with more than is read',
  paid: true,
} as const satisfies JobStatus<never>;

async function start(
  client: GatewayClient,
  budgets: Budgets,
  modelId: string,
  request: VideoStartRequest,
  options: CallOptions,
): Promise<VideoStarted | ProviderFailure> {
  const unsendable = unsendableReference(request);
  if (unsendable) return notSendable(unsendable);
  const body = videoWireBody(request);
  const own = (body.providerOptions ?? {}) as object;
  const json = {
    ...body,
    providerOptions: { ...own, ...gatewayOptions(client, request.case, options) },
  };
  const { idempotencyKey } = options;
  const answer = await callModel(
    client,
    {
      kind: 'video-model',
      path: 'start',
      modelId,
      json,
      // The SDK itself repeats a billable start under one such key; without it, a start is sent once.
      repeatable: idempotencyKey !== undefined,
      ...(idempotencyKey ? { headers: { 'idempotency-key': idempotencyKey } } : {}),
      facts: videoFacts(request),
    },
    budgets.videoStart,
    options,
  );
  if (answer.outcome === 'failed') return answer;
  const charge = chargeOf(answer.json);
  const identity = charge.gatewayGenerationId ? { gatewayGenerationId: charge.gatewayGenerationId } : {};
  const parsed = videoStartSchema.safeParse(answer.json);
  if (!parsed.success) return badAnswer('the start answer holds no operation', charge);
  const job = asyncJobSchema.safeParse(answer.json);
  const asyncJob = job.success ? job.data.providerMetadata.gateway.asyncJob : undefined;
  return {
    outcome: 'started',
    operation: parsed.data.operation,
    modelId,
    ...(asyncJob ? { jobId: asyncJob.jobId } : {}),
    ...(asyncJob?.webhookSigningSecret && request.callbackUrl
      ? { webhookSecret: asyncJob.webhookSigningSecret }
      : {}),
    ...identity,
    ...droppedSettings(warningsOf(answer.json)),
  };
}

async function status(
  client: GatewayClient,
  budgets: Budgets,
  request: VideoStatusRequest,
  options: CallOptions,
): Promise<JobStatus<VideoCompleted>> {
  const answer = await callModel(
    client,
    {
      kind: 'video-model',
      path: 'status',
      modelId: request.modelId,
      json: { operation: request.operation },
      repeatable: true,
      maxBytes: MAX_VIDEO_ANSWER_BYTES,
      filesApart: true,
      bodyMs: budgets.videoFile,
    },
    budgets.videoStatus,
    options,
  );
  if (answer.outcome === 'failed') return answer.tooLarge ? TOO_LARGE : answer;
  const charge = chargeOf(answer.json);
  const identity = charge.gatewayGenerationId ? { gatewayGenerationId: charge.gatewayGenerationId } : {};
  const parsed = videoStatusSchema.safeParse(answer.json);
  const warnings = warningsOf(answer.json);
  if (!parsed.success) {
    const unknownStatus = unknownVideoStatus(answer.json);
    return unknownStatus === undefined
      ? badAnswer('the status answer is not what its schema says', identity)
      : { outcome: 'pending', warnings, unknownStatus: cleanDetail(unknownStatus, client.secrets) };
  }
  switch (parsed.data.status) {
    case 'pending':
      return { outcome: 'pending', warnings };
    case 'cancelled': {
      const detail = 'cancelled at the provider';
      return { outcome: 'job-failed', reason: 'cancelled', detail, ...debitedFor(charge) };
    }
    case 'error': {
      const detail = cleanDetail(parsed.data.error, client.secrets);
      const reason = isOfContent(detail) ? 'content-refused' : 'provider-error';
      return { outcome: 'job-failed', reason, detail, ...debitedFor(charge) };
    }
    case 'completed': {
      const [video] = parsed.data.videos;
      const bytes = inlineBytes(video, answer.files);
      const mediaType = video?.mediaType ?? 'video/mp4';
      const used = seedanceUsageSchema.safeParse(answer.json);
      const rest = {
        ...charge,
        ...(used.success
          ? { usage: { outputTokens: used.data.providerMetadata.bytedance.usage.completion_tokens } }
          : {}),
        ...droppedSettings(warnings),
      };
      if (bytes) return { outcome: 'completed', file: { kind: 'bytes', bytes, mediaType }, ...rest };
      if (video?.type === 'url' && !isInline(video.url, answer.files))
        return { outcome: 'completed', file: { kind: 'url', url: video.url, mediaType }, ...rest };
      return {
        outcome: 'job-failed',
        reason: 'no-file',
        detail: 'completed without a file',
        paid: true,
        ...charge,
      };
    }
  }
}

/** The price, where the answer reports one, of a job that ended without a file. */
function debitedFor({ costMicros = 0n, ...identity }: GatewayCharge): GatewayCharge & { paid?: true } {
  return costMicros > 0n ? { paid: true, costMicros, ...identity } : identity;
}

/** The bytes of a video that came inside the answer, as base64 or as a `data:` address. */
function inlineBytes(video: VideoFile | undefined, files: AnswerFiles): Uint8Array | undefined {
  if (video?.type === 'base64') return fileOf(video.data, files);
  return video?.type === 'url' && isInline(video.url, files) ? fileOf(video.url, files) : undefined;
}

const isInline = (url: string, files: AnswerFiles) => files.has(url) || url.startsWith('data:');
