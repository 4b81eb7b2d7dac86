import { storable } from '#lib/core/input/storable-text.ts';
import type { FailureReason, RetrySafety } from './ports.ts';

/** Why one attempt failed, before the retry policy decides. */
export type AttemptFailure = {
  reason: FailureReason;
  retrySafe: RetrySafety;
  detail: string;
  status?: number;
  retryAfterMs?: number;
  gatewayGenerationId?: string;
  begunJobId?: string;
  paid?: boolean;
  tooLarge?: boolean;
};

/** A provider's error body, in any of the shapes of the services we call. */
type ErrorBody = {
  message: string;
  /** The first code that it names. */
  code: string;
  /** All its codes and its message, which classify it. */
  said: string;
  /** Of the gateway's type: refused by a rule of the team that owns the key, named where it says which. */
  deniedBy?: string;
  gatewayGenerationId?: string;
};

/** Longest identifier of a provider that is accepted. */
const MAX_IDENTIFIER = 200;

/** Of a start that sync.so may have begun under its key, and that is to be read by the name given: sync.so/docs/developer-guides/error-handling. */
const OUTCOME_UNKNOWN = 'IDEMPOTENCY_OUTCOME_UNKNOWN';
const OUT_OF_CREDIT = /quota_exceeded|insufficient[ _](funds|credits?|quota)/i;

/**
 * Words by which a service, or a maker behind the gateway, refuses what was asked or what came of it. Beside the usual ones: « moderated »
 * (Black Forest Labs), « sensitive content » (ByteDance, also in one word), « risk control » (Kling), « usage guidelines » (Veo); as recalled.
 */
const OF_CONTENT = new RegExp(
  [
    'moderat(?:ed|ion)',
    'safety',
    'content[ _-]?(?:policy|filter|security)',
    'prohibited',
    'responsible ai',
    'sensitive[ _-]?(?:content|information)',
    'risk[ _-]?control',
    'usage guidelines',
  ].join('|'),
  'i',
);

/** Whether these words are a content refusal, rather than a fault. */
export function isOfContent(words: string): boolean {
  return OF_CONTENT.test(words);
}

/** Turns an HTTP status that is not 2xx into a failure: its reason, and whether the work can have been begun. */
export function statusFailure(status: number, headers: Headers, bytes: Uint8Array): AttemptFailure {
  const body = readErrorBody(bytes);
  const waitMs = retryAfterMs(headers.get('retry-after'));
  const base = {
    status,
    detail: [`HTTP ${status}`, body.code, body.message, body.deniedBy ?? '']
      .filter((part) => part !== '')
      .join(' · '),
    ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
    ...(body.gatewayGenerationId ? { gatewayGenerationId: body.gatewayGenerationId } : {}),
    ...(body.gatewayGenerationId && body.said.includes(OUTCOME_UNKNOWN)
      ? { begunJobId: body.gatewayGenerationId }
      : {}),
  };
  if (status === 429 && OUT_OF_CREDIT.test(body.said))
    return { ...base, reason: 'quota-exhausted', retrySafe: 'refused' };
  if (status === 429) return { ...base, reason: 'rate-limited', retrySafe: 'surely-not-sent' };
  if (status === 503 && waitMs !== undefined)
    return { ...base, reason: 'provider-error', retrySafe: 'surely-not-sent' };
  if (status === 408 || status === 504 || status === 524)
    return { ...base, reason: 'timeout', retrySafe: 'unknown' };
  // Under an idempotency key, a conflict says that the first request is still being served.
  if (status === 409) return { ...base, reason: 'provider-error', retrySafe: 'unknown' };
  if (status >= 500) return { ...base, reason: 'provider-error', retrySafe: 'unknown' };
  if (status >= 400) return { ...base, reason: refusalReason(status, body, headers), retrySafe: 'refused' };
  return { ...base, reason: 'bad-answer', retrySafe: 'unknown' };
}

function refusalReason(status: number, body: ErrorBody, headers: Headers): FailureReason {
  const said = body.said.toLowerCase();
  if (/missing_permissions/.test(said)) return 'missing-permission';
  if (status === 402 || OUT_OF_CREDIT.test(said)) return 'quota-exhausted';
  if (isOfContent(said)) return 'content-refused';
  if (status === 401) return 'unauthorized';
  if (status === 403 && body.deniedBy !== undefined) return 'denied-by-rule';
  if (status === 403) return isRateLimit(said, headers) ? 'rate-limited' : 'unauthorized';
  if (status === 404 || status === 410 || /voice_not_found/.test(said)) return 'not-found';
  return 'invalid-request';
}

/**
 * GitHub answers 403 for a wrong token and for both of its rate limits; the secondary one leaves requests in the quota, and is recognised by a
 * wait or by its name.
 */
function isRateLimit(said: string, headers: Headers): boolean {
  const remaining = headers.get('x-ratelimit-remaining');
  return remaining === '0' || headers.get('retry-after') !== null || said.includes('rate limit');
}

/** By which the gateway refuses for a rule, and not for its key (`GatewayForbiddenError`, @ai-sdk/gateway 4.0.146); a wrong key is `authentication_error`. */
const DENIED = 'forbidden';

/**
 * `{error:{message,type,code,param}}` (gateway), `{detail:{status,message}}` or `{detail:[{msg}]}` (ElevenLabs), `{message}` (GitHub),
 * `{message,error,errorCode}` (sync), whose message may be a list of sentences.
 */
function readErrorBody(bytes: Uint8Array): ErrorBody {
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return { message: '', code: '', said: '' };
  }
  const top = record(parsed);
  const error = record(top.error);
  const detail = record(top.detail);
  const problem = record(Array.isArray(top.detail) ? top.detail[0] : undefined);
  const codes = [error.type, error.code, detail.status, detail.code, top.errorCode, top.error_code, top.code];
  const message = text(error.message, detail.message, top.message, top.error, top.detail, problem.msg);
  return {
    message,
    code: text(...codes),
    ...(error.type === DENIED ? { deniedBy: ruleOf(record(error.param).ruleId) } : {}),
    said: [...codes.filter((code) => typeof code === 'string'), message].join(' '),
    ...(typeof top.generationId === 'string'
      ? { gatewayGenerationId: storable(top.generationId.slice(0, MAX_IDENTIFIER)) }
      : {}),
  };
}

const ruleOf = (id: unknown) =>
  typeof id === 'string' && id !== '' ? `rule ${storable(id.slice(0, MAX_IDENTIFIER))}` : '';

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function text(...candidates: unknown[]): string {
  return candidates.map(sentences).find((each) => each !== '') ?? '';
}

function sentences(value: unknown): string {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((each) => typeof each === 'string').join(', ');
}

/** A date of HTTP begins with its day. */
const HTTP_DATE = /^(?:mon|tue|wed|thu|fri|sat|sun)/i;

/** `Retry-After` in milliseconds (seconds or a date in the future), undefined when absent or unreadable. */
export function retryAfterMs(header: string | null, nowMs: number = Date.now()): number | undefined {
  if (header === null) return undefined;
  const said = header.trim();
  if (/^\d{1,9}(?:\.\d+)?$/.test(said)) return Math.ceil(Number(said) * 1_000);
  // Of « -1 » or « 1/2 » the parser makes a day long past, which would be no wait at all.
  const at = HTTP_DATE.test(said) ? Date.parse(said) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}
