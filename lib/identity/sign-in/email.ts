/** RFC 5321, section 4.5.3.1.3, without the angle brackets. */
const MAX_EMAIL = 254;

/** Characters that come along when an address is copied, and that nobody sees: it would be that of nobody. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;

/** Addresses are compared in this form. */
export function normalizeEmail(text: string): string {
  return text.replace(UNSEEN, '').trim().normalize('NFC').toLowerCase();
}

/** What is wrong with a normalised address, in French; null when it can receive mail. */
export function emailProblem(email: string): string | null {
  if (email.length > MAX_EMAIL) return `Une adresse e-mail compte au plus ${MAX_EMAIL} caractères.`;
  const plausible = /^[^\s@<>(),;:\\"[\]]+@[^\s@<>(),;:\\"[\]]+\.[^\s@.<>(),;:\\"[\]]{2,}$/.test(email);
  return plausible && email.isWellFormed()
    ? null
    : 'Donnez une adresse e-mail complète, par exemple camille@exemple.fr.';
}
