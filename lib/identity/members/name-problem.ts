import { nameFault } from '#lib/core/input/name-fault.ts';

const WEB_ADDRESS =
  /:\/\/|\bwww\.|\b[\w-]{2,}\.[a-z]{2,}\/|\b[\w-]+\.(?:com|net|org|fr|io|app|dev|info|biz|eu|co|uk|de|be|ch|ru|cn|xyz|link|click|site|online|shop|top|me)\b/i;
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * The fault of a person's or account's name, in French; null when it is valid. Names are sent in mails to people who never asked for one: none
 * may hold a link, besides what no name may hold (`name-fault.ts`).
 */
export function nameProblem(name: string): string | null {
  const fault = nameFault(name, 120);
  if (fault) return fault;
  const read = name.replace(UNSEEN, '').normalize('NFKC');
  return WEB_ADDRESS.test(read) ? 'Un nom ne contient pas d’adresse web.' : null;
}
