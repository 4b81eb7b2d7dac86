import { storable } from '#lib/core/input/storable-text.ts';
import { type Micros, microsFromUsd } from '#lib/core/money.ts';
import type { AnswerFiles } from '#lib/core/net/read-json-files.ts';
import type { CallOptions, GatewayCharge, ProviderFailure, ProviderWarning } from '../ports.ts';
import {
  badAnswer,
  type CallFacts,
  jsonOf,
  notConfigured,
  type ProviderRequest,
  send,
  type Wiring,
} from '../transport.ts';
import { type GatewayRoute, gatewayMetadataSchema, warningSchema } from './schemas.ts';

export const GATEWAY_ORIGIN = 'https://ai-gateway.vercel.sh';
const MODEL_BASE = `${GATEWAY_ORIGIN}/v4/ai`;

/** The operator's routing options for every gateway request. */
export type GatewayRouting = {
  /** Only providers that retain no data; without one the gateway refuses. */
  zeroDataRetention?: boolean;
  /** Where the provider runs; without it there the gateway refuses. */
  inferenceRegion?: string;
};

export type GatewayClient = Wiring & { apiKey: string | undefined; routing?: GatewayRouting };

/** An account identifier: the only thing sent about the caller. */
const ACCOUNT = /^acc_[0-9a-z]{26}$/;

/** The gateway's own options of a paid request: who spends, on which case, and the operator's routing. */
export function gatewayOptions(
  { routing = {} }: GatewayClient,
  caseName: string,
  { accountId }: CallOptions,
): { gateway: Record<string, unknown> } {
  return {
    gateway: {
      ...(accountId && ACCOUNT.test(accountId) ? { user: accountId } : {}),
      tags: [`case:${caseName}`],
      ...(routing.zeroDataRetention ? { zeroDataRetention: true } : {}),
      ...(routing.inferenceRegion ? { inferenceRegion: routing.inferenceRegion } : {}),
    },
  };
}

/** Headers that select the model, by kind; the wire protocol of @ai-sdk/gateway 4.0.146. */
const MODEL_HEADERS = {
  'image-model': (modelId: string) => ({
    'ai-image-model-specification-version': '4',
    'ai-model-id': modelId,
  }),
  'language-model': (modelId: string) => ({
    'ai-language-model-specification-version': '4',
    'ai-language-model-id': modelId,
    'ai-language-model-streaming': 'false',
  }),
  'video-model': (modelId: string) => ({
    'ai-video-model-specification-version': '4',
    'ai-model-id': modelId,
  }),
};

type ModelCall = {
  kind: keyof typeof MODEL_HEADERS;
  path?: 'start' | 'status';
  modelId: string;
  json: unknown;
  repeatable?: boolean;
  headers?: Record<string, string>;
  facts?: CallFacts;
  maxBytes?: number;
  filesApart?: boolean;
  bodyMs?: number;
};

/**
 * Posts to a model route and parses the JSON. Written on the wire rather than through the SDK's models, whose schemas
 * would throw a paid answer away for one unknown warning; a test proves our requests equal the SDK's own.
 */
export async function callModel(
  client: GatewayClient,
  call: ModelCall,
  budgetMs: number,
  options: CallOptions,
): Promise<{ outcome: 'answered'; json: unknown; files: AnswerFiles } | ProviderFailure> {
  if (!client.apiKey) return notConfigured('AI_GATEWAY_API_KEY');
  const request: ProviderRequest = {
    method: 'POST',
    url: `${MODEL_BASE}/${call.kind}${call.path ? `/${call.path}` : ''}`,
    headers: {
      ...gatewayHeaders(client.apiKey),
      ...MODEL_HEADERS[call.kind](call.modelId),
      ...call.headers,
    },
    json: call.json,
    repeatable: call.repeatable ?? false,
    ...(call.facts ? { facts: call.facts } : {}),
    ...(call.maxBytes ? { maxBytes: call.maxBytes } : {}),
    ...(call.filesApart ? { filesApart: true } : {}),
    ...(call.bodyMs ? { bodyMs: call.bodyMs } : {}),
  };
  const answer = await send(client, request, budgetMs, options);
  if (answer.outcome === 'failed') return answer;
  const json = jsonOf(answer.bytes);
  if (json === undefined) return badAnswer('the gateway’s answer is not JSON');
  return { outcome: 'answered', json, files: answer.files };
}

/** Authentication of every gateway request. */
export function gatewayHeaders(apiKey: string): Record<string, string> {
  return {
    authorization: `Bearer ${apiKey}`,
    'ai-gateway-protocol-version': '0.0.1',
    'ai-gateway-auth-method': 'api-key',
  };
}

/**
 * The gateway's generation id and cost, whatever else the metadata holds. The cost is what the gateway debited; where the operator's own
 * provider key served the request, it is not the whole price and is left out.
 */
export function chargeOf(answer: unknown): GatewayCharge {
  const metadata = gatewayMetadataSchema.safeParse(answer);
  const gateway = metadata.success ? metadata.data.providerMetadata?.gateway : undefined;
  const told = gateway && !isOwnKey(gateway.routing) ? gateway.cost : undefined;
  const costMicros = told === undefined ? undefined : costOf(told);
  return {
    ...(gateway?.generationId ? { gatewayGenerationId: gateway.generationId } : {}),
    ...(costMicros === undefined ? {} : { costMicros }),
  };
}

/** Whether the attempt that served a request was made with a key of the operator's own. */
function isOwnKey({ attempts = [], modelAttempts = [] }: GatewayRoute = {}): boolean {
  const all = [...attempts, ...modelAttempts.flatMap(({ providerAttempts = [] }) => providerAttempts)];
  return all.some(({ success, credentialType }) => success === true && credentialType === 'byok');
}

/** A cost that comes as a decimal text or number; undefined when unreadable or negative. */
export function costOf(cost: string | number): Micros | undefined {
  try {
    const micros = microsFromUsd(cost);
    return micros < 0n ? undefined : micros;
  } catch {
    return undefined;
  }
}

/** Bounds on what a row keeps of a provider's warnings: no real answer has so many, or such long ones. */
const MAX_WARNINGS = 50;
const MAX_WARNING = 500;

/**
 * The warnings of an answer, shortened and cleaned for storage: a paid start must not be lost because its row cannot be written. An unreadable
 * one is kept as `other`.
 */
export function warningsOf(answer: unknown): ProviderWarning[] {
  const list =
    typeof answer === 'object' && answer !== null && 'warnings' in answer && Array.isArray(answer.warnings)
      ? answer.warnings
      : [];
  return list.slice(0, MAX_WARNINGS).map((each) => {
    const parsed = warningSchema.safeParse(each);
    if (!parsed.success) return { type: 'other' };
    const { type, feature, setting, details, message } = parsed.data;
    const subject = words(feature ?? setting);
    const text = words(details ?? message);
    return {
      type: words(type),
      ...(subject ? { feature: subject } : {}),
      ...(text ? { details: text } : {}),
    };
  });
}

const words = (text = '') => storable(text.slice(0, MAX_WARNING));
