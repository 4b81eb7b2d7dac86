import { z } from 'zod';
import type { Clock } from '#lib/core/clock.ts';
import { isStorable } from '#lib/core/input/storable-text.ts';
import type { Micros } from '#lib/core/money.ts';
import type { Budgets } from '../budgets.ts';
import { costOf } from '../gateway/client.ts';
import { modelFor } from '../models/catalogue.ts';
import { estimateMicros } from '../models/pricing.ts';
import type {
  CallOptions,
  JobStatus,
  LipsyncCompleted,
  LipsyncProvider,
  LipsyncStarted,
  LipsyncStartRequest,
  ProviderFailure,
  ProviderMode,
} from '../ports.ts';
import { traced } from '../trace.ts';
import { badAnswer, cleanDetail, jsonOf, notConfigured, send, type Wiring } from '../transport.ts';
import { jobFailure, refusalOf } from './refused-inputs.ts';
import { parseLipsyncWebhook } from './signature.ts';

const LIPSYNC_ORIGIN = 'https://api.sync.so';

type LipsyncClient = Wiring & {
  apiKey: string | undefined;
  /** Webhook secrets of its dashboard, several during a rotation; without one no callback is registered. */
  webhookSecrets: readonly string[];
};

/** Answer of sync.so (`Generation` of @sync.so/sdk 0.3), read leniently. */
const generationSchema = z.object({
  /** Stored on the row, hence bounded: a job whose identifier cannot be stored would be paid and lost. */
  id: z.string().min(1).max(500).refine(isStorable),
  /** PENDING, PROCESSING, COMPLETED, FAILED, REJECTED; another word is of a job that goes on. */
  status: z.string().min(1),
  outputUrl: z.string().nullish(),
  outputDuration: z.number().positive().nullish().catch(undefined),
  error: z.string().nullish().catch(undefined),
  error_code: z.string().nullish().catch(undefined),
  errorCode: z.string().nullish().catch(undefined),
});

/** Answer of `GET /v2/generate/{id}/costs`: sync.so/docs, Get Generation Costs (read 2026-11-27). */
const costsSchema = z.object({
  generationId: z.string(),
  currency: z.literal('USD'),
  /** `complete`, or some of it is pending, or unknown. */
  availability: z.literal('complete'),
  totalCostUsd: z.string().max(40),
});

const operationSchema = z.object({ id: z.string().min(1) });

/**
 * Lipsync through sync.so. Its callbacks are signed with a secret set in its dashboard: one is registered when we have it; else reads and
 * the sweep close the row. A start is repeated under its idempotency key alone.
 */
export function createLipsyncProvider(
  client: LipsyncClient,
  budgets: Budgets,
  mode: ProviderMode,
  clock: Clock,
): LipsyncProvider {
  return {
    start(request, options = {}) {
      const { modelId } = modelFor(request.case);
      return traced({ mode, capability: 'lipsync.start', model: modelId }, () =>
        start(client, budgets.videoStart, modelId, request, options),
      );
    },
    status: (request, options = {}) =>
      traced({ mode, capability: 'lipsync.status' }, () =>
        status(client, budgets, request.operation, options),
      ),
    parseWebhook: (input) => parseLipsyncWebhook({ ...input, secrets: client.webhookSecrets }, clock.now()),
  };
}

async function start(
  client: LipsyncClient,
  budgetMs: number,
  modelId: string,
  request: LipsyncStartRequest,
  options: CallOptions,
): Promise<LipsyncStarted | ProviderFailure> {
  if (!client.apiKey) return notConfigured('LIPSYNC_API_KEY');
  const webhookUrl = client.webhookSecrets.length > 0 ? request.callbackUrl : undefined;
  const isImage = modelFor(request.case).references?.character !== undefined;
  const answer = await send(
    client,
    {
      method: 'POST',
      url: `${LIPSYNC_ORIGIN}/v2/generate`,
      headers: {
        'x-api-key': client.apiKey,
        ...(options.idempotencyKey ? { 'idempotency-key': options.idempotencyKey } : {}),
      },
      json: {
        model: modelId,
        input: [
          { type: isImage ? 'image' : 'video', url: request.visual.url },
          { type: 'audio', url: request.audio.url },
        ],
        // A clip shorter than the voice is played back and forth; a longer one is cut at the voice's end.
        ...(isImage ? {} : { options: { sync_mode: 'bounce' } }),
        ...(webhookUrl ? { webhookUrl } : {}),
      },
      // Under one key a second start is the first one's job: sync.so/docs, api-reference.
      repeatable: options.idempotencyKey !== undefined,
      facts: {
        outputMs: request.audioMs,
        formulaMicros: () => estimateMicros(request.case, { outputMs: request.audioMs }),
      },
    },
    budgetMs,
    options,
  );
  const started = (id: string): LipsyncStarted => ({
    outcome: 'started',
    operation: { id },
    modelId,
    jobId: id,
    webhook: webhookUrl !== undefined,
  });
  const { begunJobId } = answer;
  const parsed = answer.outcome === 'failed' ? null : generationSchema.safeParse(jsonOf(answer.bytes));
  if (parsed?.success) return started(parsed.data.id);
  // Once named, the job exists and is billed, whatever the answers to repeated starts.
  if (begunJobId !== undefined) return started(begunJobId);
  return answer.outcome === 'failed'
    ? toldAsItIs(answer)
    : badAnswer('the lipsync start answer holds no job');
}

