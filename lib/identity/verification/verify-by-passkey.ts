import type { MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { transaction } from '#lib/db/transaction.ts';
import { type ChallengeFor, newChallenge } from '../passkeys/challenges.ts';
import { type PasskeyDeps, passkeyRefused, provePasskey } from '../passkeys/prove-passkey.ts';
import type { RelyingParty } from '../passkeys/relying-party.ts';
import type { UsedPasskey } from '../passkeys/schemas.ts';
import { sessionPerson } from '../people/session-person.ts';
import { hashBrowserToken } from '../sign-in/browser.ts';
import { throttlePasskey } from '../sign-in/throttle.ts';
import { markVerified } from './mark-verified.ts';

function boundTo(ctx: Context<MemberActor>, browser: string, { secret }: PasskeyDeps): ChallengeFor {
  return {
    purpose: 'verify',
    browserHash: hashBrowserToken(secret, browser),
    sessionId: ctx.actor.sessionId,
  };
}

/** What the browser needs to prove by a passkey who is there; null when the person has none. */
export async function passkeyVerificationOptions(
  ctx: Context<MemberActor>,
  { browser, party }: { browser: string; party: RelyingParty },
  deps: PasskeyDeps,
) {
  const { personId } = await sessionPerson(ctx.kysely, ctx);
  const held = await ctx.db.passkey.findMany({
    where: { personId },
    select: { credentialId: true, transports: true },
  });
  if (held.length === 0) return null;
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  return generateAuthenticationOptions({
    rpID: party.id,
    userVerification: 'required',
    allowCredentials: held.map(({ credentialId: id, transports }) => ({ id, transports })),
    challenge: newChallenge(deps.secret, boundTo(ctx, browser, deps), ctx.clock.now()),
  });
}

/**
 * One of the person's own passkeys proves for ten minutes, in this session, who is there. Errors: `unauthenticated` (another person's
 * passkey included), `rate_limited`.
 */
export async function verifyByPasskey(
  ctx: Context<MemberActor>,
  input: { answer: UsedPasskey; party: RelyingParty; network: string; browser: string | null },
  deps: PasskeyDeps,
): Promise<void> {
  const { answer, party, network, browser } = input;
  if (browser === null) throw passkeyRefused(ctx, 'challenge');
  await throttlePasskey(ctx, deps.secret, { network });
  const { personId } = await sessionPerson(ctx.kysely, ctx);
  const proven = await provePasskey(ctx, { answer, party, use: boundTo(ctx, browser, deps) }, deps);
  if (proven.personId !== personId) throw passkeyRefused(ctx, 'owner');
  await transaction(ctx, async (tx) => {
    await proven.spend(tx);
    await markVerified(tx, ctx, 'passkey');
  });
}
