import { Agent } from 'undici';
import { FetchRefusal } from './fetch-refusal.ts';
import { checkedAddresses, type PinOptions, pinnedConnector, translate } from './pinned.ts';
import { parseSafeUrl, type UrlPolicy } from './safe-url.ts';

export type SafePostOptions = PinOptions & {
  policy?: UrlPolicy;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Time for everything: name, connection, answer. */
  timeoutMs: number;
  signal?: AbortSignal;
};

/** `retryAfter`: what the answer says of when to come back, as it says it. */
type PostAnswer = { status: number; retryAfter?: string };

/**
 * Gives the answer's status, whatever becomes of its body; no redirect is followed, and no more than `MAX_ANSWER_BYTES` of the body are read.
 */
export type SafePost = (address: string, options: SafePostOptions) => Promise<PostAnswer>;

const MAX_ANSWER_BYTES = 16 * 1024;

/**
 * Sends to an address that a stranger gave, under the rules of `safeFetch`: https, a public name on the standard port, public addresses
 * only, connected to the very addresses that were checked. A redirect is an answer like another. Throws `FetchRefusal`.
 */
export const safePost: SafePost = (address, options) =>
  inTime(options, async (signal) => {
    const url = parseSafeUrl(address, options.policy);
    const addresses = await checkedAddresses(url.hostname, options, signal);
    const agent = new Agent({
      connect: pinnedConnector(addresses, options, signal),
      connections: 1,
      pipelining: 1,
    });
    try {
      const { statusCode, headers, body } = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'POST',
        headers: { ...options.headers, 'accept-encoding': 'identity', 'user-agent': 'Atelier/1.0' },
        body: options.body,
        signal,
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      body.on('error', () => {});
      // The status says it all: a body without end, that stalls or is cut is left, with its connection.
      await drain(body).catch(() => options.signal?.throwIfAborted());
      const retryAfter = headers['retry-after'];
      return { status: statusCode, ...(typeof retryAfter === 'string' ? { retryAfter } : {}) };
    } finally {
      await agent.destroy();
    }
  });

/** Reads an answer's body, so that its sender sees it taken, and no more than `MAX_ANSWER_BYTES` of it. */
async function drain(body: AsyncIterable<Uint8Array>): Promise<void> {
  let read = 0;
  for await (const chunk of body) {
    read += chunk.byteLength;
    if (read > MAX_ANSWER_BYTES) break;
  }
}

/** Throws the `FetchRefusal` that `safePost` would, as far as the address and its names say. */
export async function checkPostAddress(
  address: string,
  options: PinOptions & { timeoutMs: number },
): Promise<void> {
  await inTime(options, async (signal) => {
    await checkedAddresses(parseSafeUrl(address).hostname, options, signal);
  });
}

async function inTime<T>(
  options: { timeoutMs: number; signal?: AbortSignal },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
  try {
    return await work(signal);
  } catch (error) {
    if (options.signal?.aborted) throw options.signal.reason;
    if (timeout.aborted) throw new FetchRefusal('timeout', { cause: error });
    throw error instanceof FetchRefusal ? error : translate(error);
  }
}
