import type { Permission } from '#lib/core/actor.ts';

/** What a right allows, in words. */
export const PERMISSION_WORDS: Record<Permission, { label: string; hint: string }> = {
  'brain.write': {
    label: 'Écrire dans les espaces',
    hint: 'Créer des espaces et des projets\u00a0; ajouter, modifier et supprimer des mémoires.',
  },
  generate: {
    label: 'Générer dans le studio',
    hint: 'Demander des images, voix, vidéos et rendus, dans la limite de son solde.',
  },
  'storage.purge': {
    label: 'Purger des fichiers',
    hint: 'Supprimer définitivement les fichiers d’un produit.',
  },
  'members.manage': { label: 'Gérer l’équipe', hint: 'Inviter, changer les droits, suspendre.' },
  'ledger.grant': { label: 'Répartir le crédit', hint: 'Créditer un portefeuille et fixer ses plafonds.' },
  'audit.read': { label: 'Consulter l’audit', hint: 'Voir qui a fait quoi.' },
  'operations.read': {
    label: 'Suivre l’exploitation',
    hint: 'Débits en attente, écarts et pertes du compte.',
  },
  'service.operate': {
    label: 'Exploiter le service',
    hint: 'Relèves, fournisseurs, crédit et plafonds de tous les comptes.',
  },
};
