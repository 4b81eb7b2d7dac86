import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Standard Webhooks signatures, shared by the render runner (signs) and the callback route (verifies): HMAC-SHA256 of
 * `id.timestamp.body`, base64, as `v1,<signature>`; a `whsec_` secret is base64, any other is taken as its own bytes.
 */
const CALLBACK_TOLERANCE_SECONDS = 5 * 60;

const MIN_SECRET_BYTES = 16;
const MAX_SIGNATURES = 16;

type CallbackHeaders = {
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
};

export type CallbackVerdict =
  | { valid: true; id: string; sentAt: Date }
  | {
      valid: false;
      reason:
        | 'no-secret'
        | 'header-missing'
        | 'timestamp-invalid'
        | 'too-old'
        | 'too-new'
        | 'signature-invalid';
    };

/** Bytes of a secret, or undefined when it is too short or not base64 after `whsec_`. */
function secretKey(secret: string): Buffer | undefined {
  const trimmed = secret.trim();
  let key = Buffer.from(trimmed, 'utf8');
  if (trimmed.startsWith('whsec_')) {
    const encoded = trimmed.slice('whsec_'.length);
    if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return undefined;
    key = Buffer.from(encoded, 'base64');
  }
  return key.length >= MIN_SECRET_BYTES ? key : undefined;
}

/**
 * The secrets of one variable (`CALLBACK_SECRET`, `SERVICE_SEALING_SECRET`, `LIPSYNC_WEBHOOK_SECRET`): one, or two separated by a comma while
 * one replaces the other; the first signs, where it is ours to sign.
 */
export function splitSecrets(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '');
}

function digest(key: Buffer, id: string, timestamp: string, body: Uint8Array): Buffer {
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
}

function toBytes(body: string | Uint8Array): Uint8Array {
  return typeof body === 'string' ? Buffer.from(body, 'utf8') : body;
}

/** Headers that sign `body` at `sentAt`. `id` stays the same when the same message is sent again. Throws on a weak secret. */
export function signCallback(
  body: string | Uint8Array,
  options: { id: string; secret: string; sentAt: Date },
): CallbackHeaders {
  const key = secretKey(options.secret);
  if (!key) throw new Error('callback secret is too short or not base64');
  const timestamp = String(Math.floor(options.sentAt.getTime() / 1000));
  const signature = digest(key, options.id, timestamp, toBytes(body)).toString('base64');
  return { 'webhook-id': options.id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

/**
 * Whether one of the signatures matches one of the active secrets, over the body exactly as received, within five
 * minutes either way. Compares in constant time and fails closed: no usable secret, no header, no number, no entry.
 */
export function verifyCallback(
  rawBody: string | Uint8Array,
  headers: Pick<Headers, 'get'>,
  secrets: readonly string[],
  now: Date,
): CallbackVerdict {
  const keys = secrets.map(secretKey).filter((key) => key !== undefined);
  if (keys.length === 0) return { valid: false, reason: 'no-secret' };
  const id = headers.get('webhook-id');
  const timestamp = headers.get('webhook-timestamp');
  const signatures = headers.get('webhook-signature');
  if (!id || !timestamp || !signatures) return { valid: false, reason: 'header-missing' };
  if (!/^[0-9]{1,12}$/.test(timestamp)) return { valid: false, reason: 'timestamp-invalid' };
  const ageSeconds = Math.floor(now.getTime() / 1000) - Number(timestamp);
  if (ageSeconds > CALLBACK_TOLERANCE_SECONDS) return { valid: false, reason: 'too-old' };
  if (ageSeconds < -CALLBACK_TOLERANCE_SECONDS) return { valid: false, reason: 'too-new' };
  const offered = signatures
    .split(' ')
    .slice(0, MAX_SIGNATURES)
    .filter((entry) => entry.startsWith('v1,'))
    .map((entry) => Buffer.from(entry.slice(3), 'base64'));
  const body = toBytes(rawBody);
  let matched = false;
  for (const key of keys) {
    const expected = digest(key, id, timestamp, body);
    for (const signature of offered) {
      // No early return: the time taken says nothing about which secret or which signature matched.
      if (signature.length === expected.length && timingSafeEqual(signature, expected)) matched = true;
    }
  }
  if (!matched) return { valid: false, reason: 'signature-invalid' };
  return { valid: true, id, sentAt: new Date(Number(timestamp) * 1000) };
}
