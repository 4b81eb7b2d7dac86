import { z } from 'zod';
import type { WebhookEvent, WebhookInput } from '../ports.ts';
import { signTimedBody, verifyTimedSignature } from '../timed-signature.ts';
import { jsonOf } from '../transport.ts';

/** From here on a number of the header is milliseconds. */
const SECONDS_END = 100_000_000_000;
const sentMs = (time: number) => (time < SECONDS_END ? time * 1_000 : time);

const eventSchema = z.object({
  id: z.string().min(1).optional().catch(undefined),
  status: z.string().optional().catch(undefined),
});

type LipsyncWebhook = Omit<WebhookInput, 'secret'> & {
  /** Of the service's dashboard: several while one replaces the other. */
  secrets: readonly string[];
};

/** The `Sync-Signature` of a body: what the service does, for tests. */
export function signLipsyncBody(rawBody: string, secret: string, at: Date): string {
  return signTimedBody(rawBody, secret, at.getTime());
}

/**
 * Verifies `Sync-Signature` (sync.so/docs/api-reference/guides/webhooks), whose time is in seconds or milliseconds, by any of the secrets.
 * What is signed is an event, unless it names another job.
 */
export function parseLipsyncWebhook(input: LipsyncWebhook, now: Date): WebhookEvent {
  const { rawBody, signature, secrets, jobId } = input;
  const check = verifyTimedSignature({ rawBody, signature, secrets, now, sentMs });
  if (!check.ok) return { outcome: 'rejected', reason: check.reason };
  const { id = null, status = null } =
    eventSchema.safeParse(jsonOf(new TextEncoder().encode(rawBody))).data ?? {};
  if (id !== null && id !== jobId) return { outcome: 'rejected', reason: 'foreign-job' };
  return { outcome: 'event', jobId: id, status };
}
