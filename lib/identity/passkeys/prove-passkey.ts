import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { Transaction } from '#lib/db/types.ts';
import { type ChallengeFor, liveChallenge, spendChallenge } from './challenges.ts';
import type { RelyingParty } from './relying-party.ts';
import type { UsedPasskey } from './schemas.ts';

export type PasskeyDeps = {
  /** Seals the challenges. */
  secret: string;
};

/** The person's handle, as authenticators keep it: opaque, no address. */
export const handleOf = (personId: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(new TextEncoder().encode(personId));

type ProvenPasskey = {
  passkeyId: string;
  personId: string;
  email: string;
  /** Uses up the challenge and moves the counter, in the transaction of what it opens. Errors: `unauthenticated`, then nothing happened. */
  spend(tx: Transaction): Promise<void>;
};

type Reason = 'unknown' | 'challenge' | 'signature' | 'owner' | 'used' | 'refused';

/** The refusal of a passkey: one sentence whatever was wrong; the reason is only logged. */
export function passkeyRefused(ctx: Context, reason: Reason): ServiceError {
  ctx.log.warn('auth.passkey.failed', { reason, requestId: ctx.requestId });
  return new ServiceError('unauthenticated', {
    message: 'Cette clé d’accès n’a pas pu vous reconnaître. Réessayez, ou demandez un code par e-mail.',
  });
}

/**
 * Checks a passkey's answer: one of ours, over a challenge of ours for this use, on our origin, with its holder verified, and with a
 * counter that went forward. Errors: `unauthenticated`.
 */
export async function provePasskey(
  ctx: Context,
  input: { answer: UsedPasskey; party: RelyingParty; use: ChallengeFor },
  deps: PasskeyDeps,
): Promise<ProvenPasskey> {
  const { answer, party, use } = input;
  const now = ctx.clock.now();
  const row = await ctx.kysely
    .selectFrom('Passkey as k')
    .innerJoin('Person as p', 'p.id', 'k.personId')
    .select(['k.id', 'k.personId', 'k.publicKey', 'k.counter', 'p.email'])
    .where('k.credentialId', '=', answer.id)
    .executeTakeFirst();
  if (!row) throw passkeyRefused(ctx, 'unknown');
  const { userHandle } = answer.response;
  const handle = Buffer.from(handleOf(row.personId)).toString('base64url');
  if (userHandle && userHandle !== handle) throw passkeyRefused(ctx, 'owner');

  let challenge: { text: string; endsAt: Date } | null = null;
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const verdict = await verifyAuthenticationResponse({
    response: answer as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
    expectedChallenge(text) {
      const live = liveChallenge(deps.secret, use, text, now);
      challenge = live && { text, ...live };
      return live !== null;
    },
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    credential: {
      id: answer.id,
      publicKey: new Uint8Array(row.publicKey),
      counter: Number(row.counter),
    },
    // The library's errors quote the input: they are neither shown nor logged.
  }).catch(() => null);
  const spent = challenge as { text: string; endsAt: Date } | null;
  if (!spent) throw passkeyRefused(ctx, 'challenge');
  if (!verdict?.verified) throw passkeyRefused(ctx, 'signature');
  const { newCounter } = verdict.authenticationInfo;
  return {
    passkeyId: row.id,
    personId: row.personId,
    email: row.email,
    async spend(tx) {
      const isFirst = await spendChallenge(tx, spent);
      const moved = await tx
        .updateTable('Passkey')
        .set({ counter: BigInt(newCounter), lastUsedAt: now })
        .where('id', '=', row.id)
        .where('counter', '=', row.counter)
        .executeTakeFirst();
      if (!isFirst || moved.numUpdatedRows === 0n) throw passkeyRefused(ctx, 'used');
    },
  };
}
