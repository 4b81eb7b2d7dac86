const WEB_ADDRESS =
  /:\/\/|\bwww\.|\b[\w-]{2,}\.[a-z]{2,}\/|\b[\w-]+\.(?:com|net|org|fr|io|app|dev|info|biz|eu|co|uk|de|be|ch|ru|cn|xyz|link|click|site|online|shop|top|me)\b/i;
/** Line ends, control and bidirectional characters. */
const UNSHOWN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/**
 * The fault of a person's or account's name, in French; null when it is valid. Names are sent in mails to people who never asked for one: none
 * may hold a link, or line ends or bidirectional characters that would imitate our own text.
 */
export function nameProblem(name: string): string | null {
  const text = name.trim();
  if (!text || text.length > 120) return 'Le nom compte de 1 à 120 caractères.';
  if (UNSHOWN.test(text)) return 'Un nom tient sur une ligne, sans caractère invisible.';
  return WEB_ADDRESS.test(text.normalize('NFKC')) ? 'Un nom ne contient pas d’adresse web.' : null;
}
