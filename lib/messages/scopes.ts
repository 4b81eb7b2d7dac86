import type { Scope } from '#lib/core/actor.ts';

/** What a scope allows, in words: on a key, in the list of applications, where an application asks for it, in the documentation. */
export const SCOPE_WORDS: Record<Scope, { label: string; hint: string }> = {
  'brain:read': {
    label: 'Lire les espaces',
    hint: 'Espaces, textes, contexte, recherche et quota. Chaque lecture compte dans le quota du mois.',
  },
  'brain:write': {
    label: 'Ajouter des mémoires',
    hint: 'Écrire de nouveaux textes dans un espace, dans la limite de la capacité, sans rien y modifier ni supprimer.',
  },
  'brain:propose': {
    label: 'Proposer des mémoires',
    hint: 'Soumettre un texte, ou un changement à un texte. Rien n’est écrit avant qu’un membre du compte ne l’accepte.',
  },
  'projects:read': {
    label: 'Lire les projets',
    hint: 'La liste des projets enregistrés, leurs noms et leurs sites.',
  },
  'studio:read': {
    label: 'Lire le Studio',
    hint: 'Le journal des générations, les fichiers et le solde. Ne coûte rien.',
  },
  'studio:generate': {
    label: 'Demander des générations',
    hint: 'Chaque demande retient puis débite le crédit du membre, dans un plafond par mois.',
  },
};
