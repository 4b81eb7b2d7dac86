/** Addresses are compared in this form. */
export function normalizeEmail(text: string): string {
  return text.trim().normalize('NFC').toLowerCase();
}

/** What is wrong with a normalised address, in French; null when it can receive mail. */
export function emailProblem(email: string): string | null {
  const plausible =
    email.length <= 254 &&
    /^[^\s@<>(),;:\\"[\]]+@[^\s@<>(),;:\\"[\]]+\.[^\s@.<>(),;:\\"[\]]{2,}$/.test(email);
  return plausible && email.isWellFormed()
    ? null
    : 'Donnez une adresse e-mail complète, par exemple camille@exemple.fr.';
}