/**
 * A refusal by the service's own code, more precise than its status: « 402 » also means a film too long for the plan, « 400 » a voice that
 * cannot be opened. A job that it names is not the gateway's: no cost is looked up for it.
 */
function toldAsItIs({ gatewayGenerationId: _named, ...failure }: ProviderFailure): ProviderFailure {
  if (failure.retrySafe !== 'refused' || failure.reason === 'content-refused') return failure;
  const [, code] = failure.detail.split(' · ');
  const reason = refusalOf(code);
  return reason ? { ...failure, reason } : failure;
}

async function status(
  client: LipsyncClient,
  budgets: Budgets,
  operation: unknown,
  options: CallOptions,
): Promise<JobStatus<LipsyncCompleted>> {
  if (!client.apiKey) return notConfigured('LIPSYNC_API_KEY');
  const job = operationSchema.safeParse(operation);
  if (!job.success) return badAnswer('the kept operation holds no job');
  const answer = await send(
    client,
    {
      method: 'GET',
      url: `${LIPSYNC_ORIGIN}/v2/generate/${encodeURIComponent(job.data.id)}`,
      headers: { 'x-api-key': client.apiKey },
      repeatable: true,
    },
    budgets.videoStatus,
    options,
  );
  if (answer.outcome === 'failed') return answer;
  const parsed = generationSchema.safeParse(jsonOf(answer.bytes));
  if (!parsed.success || parsed.data.id !== job.data.id)
    return badAnswer('the lipsync status answer is not what its schema says');
  const { status: said, outputUrl, outputDuration, error } = parsed.data;
  const code = parsed.data.errorCode ?? parsed.data.error_code;
  if (said === 'PENDING' || said === 'PROCESSING') return { outcome: 'pending', warnings: [] };
  if (said !== 'COMPLETED' && said !== 'FAILED' && said !== 'REJECTED')
    return { outcome: 'pending', warnings: [], unknownStatus: cleanDetail(said, client.secrets) };
  if (said !== 'COMPLETED') {
    const words = [code, error].filter(Boolean).join(' · ') || said;
    const reason = jobFailure({ isRejected: said === 'REJECTED', code, words });
    return { outcome: 'job-failed', reason, detail: cleanDetail(words, client.secrets) };
  }
  const costMicros = await costOfJob(client, client.apiKey, job.data.id, budgets.cost, options);
  const cost = costMicros === undefined ? {} : { costMicros };
  if (!outputUrl)
    return {
      outcome: 'job-failed',
      reason: 'no-file',
      detail: 'completed without a file',
      paid: true,
      ...cost,
    };
  return {
    outcome: 'completed',
    file: { kind: 'url', url: outputUrl, mediaType: 'video/mp4' },
    ...(outputDuration ? { usage: { outputMs: Math.round(outputDuration * 1_000) } } : {}),
    ...cost,
  };
}

/** What the service recorded of a job that has ended; undefined where it does not say all of it: the film is there all the same. */
async function costOfJob(
  client: LipsyncClient,
  apiKey: string,
  id: string,
  budgetMs: number,
  options: CallOptions,
): Promise<Micros | undefined> {
  const answer = await send(
    client,
    {
      method: 'GET',
      url: `${LIPSYNC_ORIGIN}/v2/generate/${encodeURIComponent(id)}/costs`,
      headers: { 'x-api-key': apiKey },
      repeatable: true,
      maxBytes: 1024 * 1024,
    },
    budgetMs,
    options,
  );
  if (answer.outcome === 'failed') return undefined;
  const parsed = costsSchema.safeParse(jsonOf(answer.bytes));
  return parsed.success && parsed.data.generationId === id ? costOf(parsed.data.totalCostUsd) : undefined;
}
