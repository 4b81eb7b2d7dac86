import { Agent, type Dispatcher } from 'undici';
import { FetchRefusal } from './fetch-refusal.ts';
import { checkedAddresses, pinnedConnector, translate } from './pinned.ts';
import { readBody } from './read-body.ts';
import type { Resolve } from './resolve-host.ts';
import { parseSafeUrl, type UrlPolicy } from './safe-url.ts';

export type SafeFetchOptions = {
  policy?: UrlPolicy;
  /** Largest body, in decoded bytes. Default 8 MiB. */
  maxBytes?: number;
  /** Time for everything: names, connections, redirects, body. Default 20 s. */
  timeoutMs?: number;
  /** Default 3. */
  maxRedirects?: number;
  /** Media types the caller can use, e.g. `image/png` or `text/*`; anything else is `unreadable`. */
  accept?: readonly string[];
  /** The caller's own stop; its reason is thrown as it is. */
  signal?: AbortSignal;
  resolve?: Resolve;
  /** Tests only: loopback addresses treated as public, and the authority that signed their certificates. */
  testTrust?: { addresses: readonly string[]; ca: string };
};

type SafeFetchResult = {
  bytes: Uint8Array;
  /** Lowercase, without parameters; empty when the site gave none. A claim of the site, to be checked by the bytes. */
  contentType: string;
  /** The `charset` parameter in lowercase, when given. */
  charset: string | undefined;
  finalUrl: string;
};

export type SafeFetch = (address: string, options?: SafeFetchOptions) => Promise<SafeFetchResult>;

const SAFE_FETCH_DEFAULTS = { maxBytes: 8 * 1024 * 1024, timeoutMs: 20_000, maxRedirects: 3 } as const;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Reads an address that a stranger gave: https only, allowed hosts only, public addresses only, connected to the very
 * addresses that were checked, each redirect checked anew, one clock over everything, decoded bytes counted as they come.
 * Sends no credential or cookie and uses no proxy. Throws `FetchRefusal`.
 */
export async function safeFetch(address: string, options: SafeFetchOptions = {}): Promise<SafeFetchResult> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), options.timeoutMs ?? SAFE_FETCH_DEFAULTS.timeoutMs);
  const signal = options.signal ? AbortSignal.any([timeout.signal, options.signal]) : timeout.signal;
  try {
    return await follow(address, options, signal);
  } catch (error) {
    if (options.signal?.aborted) throw options.signal.reason;
    if (timeout.signal.aborted) throw new FetchRefusal('timeout', { cause: error });
    throw error instanceof FetchRefusal ? error : translate(error);
  } finally {
    clearTimeout(timer);
  }
}

async function follow(
  address: string,
  options: SafeFetchOptions,
  signal: AbortSignal,
): Promise<SafeFetchResult> {
  const maxRedirects = options.maxRedirects ?? SAFE_FETCH_DEFAULTS.maxRedirects;
  let url = parseSafeUrl(address, options.policy);
  for (let redirects = 0; ; redirects += 1) {
    const step = await readOnce(url, options, signal);
    if ('bytes' in step) return { ...step, finalUrl: url.href };
    if (redirects === maxRedirects) throw new FetchRefusal('too-many-redirects');
    url = parseSafeUrl(step.location, options.policy, url);
  }
}

type Step = { location: string } | Omit<SafeFetchResult, 'finalUrl'>;

async function readOnce(url: URL, options: SafeFetchOptions, signal: AbortSignal): Promise<Step> {
  const addresses = await checkedAddresses(url.hostname, options, signal);
  // One agent per hop: its only connection goes to the addresses checked for this hop, and none is reused.
  const agent = new Agent({
    connect: pinnedConnector(
      addresses,
      { ...options, timeoutMs: options.timeoutMs ?? SAFE_FETCH_DEFAULTS.timeoutMs },
      signal,
    ),
    connections: 1,
    pipelining: 1,
  });
  try {
    const response = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers: {
        accept: options.accept?.join(', ') ?? '*/*',
        'accept-encoding': 'identity',
        'user-agent': 'Atelier/1.0',
      },
      signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    // Errors of a body that nobody reads any more must not surface as unhandled.
    response.body.on('error', () => {});
    return await readResponse(response, options, signal);
  } finally {
    await agent.destroy();
  }
}

async function readResponse(
  response: Dispatcher.ResponseData,
  options: SafeFetchOptions,
  signal: AbortSignal,
): Promise<Step> {
  const { statusCode, headers } = response;
  if (REDIRECTS.has(statusCode)) {
    const location = single(headers.location);
    if (!location) throw new FetchRefusal('bad-status', { status: statusCode, detail: 'no-location' });
    return { location };
  }
  if (statusCode !== 200) throw new FetchRefusal('bad-status', { status: statusCode });
  const { contentType, charset } = parseContentType(single(headers['content-type']));
  if (options.accept && !options.accept.some((accepted) => matches(accepted, contentType))) {
    throw new FetchRefusal('unreadable', { detail: 'content-type' });
  }
  const bytes = await readBody(response.body, {
    maxBytes: options.maxBytes ?? SAFE_FETCH_DEFAULTS.maxBytes,
    encoding: single(headers['content-encoding']),
    declaredLength: single(headers['content-length']),
    signal,
  });
  return { bytes, contentType, charset };
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

function parseContentType(header = ''): { contentType: string; charset: string | undefined } {
  const [type = '', ...parameters] = header.toLowerCase().split(';');
  const charset = parameters
    .map((parameter) => parameter.trim())
    .find((parameter) => parameter.startsWith('charset='));
  return { contentType: type.trim(), charset: charset?.slice('charset='.length).replaceAll('"', '') };
}

function matches(accepted: string, contentType: string): boolean {
  if (accepted === '*/*') return true;
  if (accepted.endsWith('/*')) return contentType.startsWith(accepted.slice(0, -1));
  return accepted === contentType;
}
