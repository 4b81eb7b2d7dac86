import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { WebhookEvent, WebhookInput } from '../ports.ts';
import { jsonOf } from '../transport.ts';

const WINDOW_MS = 5 * 60_000;
/** From here on a number of the header is milliseconds. */
const SECONDS_END = 100_000_000_000;

const eventSchema = z.object({
  id: z.string().min(1).optional().catch(undefined),
  status: z.string().optional().catch(undefined),
});

const hmac = (secret: string, time: string, rawBody: string) =>
  createHmac('sha256', secret).update(`${time}.${rawBody}`, 'utf8').digest();

/** The `Sync-Signature` of a body: what the service does, for tests. */
export function signLipsyncBody(rawBody: string, secret: string, at: Date): string {
  const time = String(at.getTime());
  return `t=${time},v1=${hmac(secret, time, rawBody).toString('hex')}`;
}

/**
 * Verifies `Sync-Signature: t=<time>,v1=<hex>`, HMAC-SHA256 of `<time>.<raw body>`, within 5 minutes and in constant time
 * (sync.so/docs/api-reference/guides/webhooks). Closed on every doubt; what is signed is an event, unless it names another job.
 */
export function parseLipsyncWebhook(input: WebhookInput, now: Date): WebhookEvent {
  const { rawBody, signature, secret, jobId } = input;
  const [, time = '', digest = ''] = /^t=(\d{1,15}),v1=([0-9a-f]{64})$/i.exec(signature ?? '') ?? [];
  if (!secret || !digest) return { outcome: 'rejected', reason: 'malformed' };
  if (!timingSafeEqual(Buffer.from(digest, 'hex'), hmac(secret, time, rawBody)))
    return { outcome: 'rejected', reason: 'signature' };
  const sentMs = Number(time) < SECONDS_END ? Number(time) * 1_000 : Number(time);
  if (Math.abs(now.getTime() - sentMs) > WINDOW_MS) return { outcome: 'rejected', reason: 'stale' };
  const { id = null, status = null } =
    eventSchema.safeParse(jsonOf(new TextEncoder().encode(rawBody))).data ?? {};
  if (id !== null && id !== jobId) return { outcome: 'rejected', reason: 'foreign-job' };
  return { outcome: 'event', jobId: id, status };
}
