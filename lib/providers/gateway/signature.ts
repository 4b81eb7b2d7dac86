import type { WebhookEvent, WebhookInput } from '../ports.ts';
import { signTimedBody, verifyTimedSignature } from '../timed-signature.ts';
import { jsonOf } from '../transport.ts';
import { webhookEventSchema } from './schemas.ts';

/** Verifies `x-ai-gateway-signature`, whose time is in seconds, by the row's own secret. */
export function verifyGatewaySignature(input: {
  rawBody: string;
  signature: string | null;
  secret: string;
  now: Date;
}): ReturnType<typeof verifyTimedSignature> {
  const { secret, ...call } = input;
  return verifyTimedSignature({ ...call, secrets: [secret], sentMs: (seconds) => seconds * 1_000 });
}

/** The signature header of a body, as the gateway makes it: for recorded deliveries and tests. */
export function signGatewayBody(rawBody: string, secret: string, at: Date): string {
  return signTimedBody(rawBody, secret, Math.floor(at.getTime() / 1_000));
}

/**
 * Verifies a callback with the row's own secret. The body of a video's callback is not documented: any signed body is an event, after which
 * the status is read; one that names another job is rejected.
 */
export function parseGatewayWebhook(input: WebhookInput, now: Date): WebhookEvent {
  const check = verifyGatewaySignature({ ...input, now });
  if (!check.ok) return { outcome: 'rejected', reason: check.reason };
  const parsed = webhookEventSchema.safeParse(jsonOf(new TextEncoder().encode(input.rawBody)));
  const { jobId = null, status = null } = parsed.success ? (parsed.data.data ?? {}) : {};
  if (jobId !== null && jobId !== input.jobId) return { outcome: 'rejected', reason: 'foreign-job' };
  return { outcome: 'event', jobId, status };
}
