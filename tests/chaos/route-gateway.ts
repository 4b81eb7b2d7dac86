import { FetchRefusal } from '#lib/core/net/fetch-refusal.ts';
import type { SafePost } from '#lib/core/net/safe-post.ts';

/**
 * Preloaded into a server under chaos: what it sends to the AI Gateway reaches the run's own provider (outside.ts), with the name of the
 * instance that sent it. The adapter, its transport and its retries are the live ones.
 */
const { CHAOS_OUTSIDE = '', CHAOS_INSTANCE = '' } = process.env;
const GATEWAY = 'https://ai-gateway.vercel.sh';
const real = globalThis.fetch;

globalThis.fetch = (input, init) => {
  if (typeof input !== 'string' || !input.startsWith(`${GATEWAY}/`)) return real(input, init);
  const headers = new Headers(init?.headers);
  headers.set('x-chaos-instance', CHAOS_INSTANCE);
  return real(CHAOS_OUTSIDE + input.slice(GATEWAY.length), { ...init, headers });
};

// Webhooks go to the run's own subscriber, which has no public address; signatures, times and marks are the live ones.
const { CHAOS_SUBSCRIBER = '' } = process.env;
const shared = globalThis as { atelierWebhookPost?: SafePost };
shared.atelierWebhookPost = async (address, { headers, body, timeoutMs }) => {
  try {
    const answer = await real(CHAOS_SUBSCRIBER + new URL(address).pathname, {
      method: 'POST',
      headers: { ...headers },
      body,
      // Its five seconds, shortened: a run has many.
      signal: AbortSignal.timeout(Math.min(timeoutMs, 1_000)),
    });
    await answer.arrayBuffer();
    return { status: answer.status };
  } catch {
    throw new FetchRefusal('timeout');
  }
};
