import { OPERATIONS, type OperationId } from '../generated/operations.ts';
import { AtelierConnectionError, AtelierError, errorOf } from './errors.ts';
import { EtagCache } from './etag-cache.ts';

export type ClientOptions = {
  /** Where the service is, e.g. `https://atelier.example`. */
  baseUrl: string;
  /** A developer key or an OAuth access token; a function is asked before every request. */
  apiKey?: string | (() => string | Promise<string>) | undefined;
  /**
   * `name=value` of a member's session, for what a key cannot open; where both are given and both would do, it is used. A browser sends its
   * own cookie, which no script sees and the service passes over beside a key: leave `apiKey` out to act as the member who is signed in there.
   */
  sessionCookie?: string | undefined;
  /** Attempts after the first, where the server allows another one. 3 unless told. */
  retries?: number;
  /** Longest pause before another attempt; a server that asks for more is not asked again. One minute unless told. */
  maxRetryWaitMs?: number;
  /** How long one attempt may take. 60 s unless told, 310 s for what makes a file. */
  timeoutMs?: number;
  /** Answers kept to be asked for conditionally (ETag). 50 unless told; 0 keeps none. */
  cacheEntries?: number;
  /** The `fetch` to use; the runtime's own unless told. */
  fetch?: typeof globalThis.fetch;
  /** Pause between attempts; replaced by tests. */
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
};

export type CallOptions = {
  signal?: AbortSignal;
  timeoutMs?: number;
  /** Called with every answer, such as to read `Request-Id`, `RateLimit` or `Idempotent-Replayed`. */
  onResponse?: (response: Response) => void;
};

type CallInput = {
  path?: Record<string, string>;
  query?: Record<string, string | number | boolean | readonly string[] | null | undefined>;
  /** Sent as JSON, or as it is when it is bytes. */
  body?: unknown;
  contentType?: string;
  /** Repeats of a call under one key have one effect; made anew for each call when absent. */
  idempotencyKey?: string;
  range?: string;
};

/** An answer; `text` is null when its body is left to be streamed. */
type Answered = { response: Response; text: string | null };

const FIRST_PAUSE_MS = 250;
const MAKES_A_FILE_MS = 310_000;

