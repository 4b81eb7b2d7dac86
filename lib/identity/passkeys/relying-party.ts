import { isIP } from 'node:net';

/** For which site passkeys are made and judged: its domain, and the one origin whose pages may use them. */
export type RelyingParty = { id: string; origin: string };

/**
 * The site behind an address, or null where browsers allow no passkey: an address without a domain name (127.0.0.1), or one that is
 * not https and not this machine's `localhost`.
 */
export function relyingPartyOf(address: string): RelyingParty | null {
  const url = URL.parse(address);
  if (!url) return null;
  const { hostname, origin, protocol } = url;
  if (hostname.startsWith('[') || isIP(hostname) !== 0) return null;
  const isSafe = protocol === 'https:' || (protocol === 'http:' && hostname === 'localhost');
  return isSafe ? { id: hostname, origin } : null;
}
