import type { ContextExplanation } from './types.ts';

/** Why a Memory is in the context as it is, in one French sentence for the cockpit. */
export function inclusionSentence({ inclusion, cut, bodyLength }: ContextExplanation): string {
  switch (inclusion) {
    case 'whole':
      return 'Le texte est entier.';
    case 'title-only':
      return 'Seul le titre est gardé : il ne reste pas assez de place pour le texte.';
    case 'omitted':
      return 'Omise : même les titres ne tiennent pas tous dans la longueur demandée.';
    case 'shortened': {
      const where = cut?.boundary === 'word' ? 'à la fin d’un mot' : 'entre deux caractères';
      return `Coupé au caractère ${cut?.at ?? 0} sur ${bodyLength}, ${where} : le texte dépasse la part commune.`;
    }
  }
}
