import type { ContextExplanation } from './types.ts';

/** Why a Memory is in the context as it is, in one French sentence for the cockpit; `focused`: the context is about a question. */
export function inclusionSentence(
  { inclusion, cut }: Pick<ContextExplanation, 'inclusion' | 'cut'>,
  focused = false,
): string {
  switch (inclusion) {
    case 'whole':
      return 'Le texte est entier.';
    case 'passages':
      return 'Du texte, trop long pour la place, il reste ce qui répond et ce qui l’entoure.';
    case 'title-only':
      if (focused) return 'Seul le titre est gardé\u00a0: il situe ce qui est rangé dessous.';
      return 'Seul le titre est gardé : il ne reste pas assez de place pour le texte.';
    case 'omitted':
      if (focused) return 'Omise\u00a0: d’autres mémoires répondent mieux.';
      return 'Omise : même les titres ne tiennent pas tous dans la longueur demandée.';
    case 'shortened': {
      const where = cut?.boundary === 'word' ? 'à la fin d’un mot' : 'entre deux caractères';
      return `Coupé au caractère ${cut?.at ?? 0}, ${where} : le texte dépasse la part commune.`;
    }
  }
}
