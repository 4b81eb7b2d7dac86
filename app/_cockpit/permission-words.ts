import type { Permission } from '#lib/core/actor.ts';

/** What a permission allows, in words. */
export const PERMISSION_WORDS: Record<Permission, { label: string; hint: string }> = {
  'brain.write': {
    label: 'Écrire dans les espaces',
    hint: 'Créer et archiver des espaces et des projets\u00a0; importer, ajouter, modifier, supprimer et rétablir des mémoires\u00a0; décider des propositions, et partager le contexte d’un espace par un lien.',
  },
  generate: {
    label: 'Générer dans le Studio',
    hint: 'Demander des images, voix, vidéos et rendus dans la limite de son solde\u00a0; approuver, rejeter et supprimer des fichiers\u00a0; commenter, partager un fichier par un lien, et tenir avatars et concepts.',
  },
  'storage.purge': {
    label: 'Purger des fichiers',
    hint: 'Effacer pour toujours les fichiers d’un produit, et ce qui attend dans la corbeille.',
  },
  'products.propose': {
    label: 'Proposer des produits',
    hint: 'Préparer, pour relecture, un produit ou ce qui change d’un produit du registre.',
  },
  'members.manage': {
    label: 'Gérer l’équipe',
    hint: 'Inviter, changer les droits, suspendre, effacer\u00a0; exporter ou fermer le compte.',
  },
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
