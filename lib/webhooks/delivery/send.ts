import { FetchRefusal } from '#lib/core/net/fetch-refusal.ts';
import { signCallback } from '#lib/studio/renders/render-signature.ts';
import type { WebhookContext } from '../context.ts';
import { EVENT_VERSION } from '../events.ts';
import { formerSecrets } from '../former-secrets.ts';
import { SEND_MS } from '../limits.ts';
import { askedUntil } from './retry.ts';

/** An event and where it goes. */
export type Message = { id: string; type: string; at: Date; data: unknown };
export type Target = {
  id: string;
  url: string;
  secret: Uint8Array;
  previousSecret: Uint8Array | null;
  previousEndsAt: Date | null;
};

export type Sent =
  /** `notBefore`: when a subscriber that refused asks to be tried again. */
  | { result: 'accepted' | 'refused'; status: number; ms: number; notBefore?: Date }
  /** No answer: a word of the fetcher's. */
  | { result: 'unanswered'; error: string; ms: number }
  | { result: 'unsealed' };

/** The bytes that are signed and posted: the same for every attempt of an event. */
export function bodyOf({ type, at, data }: Omit<Message, 'id'>): string {
  return JSON.stringify({ type, version: EVENT_VERSION, timestamp: at.toISOString(), data });
}

/**
 * Posts one event, signed as Standard Webhooks says: its identifier stays, its time is that of the attempt, and all secrets sign while
 * one replaces the others. Any 2xx accepts it. Throws only what is a fault of ours.
 */
export async function send(
  ctx: Pick<WebhookContext, 'clock' | 'webhooks'>,
  target: Target,
  message: Message,
  signal?: AbortSignal,
): Promise<Sent> {
  const { webhooks, clock } = ctx;
  const sentAt = clock.now();
  const secret = webhooks.sealer.open(target.secret, target.id);
  if (!secret) return { result: 'unsealed' };
  const body = bodyOf(message);
  const headers = signCallback(body, { id: message.id, secret, sentAt });
  for (const former of formerSecrets(webhooks.sealer, target, sentAt))
    headers['webhook-signature'] +=
      ` ${signCallback(body, { id: message.id, secret: former.secret, sentAt })['webhook-signature']}`;
  const elapsed = () => clock.now().getTime() - sentAt.getTime();
  try {
    const { status, retryAfter } = await webhooks.post(target.url, {
      headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
      body,
      timeoutMs: SEND_MS,
      ...(signal ? { signal } : {}),
    });
    if (status >= 200 && status < 300) return { result: 'accepted', status, ms: elapsed() };
    const notBefore = askedUntil({ status, retryAfter, now: clock.now() });
    return { result: 'refused', status, ms: elapsed(), ...(notBefore ? { notBefore } : {}) };
  } catch (error) {
    if (!(error instanceof FetchRefusal)) throw error;
    return { result: 'unanswered', error: error.detail ?? error.reason, ms: elapsed() };
  }
}
