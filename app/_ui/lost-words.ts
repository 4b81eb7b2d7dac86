import { unstable_isUnrecognizedActionError } from 'next/navigation';

/** Why an action gave no answer, and what to do: the page is of a former release, or the network was lost. `kept`: a sentence on what is not lost. */
export function lostWords(error?: unknown, kept = ''): string {
  return unstable_isUnrecognizedActionError(error)
    ? 'Atelier a changé depuis que cette page est ouverte\u00a0: rien n’a été fait. Copiez ce que vous y avez saisi, puis rechargez-la.'
    : `La connexion a été perdue avant la réponse. ${kept}Vérifiez votre réseau, puis réessayez.`;
}