/** Sends operations of the documents: authentication, idempotency keys, conditional reads, attempts. */
export class Transport {
  readonly #options: ClientOptions;
  readonly #cache: EtagCache;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#cache = new EtagCache(options.cacheEntries ?? 50);
  }

  /** The answer's JSON. Errors: `AtelierError` for a refusal, `AtelierConnectionError` when nothing was answered. */
  async json<T>(id: OperationId, input: CallInput = {}, options: CallOptions = {}): Promise<T> {
    const url = this.#address(id, input);
    const kept = OPERATIONS[id].isConditional ? this.#cache.get(url) : undefined;
    const { response, text } = await this.#send(id, url, input, options, kept?.etag);
    if (response.status === 304 && kept) return JSON.parse(kept.text) as T;
    const answer = parsed<T>(response, text ?? '');
    const etag = response.headers.get('etag');
    if (OPERATIONS[id].isConditional && etag) this.#cache.set(url, etag, text ?? '');
    return answer;
  }

  /** The answer itself, its body unread: files are streamed. Errors: as for `json`. */
  async bytes(id: OperationId, input: CallInput = {}, options: CallOptions = {}): Promise<Response> {
    return (await this.#send(id, this.#address(id, input), input, options)).response;
  }

  /** Forgets the answers that were kept, e.g. after signing in as somebody else. */
  clearCache(): void {
    this.#cache.clear();
  }

  pause(ms: number, signal?: AbortSignal): Promise<void> {
    return (this.#options.sleep ?? sleep)(ms, signal);
  }

  #address(id: OperationId, { path = {}, query = {} }: CallInput): string {
    const filled = OPERATIONS[id].path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = path[name];
      if (!value) throw new TypeError(`${id} needs « ${name} ».`);
      // A file's path keeps its slashes; every other value is one segment.
      const segments = name === 'pathname' ? value.split('/') : [value];
      // No encoding keeps these two in an address: another operation would be asked, under the same key.
      if (segments.includes('.') || segments.includes('..'))
        throw new TypeError(`« ${value} » is no « ${name} » of ${id}.`);
      return segments.map(encodeURIComponent).join('/');
    });
    const url = new URL(this.#options.baseUrl.replace(/\/+$/, '') + filled);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined && value !== null)
        url.searchParams.set(name, Array.isArray(value) ? value.join(',') : String(value));
    return url.href;
  }

  async #send(
    id: OperationId,
    url: string,
    input: CallInput,
    options: CallOptions,
    etag?: string,
  ): Promise<Answered> {
    const { method, takesIdempotencyKey } = OPERATIONS[id];
    const key = takesIdempotencyKey ? (input.idempotencyKey ?? crypto.randomUUID()) : undefined;
    const mayRepeat = method === 'GET' || key !== undefined;
    const retries = mayRepeat ? (this.#options.retries ?? 3) : 0;
    for (let attempt = 0; ; attempt += 1) {
      const isLast = attempt >= retries;
      const answered = await this.#attempt(id, url, await this.#request(id, input, key, etag), options);
      if (!(answered instanceof AtelierConnectionError)) {
        const { response, text } = answered;
        options.onResponse?.(response);
        if (response.ok || response.status === 304) return answered;
        const error = new AtelierError(response, errorOf(text ?? ''));
        const pauseMs = isLast ? undefined : this.#pauseBefore(attempt, error);
        if (pauseMs === undefined) throw error;
        await this.pause(pauseMs, options.signal);
      } else {
        if (isLast) throw answered;
        await this.pause(backoffMs(attempt), options.signal);
      }
    }
  }

  async #request(id: OperationId, input: CallInput, key?: string, etag?: string): Promise<RequestInit> {
    const { apiKey, sessionCookie } = this.#options;
    const headers = new Headers({ accept: OPERATIONS[id].answers });
    const { credential } = OPERATIONS[id];
    // An empty one, as a variable that is set to nothing, is none.
    const bySession = credential === 'session' || (credential === 'either' && Boolean(sessionCookie));
    const token = typeof apiKey === 'function' ? await apiKey() : apiKey;
    if (token && !bySession) headers.set('authorization', `Bearer ${token}`);
    if (sessionCookie && bySession) headers.set('cookie', sessionCookie);
    if (key) headers.set('idempotency-key', key);
    if (etag) headers.set('if-none-match', etag);
    if (input.range) headers.set('range', input.range);
    const { body } = input;
    if (body === undefined) return { method: OPERATIONS[id].method, headers };
    headers.set('content-type', input.contentType ?? 'application/json');
    return {
      method: OPERATIONS[id].method,
      headers,
      body: input.contentType ? (body as BodyInit) : JSON.stringify(body),
    };
  }

  /** An answer, or why there is none. Only the caller's own abort is thrown. A file's body has no time limit, JSON has. */
  async #attempt(
    id: OperationId,
    url: string,
    init: RequestInit,
    { signal, timeoutMs }: CallOptions,
  ): Promise<Answered | AtelierConnectionError> {
    const { makesFile, answers } = OPERATIONS[id];
    const limitMs = timeoutMs ?? this.#options.timeoutMs ?? (makesFile ? MAKES_A_FILE_MS : 60_000);
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), limitMs);
    try {
      signal?.throwIfAborted();
      const response = await (this.#options.fetch ?? fetch)(url, {
        ...init,
        signal: signal ? AbortSignal.any([signal, limit.signal]) : limit.signal,
        credentials: 'include',
        redirect: 'error',
      });
      const isStreamed = response.ok && answers !== 'application/json';
      return { response, text: isStreamed ? null : await response.text() };
    } catch (cause) {
      signal?.throwIfAborted();
      const why = limit.signal.aborted ? `no answer within ${limitMs} ms` : 'the connection failed';
      return new AtelierConnectionError(`${id}: ${why}.`, cause);
    } finally {
      clearTimeout(timer);
    }
  }

  /** How long to wait before another attempt; undefined when the answer is final. */
  #pauseBefore(attempt: number, error: AtelierError): number | undefined {
    const isOurs = error.code !== 'unreadable';
    // The server says by Retry-After that it may be asked again. A proxy's 502 to 504 says nothing: try.
    const mayRetry = error.retryAfterMs !== undefined || (!isOurs && [502, 503, 504].includes(error.status));
    if (!mayRetry) return undefined;
    const pauseMs = error.retryAfterMs ?? backoffMs(attempt);
    return pauseMs <= (this.#options.maxRetryWaitMs ?? 60_000) ? pauseMs : undefined;
  }
}

/** The JSON of an answer that succeeded; what is none is not the server's own, such as a proxy's page. */
function parsed<T>(response: Response, text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new AtelierError(response, null);
  }
}

const backoffMs = (attempt: number) => FIRST_PAUSE_MS * 2 ** attempt * (0.5 + Math.random());

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', stop, { once: true });
    function done() {
      signal?.removeEventListener('abort', stop);
      resolve();
    }
    function stop() {
      clearTimeout(timer);
      reject(signal?.reason);
    }
  });
}
