import { env } from '#lib/core/env.ts';
import { type RelyingParty, relyingPartyOf } from '#lib/identity/passkeys/relying-party.ts';
import { reachedOrigin } from './origin.ts';

/**
 * The site of this service's passkeys: the configured public address alone. Without one, which production does not allow, this machine's
 * `localhost`, as the browser reached it; null where no passkey can be made or used.
 */
export function passkeySite(headers: { get(name: string): string | null }): RelyingParty | null {
  const { SERVICE_PUBLIC_URL, isProduction } = env();
  if (SERVICE_PUBLIC_URL) return relyingPartyOf(SERVICE_PUBLIC_URL);
  if (isProduction) return null;
  const site = relyingPartyOf(reachedOrigin(headers));
  return site?.id === 'localhost' ? site : null;
}
