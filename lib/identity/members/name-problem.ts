const WEB_ADDRESS =
  /:\/\/|\bwww\.|\b[\w-]+\.(?:com|net|org|fr|io|app|dev|info|biz|eu|co|uk|de|be|ch|ru|cn|xyz|link|click|site|online|shop|top|me)\b/i;

/**
 * What is wrong with the name of a person or an account, in French; null when it can be shown. A name travels in mails to people
 * who never asked for one: it holds no address to follow.
 */
export function nameProblem(name: string): string | null {
  const text = name.trim();
  if (!text || text.length > 120) return 'Le nom compte de 1 à 120 caractères.';
  return WEB_ADDRESS.test(text.normalize('NFKC')) ? 'Un nom ne contient pas d’adresse web.' : null;
}
