import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookEvent, WebhookInput } from '../ports.ts';
import { jsonOf } from '../transport.ts';
import { webhookEventSchema } from './schemas.ts';

const WINDOW_MS = 5 * 60_000;

type SignatureCheck = { ok: true } | { ok: false; reason: 'signature' | 'stale' | 'malformed' };

/**
 * Verifies `x-ai-gateway-signature: t=<seconds>,v1=<hex>[,v1=…]`: HMAC-SHA256 of `<t>.<raw body>`, within 5 minutes either
 * side of `now`, in constant time, any of several `v1`. Closed on every doubt: no secret, no header, a repeated `t`.
 */
export function verifyGatewaySignature(input: {
  rawBody: string;
  signature: string | null;
  secret: string;
  now: Date;
}): SignatureCheck {
  const { rawBody, signature, secret, now } = input;
  if (!secret || !signature || signature.length > 2_000) return { ok: false, reason: 'malformed' };
  const parts = signature.split(',').map((part) => part.trim().split('='));
  const times = parts.filter(([name]) => name === 't').map(([, value]) => value ?? '');
  const digests = parts.filter(([name]) => name === 'v1').map(([, value]) => value ?? '');
  const [time = ''] = times;
  if (times.length !== 1 || !/^\d{1,12}$/.test(time) || digests.length === 0)
    return { ok: false, reason: 'malformed' };
  const expected = createHmac('sha256', secret).update(`${time}.${rawBody}`, 'utf8').digest();
  // Every digest is compared, so that the time taken says nothing of which one matched.
  let matches = false;
  for (const digest of digests) {
    if (!/^[0-9a-f]{64}$/i.test(digest)) continue;
    if (timingSafeEqual(Buffer.from(digest, 'hex'), expected)) matches = true;
  }
  if (!matches) return { ok: false, reason: 'signature' };
  const ageMs = now.getTime() - Number(time) * 1_000;
  return Math.abs(ageMs) <= WINDOW_MS ? { ok: true } : { ok: false, reason: 'stale' };
}

/** The header for a body: what the gateway does, for recorded deliveries and tests. */
export function signGatewayBody(rawBody: string, secret: string, at: Date): string {
  const time = Math.floor(at.getTime() / 1_000);
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${rawBody}`, 'utf8').digest('hex')}`;
}

/**
 * Verifies a callback by the row's own secret. A video's body is documented nowhere: whatever is signed is an event, after which the status
 * is read; one that names another job is another row's.
 */
export function parseGatewayWebhook(input: WebhookInput, now: Date): WebhookEvent {
  const check = verifyGatewaySignature({ ...input, now });
  if (!check.ok) return { outcome: 'rejected', reason: check.reason };
  const parsed = webhookEventSchema.safeParse(jsonOf(new TextEncoder().encode(input.rawBody)));
  const { jobId = null, status = null } = parsed.success ? (parsed.data.data ?? {}) : {};
  if (jobId !== null && jobId !== input.jobId) return { outcome: 'rejected', reason: 'foreign-job' };
  return { outcome: 'event', jobId, status };
}
