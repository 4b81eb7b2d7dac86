type Memory = {
  memoryId: string;
  spaceId: string;
  pillar: 'IDENTITY' | 'GUIDELINES' | 'KNOWLEDGE' | 'ITEMS' | 'PEOPLE';
  /** Of the Memory, from 1: a later one says more than an earlier one. */
  version: number;
};

/** What each event says: identifiers and figures; the rest is read by the API. `month` is a UTC month, `2026-11`. */
export type WebhookEventData = {
  'memory.added': Memory & { change: 'created' };
  'memory.changed': Memory & { change: 'edited' | 'moved' | 'restored' };
  'memory.deleted': Memory & { change: 'deleted' };
  'memory.proposed': { proposalId: string; spaceId: string | null };
  'generation.closed': {
    generationId: string;
    kind: string;
    status: 'completed' | 'failed';
    code: string | null;
  };
  'quota.reached': { level: 'reads' | 'capacity'; percent: number; month: string };
  'credit.reached':
    | { level: 'ceiling'; percent: number; month: string }
    | { level: 'spend'; multiple: number; month: string };
  'webhook.test': { endpointId: string };
};

export type WebhookEventType = keyof WebhookEventData;

/** One event, told apart by `type`. */
export type WebhookEvent<T extends WebhookEventType = WebhookEventType> = {
  [One in T]: {
    type: One;
    version: 1;
    /** When it happened, ISO 8601 in UTC. */
    timestamp: string;
    data: WebhookEventData[One];
  };
}[T];

/** A posting that is not to be believed. */
export class AtelierWebhookError extends Error {
  readonly reason: 'secret' | 'headers' | 'timestamp' | 'signature' | 'body';

  constructor(reason: AtelierWebhookError['reason'], message: string) {
    super(message);
    this.name = 'AtelierWebhookError';
    this.reason = reason;
  }
}

type HeaderBag = Pick<Headers, 'get'> | Readonly<Record<string, string | string[] | undefined>>;

export type VerifyWebhookOptions = {
  /** How far the sender's clock may be from `now`. Default 300. */
  toleranceSeconds?: number;
  /** Default: the present. */
  now?: Date;
};

/**
 * The event of a posting, once one of its signatures was made with one of the secrets (`whsec_…`) over the body exactly as received, less
 * than five minutes ago. Compared by WebCrypto, in constant time. Throws `AtelierWebhookError`. A `type` that this version of the client
 * does not know is given as it is: ignore it.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: HeaderBag,
  secrets: string | readonly string[],
  options: VerifyWebhookOptions = {},
): Promise<WebhookEvent> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (!id || !timestamp || !signatures)
    throw new AtelierWebhookError(
      'headers',
      'webhook-id, webhook-timestamp or webhook-signature is missing.',
    );
  const ageSeconds = Math.floor((options.now ?? new Date()).getTime() / 1000) - Number(timestamp);
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(ageSeconds) > (options.toleranceSeconds ?? 300))
    throw new AtelierWebhookError(
      'timestamp',
      'The posting is too old, or its clock is too far from this one.',
    );
  const offered = signatures
    .split(' ')
    .slice(0, 16)
    .flatMap((entry) => (entry.startsWith('v1,') ? [bytesOf(entry.slice(3))] : []))
    .filter((bytes) => bytes !== null);
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const sent = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), sent);
  let isSigned = false;
  for (const secret of typeof secrets === 'string' ? [secrets] : secrets) {
    const key = await keyOf(secret);
    for (const signature of offered)
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) isSigned = true;
  }
  if (!isSigned) throw new AtelierWebhookError('signature', 'No signature was made with this secret.');
  try {
    return JSON.parse(text) as WebhookEvent;
  } catch {
    throw new AtelierWebhookError('body', 'The body is not JSON.');
  }
}

function headerOf(headers: HeaderBag, name: string): string | null {
  if (typeof headers.get === 'function') return headers.get(name);
  // Plain objects keep the case that a platform gave them: `Webhook-Id` is `webhook-id`.
  const entry = Object.entries(headers as Readonly<Record<string, string | string[] | undefined>>).find(
    ([key]) => key.toLowerCase() === name,
  );
  const value = entry?.[1];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = secret.startsWith('whsec_') ? bytesOf(secret.slice('whsec_'.length)) : null;
  if (!bytes || bytes.length < 16)
    throw new AtelierWebhookError('secret', 'The secret is not one of a webhook (whsec_…).');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** Bytes of a base64 text; null when it is none. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function joined(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(head.length + tail.length);
  whole.set(head);
  whole.set(tail, head.length);
  return whole;
}
