import type { Context } from '#lib/core/context.ts';
import type { Mail } from '#lib/core/mail/mail.ts';
import { transaction } from '#lib/db/transaction.ts';
import { hashBrowserToken } from '../sign-in/browser.ts';
import { completeSignIn, notifyNewBrowser, type OpenedSession } from '../sign-in/complete-sign-in.ts';
import { throttlePasskey } from '../sign-in/throttle.ts';
import { type ChallengeFor, newChallenge } from './challenges.ts';
import { type PasskeyDeps, passkeyRefused, provePasskey } from './prove-passkey.ts';
import type { RelyingParty } from './relying-party.ts';
import type { UsedPasskey } from './schemas.ts';

const boundTo = (browser: string, { secret }: PasskeyDeps): ChallengeFor => ({
  purpose: 'sign-in',
  browserHash: hashBrowserToken(secret, browser),
  sessionId: null,
});

/** What a browser needs to sign in with whichever passkey it holds for this site; names nobody and writes nothing. */
export async function passkeySignInOptions(
  ctx: Pick<Context, 'clock'>,
  { browser, party }: { browser: string; party: RelyingParty },
  deps: PasskeyDeps,
) {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  return generateAuthenticationOptions({
    rpID: party.id,
    userVerification: 'required',
    challenge: newChallenge(deps.secret, boundTo(browser, deps), ctx.clock.now()),
  });
}

/**
 * Opens a session for the person whose passkey answered, as a right code would; wrong codes that strangers gave for the address do not
 * count here. Errors: `unauthenticated` in one sentence, whatever was wrong; `rate_limited` for a network that tries too often.
 */
export async function signInWithPasskey(
  ctx: Context,
  input: {
    answer: UsedPasskey;
    party: RelyingParty;
    network: string;
    browser: string | null;
    userAgent: string;
    previousSessionId?: string | undefined;
  },
  deps: PasskeyDeps & { post: (mail: Mail) => void },
): Promise<OpenedSession> {
  const { answer, party, network, browser, userAgent, previousSessionId } = input;
  if (browser === null) throw passkeyRefused(ctx, 'challenge');
  await throttlePasskey(ctx, deps.secret, { network });
  const use = boundTo(browser, deps);
  const proven = await provePasskey(ctx, { answer, party, use }, deps);
  const { email } = proven;
  const opened = await transaction(ctx, async (tx) => {
    await proven.spend(tx);
    const { browserHash } = use;
    const entered = await completeSignIn(tx, ctx, {
      email,
      browserHash,
      userAgent,
      network,
      previousSessionId,
    });
    if (!entered) throw passkeyRefused(ctx, 'refused');
    return entered;
  });
  return notifyNewBrowser(ctx, opened, { email, userAgent }, deps.post);
}
