import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Transaction } from '#lib/db/types.ts';

/** How long one has to touch a key: as long as a mailed code lives. */
const CHALLENGE_LIFETIME_MS = 10 * 60_000;

/** What a challenge can be answered for: by this browser, and inside a session by that session alone. */
export type ChallengeFor = {
  purpose: 'add' | 'sign-in' | 'verify';
  browserHash: string;
  sessionId: string | null;
};

const RANDOM_BYTES = 16;
const HEAD_BYTES = RANDOM_BYTES + 8;

function seal(secret: string, use: ChallengeFor, head: Uint8Array): Buffer {
  const of = `passkey\0${use.purpose}\0${use.browserHash}\0${use.sessionId ?? ''}\0`;
  return createHmac('sha256', secret).update(of).update(head).digest();
}

/**
 * A challenge to sign: random bytes, an expiry, and a seal over both and the use. It is stored only once answered, so that opening the sign-in
 * page writes nothing.
 */
export function newChallenge(secret: string, use: ChallengeFor, now: Date): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(HEAD_BYTES);
  randomBytes(RANDOM_BYTES).copy(head);
  head.writeBigUInt64BE(BigInt(now.getTime() + CHALLENGE_LIFETIME_MS), RANDOM_BYTES);
  return new Uint8Array(Buffer.concat([head, seal(secret, use, head)]));
}

/** The expiry of a valid challenge of ours for this use; null for any other. */
export function liveChallenge(
  secret: string,
  use: ChallengeFor,
  challenge: string,
  now: Date,
): { endsAt: Date } | null {
  const bytes = Buffer.from(challenge, 'base64url');
  const head = bytes.subarray(0, HEAD_BYTES);
  const expected = seal(secret, use, head);
  const given = bytes.subarray(HEAD_BYTES);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  const endsAt = new Date(Number(head.readBigUInt64BE(RANDOM_BYTES)));
  return endsAt > now ? { endsAt } : null;
}

/** Uses up a challenge, in the transaction of what it opens; false when it already was. */
export async function spendChallenge(
  tx: Transaction,
  challenge: { text: string; endsAt: Date },
): Promise<boolean> {
  const spent = await tx
    .insertInto('SpentChallenge')
    .values({
      hash: createHash('sha256').update(challenge.text).digest('base64url'),
      expiresAt: challenge.endsAt,
    })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .executeTakeFirst();
  return (spent.numInsertedOrUpdatedRows ?? 0n) > 0n;
}
