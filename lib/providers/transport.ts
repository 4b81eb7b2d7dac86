import { storable } from '#lib/core/input/storable-text.ts';
import { readCapped, TooManyBytes } from '#lib/core/net/read-capped.ts';
import { type AnswerFiles, readJsonFiles } from '#lib/core/net/read-json-files.ts';
import { pause } from '#lib/core/resource-limits/pause.ts';
import { utf8Json } from '#lib/core/text/utf8.ts';
import { networkFailure } from './network-failure.ts';
import type { CallOptions, GatewayCharge, ProviderFailure, TokenUsage } from './ports.ts';
import { type AttemptFailure, statusFailure } from './transport-status.ts';

/**
 * The one place that sends a request to a provider, and the one retry policy:
 * - what surely was not sent (no connection; 429, 503 with `Retry-After`: « not accepted ») may be sent again within the budget;
 * - what may have been done, and what the answer names a generation of, is never repeated, unless the request is `repeatable`: a
 *   read, or a start under an idempotency key that the provider honours. Those are JSON: a 2xx that is none is asked for again too.
 */
export type ProviderFetch = (url: string, init: RequestInit, facts?: CallFacts) => Promise<Response>;

/** Facts that only the recorded transport reads: the request itself is the same in both modes. */
export type CallFacts = {
  /** Price by the models table, for recorded answers that report a cost. */
  formulaMicros?: (usage?: TokenUsage) => bigint;
  /** Tokens that the provider would report as used. */
  outputTokens?: () => number | undefined;
  /** Expected duration of the file made. */
  outputMs?: number;
  aspectRatio?: string;
  audio?: boolean;
  /** The second model of a case: the first did not take the request. */
  isFallback?: boolean;
};

export type ProviderRequest = {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sending it twice cannot make a second job. */
  repeatable: boolean;
  facts?: CallFacts;
  /** Largest answer accepted, in bytes. */
  maxBytes?: number;
  /** Its JSON may hold whole files as base64: they are decoded as they arrive, and returned apart from it. */
  filesApart?: boolean;
  /** Time limit for the body of a 2xx answer once it has begun, whatever is left of the budget. */
  bodyMs?: number;
};

export type Wiring = {
  fetch: ProviderFetch;
  /** Milliseconds, for elapsed times; real time unless a test says otherwise. */
  monotonicMs?: () => number;
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Values that must never appear in a failure. */
  secrets: readonly string[];
};

export type ProviderAnswer = {
  outcome: 'answered';
  status: number;
  headers: Headers;
  bytes: Uint8Array;
  files: AnswerFiles;
} & Pick<ProviderFailure, 'begunJobId'>;

const MAX_ATTEMPTS = 3;
const FIRST_PAUSE_MS = 300;
/** A start under an idempotency key takes seconds to be served: retried at once, it would be given up while its job begins. */
const CONFLICT_PAUSE_MS = 5_000;
const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;
const MAX_DETAIL = 500;

