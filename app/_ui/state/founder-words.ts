const either = new Intl.ListFormat('fr-FR', { type: 'disjunction' });

/** Whom to ask for what only founders can grant: `Agnès Morvan ou Inès Roy`, within a sentence. */
export function founderWords(names: readonly string[]): string {
  return names.length > 0 ? either.format(names) : 'un fondateur du compte';
}
