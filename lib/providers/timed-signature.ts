import { createHmac, timingSafeEqual } from 'node:crypto';

const WINDOW_MS = 5 * 60_000;
const MAX_HEADER = 2_000;

type SignatureCheck = { ok: true } | { ok: false; reason: 'signature' | 'stale' | 'malformed' };

const digestOf = (secret: string, time: string, rawBody: string) =>
  createHmac('sha256', secret).update(`${time}.${rawBody}`, 'utf8').digest();

/** The signature header of a body, as the services make it, for recorded deliveries and tests. `time` in the service's own format. */
export function signTimedBody(rawBody: string, secret: string, time: number): string {
  return `t=${time},v1=${digestOf(secret, String(time), rawBody).toString('hex')}`;
}

/**
 * Verifies `t=<time>,v1=<hex>[,v1=…]`: HMAC-SHA256 of `<time>.<raw body>`, within 5 minutes either side of `now`, in constant time, any of
 * several `v1` by any of several secrets. Closed on every doubt: no secret, no header, a repeated `t`. `sentMs` reads the header's time.
 */
export function verifyTimedSignature(input: {
  rawBody: string;
  signature: string | null;
  secrets: readonly string[];
  now: Date;
  sentMs: (time: number) => number;
}): SignatureCheck {
  const { rawBody, signature, now, sentMs } = input;
  const secrets = input.secrets.filter((secret) => secret !== '');
  if (secrets.length === 0 || !signature || signature.length > MAX_HEADER)
    return { ok: false, reason: 'malformed' };
  const parts = signature.split(',').map((part) => part.trim().split('='));
  const times = parts.filter(([name]) => name === 't').map(([, value]) => value ?? '');
  const digests = parts.filter(([name]) => name === 'v1').map(([, value]) => value ?? '');
  const [time = ''] = times;
  if (times.length !== 1 || !/^\d{1,15}$/.test(time) || digests.length === 0)
    return { ok: false, reason: 'malformed' };
  const expected = secrets.map((secret) => digestOf(secret, time, rawBody));
  // Every digest is compared with every secret's, so that the time taken says nothing of which one matched.
  let matches = false;
  for (const digest of digests) {
    if (!/^[0-9a-f]{64}$/i.test(digest)) continue;
    const given = Buffer.from(digest, 'hex');
    for (const one of expected) if (timingSafeEqual(given, one)) matches = true;
  }
  if (!matches) return { ok: false, reason: 'signature' };
  const ageMs = now.getTime() - sentMs(Number(time));
  return Math.abs(ageMs) <= WINDOW_MS ? { ok: true } : { ok: false, reason: 'stale' };
}