/** Sends one request under its budget. A 2xx answer comes back whole; anything else is a typed failure. */
export async function send(
  wiring: Wiring,
  request: ProviderRequest,
  budgetMs: number,
  options: CallOptions = {},
): Promise<ProviderAnswer | ProviderFailure> {
  const now = wiring.monotonicMs ?? (() => performance.now());
  const startedMs = now();
  const deadline = new AbortController();
  const endIn = (ms: number) => setTimeout(() => deadline.abort(), ms);
  let timer = endIn(options.timeoutMs ?? budgetMs);
  const endAnew = (ms: number) => {
    clearTimeout(timer);
    timer = endIn(ms);
  };
  const signal = options.signal ? AbortSignal.any([options.signal, deadline.signal]) : deadline.signal;
  const finish = (failure: AttemptFailure, attempts: number): ProviderFailure => ({
    outcome: 'failed',
    ...failure,
    detail: cleanDetail(failure.detail, wiring.secrets),
    attempts,
    elapsedMs: Math.round(now() - startedMs),
  });
  try {
    let doubt: AttemptFailure | undefined;
    for (let attempt = 1; ; attempt++) {
      const result = await attemptOnce(
        wiring.fetch,
        request,
        signal,
        options.signal,
        deadline.signal,
        endAnew,
      );
      if ('bytes' in result) return doubt?.begunJobId ? { ...result, begunJobId: doubt.begunJobId } : result;
      const firstMs = result.status === 409 ? CONFLICT_PAUSE_MS : FIRST_PAUSE_MS;
      const pauseMs = result.retryAfterMs ?? firstMs * 2 ** (attempt - 1);
      const remainingMs = (options.timeoutMs ?? budgetMs) - (now() - startedMs);
      if (attempt >= MAX_ATTEMPTS || !mayRepeat(result, request) || pauseMs >= remainingMs)
        return finish(inDoubt(result, doubt), attempt);
      // An answer cut within its own time limit leaves the next attempt the rest of the budget.
      if (request.bodyMs !== undefined) endAnew(remainingMs);
      if (result.retrySafe === 'unknown') doubt = inDoubt(result, doubt);
      await (wiring.sleep ?? pause)(pauseMs, signal);
      if (signal.aborted) return finish(inDoubt(result, doubt), attempt);
    }
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The last failure, with what earlier attempts established: work possibly begun, a paid answer or a named generation is never undone by a
 * later failure.
 */
function inDoubt(last: AttemptFailure, before: AttemptFailure | undefined): AttemptFailure {
  if (!before) return last;
  const { gatewayGenerationId: named, begunJobId, paid } = before;
  return {
    ...(begunJobId === undefined ? {} : { begunJobId }),
    ...(named === undefined ? {} : { gatewayGenerationId: named }),
    ...(paid ? { paid } : {}),
    ...last,
    retrySafe: 'unknown',
  };
}

function mayRepeat(failure: AttemptFailure, request: ProviderRequest): boolean {
  // Our own time is over; a status says that somebody's before the service was, and leaves ours.
  const isOurTime = failure.reason === 'timeout' && failure.status === undefined;
  if (failure.reason === 'aborted' || isOurTime) return false;
  // Whatever the status, a named generation was begun and may be billed.
  if (failure.gatewayGenerationId !== undefined && !request.repeatable) return false;
  if (failure.reason === 'unreachable' || failure.reason === 'rate-limited')
    return failure.retrySafe === 'surely-not-sent';
  // Done, by its status, and unreadable: a larger answer than is read would be as large again.
  const isUnreadable = failure.reason === 'bad-answer' && failure.paid === true && !failure.tooLarge;
  const transient = isUnreadable || ['connection-lost', 'provider-error', 'timeout'].includes(failure.reason);
  return transient && (failure.retrySafe === 'surely-not-sent' || request.repeatable);
}

async function attemptOnce(
  fetch: ProviderFetch,
  request: ProviderRequest,
  signal: AbortSignal,
  callerSignal: AbortSignal | undefined,
  deadline: AbortSignal,
  endAnew: (ms: number) => void,
): Promise<ProviderAnswer | AttemptFailure> {
  let begun = false;
  let isDone = false;
  try {
    if (signal.aborted) return interrupted(callerSignal, deadline, false);
    begun = true;
    const response = await fetch(
      request.url,
      {
        method: request.method,
        headers: {
          ...request.headers,
          ...(request.json === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(request.json === undefined ? {} : { body: JSON.stringify(request.json) }),
        // Following a redirect would send the key to another address.
        redirect: 'manual',
        signal,
      },
      request.facts,
    );
    if (response.ok && request.bodyMs !== undefined) endAnew(request.bodyMs);
    isDone = response.ok;
    const read = await readAnswer(response.body, request).catch(tooMany);
    if (read === 'too-many')
      return {
        reason: 'bad-answer',
        retrySafe: 'unknown',
        status: response.status,
        detail: 'answer too large',
        ...(response.ok ? { paid: true, tooLarge: true } : {}),
      };
    const { status, headers } = response;
    if (!response.ok) return statusFailure(status, headers, read.bytes);
    // A proxy's page, or an answer that ends too early: what the service did under this key is told to who asks again.
    if (request.repeatable && jsonOf(read.bytes) === undefined)
      return {
        reason: 'bad-answer',
        retrySafe: 'unknown',
        status,
        detail: 'the answer is not JSON',
        paid: true,
      };
    return { outcome: 'answered', status, headers, ...read };
  } catch (error) {
    const failure = signal.aborted ? interrupted(callerSignal, deadline, begun) : networkFailure(error);
    // A 2xx status means that the work was done: only its answer was lost.
    return isDone ? { ...failure, retrySafe: 'unknown', paid: true } : failure;
  }
}

const NO_FILES: AnswerFiles = new Map();

async function readAnswer(
  body: Response['body'],
  { maxBytes = DEFAULT_MAX_BYTES, filesApart }: ProviderRequest,
): Promise<Pick<ProviderAnswer, 'bytes' | 'files'>> {
  if (filesApart) return readJsonFiles(body, maxBytes);
  return { bytes: await readCapped(body, maxBytes), files: NO_FILES };
}

function tooMany(error: unknown): 'too-many' {
  if (error instanceof TooManyBytes) return 'too-many';
  throw error;
}

function interrupted(caller: AbortSignal | undefined, deadline: AbortSignal, begun: boolean): AttemptFailure {
  const reason = deadline.aborted && !caller?.aborted ? 'timeout' : 'aborted';
  return {
    reason,
    retrySafe: begun ? 'unknown' : 'surely-not-sent',
    detail: reason === 'timeout' ? 'no answer within the budget' : 'given up by the caller',
  };
}

/**
 * A provider's message, cleaned for storage: without our keys, queries of addresses (signed ones carry a secret) or unstorable characters, and
 * shortened.
 */
export function cleanDetail(detail: string, secrets: readonly string[]): string {
  // Each address is matched once, to its end: a pattern retried from every « http » of a long run would block for minutes.
  let text = detail.replace(/https?:\/\/[^\s"'<>]+/g, withoutQuery);
  for (const secret of secrets) if (secret.length >= 6) text = text.replaceAll(secret, '[secret]');
  return storable(text.slice(0, MAX_DETAIL));
}

function withoutQuery(address: string): string {
  const at = address.indexOf('?');
  return at < 0 ? address : `${address.slice(0, at)}?[query]`;
}

/** A failure that the adapter finds after a 2xx: an answer its schema does not allow. Its work counts as paid for. */
export function badAnswer(detail: string, charge: GatewayCharge = {}): ProviderFailure {
  return {
    outcome: 'failed',
    reason: 'bad-answer',
    retrySafe: 'unknown',
    detail,
    paid: true,
    attempts: 1,
    elapsedMs: 0,
    ...charge,
  };
}

/** A request that this side already knows the provider cannot take: nothing is sent. */
export function notSendable(detail: string): ProviderFailure {
  return {
    outcome: 'failed',
    reason: 'invalid-request',
    retrySafe: 'surely-not-sent',
    detail,
    attempts: 0,
    elapsedMs: 0,
  };
}

/** A live service without its key or repository: nothing is sent. */
export function notConfigured(what: string): ProviderFailure {
  return {
    outcome: 'failed',
    reason: 'not-configured',
    retrySafe: 'surely-not-sent',
    detail: `${what} is not set`,
    attempts: 0,
    elapsedMs: 0,
  };
}

/** The JSON of an answer, or undefined when it is none. */
export function jsonOf(bytes: Uint8Array): unknown {
  try {
    return utf8Json(bytes);
  } catch {
    return undefined;
  }
}
