import { isKnownCallback } from './known-callbacks.ts';

const LOOPBACK_HOSTS = new Set(['127.0.0.1', '[::1]', 'localhost']);
/** A reverse domain name, which the application's publisher controls (RFC 8252, 7.1): `com.example.app`. */
const REVERSE_DOMAIN =
  /^(?:[a-z]{2}|com|org|net|edu|gov|int|info|biz|app|dev|cloud|tech|software|systems|online|site|xyz)(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+:$/;
const MAX_LENGTH = 2000;

function parse(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

function isLoopback(url: URL): boolean {
  return url.protocol === 'http:' && LOOPBACK_HOSTS.has(url.hostname);
}

/**
 * Why an address cannot receive an answer, in French; null when it can: https, http on this machine only, an application's own
 * scheme (a reverse domain name), or a known assistant's callback. No fragment, no name or password.
 */
export function redirectUriFault(text: string): string | null {
  if (text.length > MAX_LENGTH) return `L’adresse de retour dépasse ${MAX_LENGTH} caractères.`;
  if (!/^[\x21-\x7e]+$/.test(text)) return 'L’adresse de retour contient des caractères interdits.';
  const url = parse(text);
  if (!url) return 'L’adresse de retour n’est pas une adresse complète.';
  if (text.includes('#')) return 'L’adresse de retour contient un fragment (#).';
  if (url.username || url.password) return 'L’adresse de retour contient un nom ou un mot de passe.';
  if (url.protocol === 'https:') return url.hostname ? null : 'L’adresse de retour n’a pas d’hôte.';
  if (url.protocol === 'http:')
    return isLoopback(url)
      ? null
      : 'L’adresse de retour en http n’est permise que sur cette machine (127.0.0.1).';
  // Any other scheme could run, open or install something on the device, and its owner is unknown.
  if (REVERSE_DOMAIN.test(url.protocol) || isKnownCallback(text)) return null;
  return 'Le schéma de l’adresse de retour n’est ni un nom de domaine inversé (com.exemple.app) ni celui d’un assistant connu.';
}

/**
 * Whether the address of a request is one that the client registered: character for character, except that a loopback
 * address may change its port from run to run (RFC 8252, 7.3).
 */
export function isRegisteredRedirect(asked: string, registered: readonly string[]): boolean {
  if (redirectUriFault(asked) !== null) return false;
  if (registered.includes(asked)) return true;
  const askedWithoutPort = withoutPort(asked);
  return registered.some((known) => {
    const other = parse(known);
    return other !== null && isLoopback(other) && withoutPort(known) === askedWithoutPort;
  });
}

/** The text without the port of its authority; everything else stays character for character. */
function withoutPort(text: string): string {
  return text.replace(/^(http:\/\/(?:\[[^\]]*\]|[^/:?]*))(?::\d*)?/i, '$1');
}

/** Where a redirect goes, as the consent page says it: the host, or the application's scheme. */
export function redirectTarget(text: string): { label: string; isThisMachine: boolean } {
  const url = new URL(text);
  if (url.protocol === 'https:' || url.protocol === 'http:')
    return { label: url.host, isThisMachine: isLoopback(url) };
  return { label: `${url.protocol}//`, isThisMachine: true };
}
