import type { ProviderName } from '#lib/core/env.ts';
import type { GenerationKind } from '#lib/db/generated/tables.ts';

/** Words of the journal: kinds, failure sentences. The statuses have theirs in lib/studio/generation/status-labels.ts. */

export const KIND_LABELS: Readonly<Record<GenerationKind, string>> = {
  IMAGE: 'Image',
  VECTOR: 'Pictogramme',
  VOICE: 'Voix',
  VIDEO: 'Vidéo',
  MOTION: 'Mouvement',
  LIPSYNC: 'Synchronisation labiale',
  RENDER: 'Rendu',
};

/** The outside services, as people know them within a sentence, and what each does. */
export const SERVICE_WORDS: Readonly<Record<ProviderName, { name: string; does: string }>> = {
  gateway: { name: 'passerelle de modèles', does: 'Images, pictogrammes, vidéos' },
  elevenlabs: { name: 'ElevenLabs', does: 'Voix' },
  lipsync: { name: 'Sync', does: 'Synchronisation labiale' },
  github: { name: 'GitHub Actions', does: 'Rendus de gabarits' },
};

/**
 * One sentence per failure code, as a person reads it in the journal and as the API answers it. A code that a failed row can carry is
 * added here (`FailureCode`); the compiler then asks for it wherever it matters.
 */
export const FAILURE_SENTENCES = {
  'provider-failure': 'Le fournisseur n’a pas livré : le montant retenu a été remboursé.',
  'setting-dropped':
    'Le fournisseur a ignoré un réglage facturé : le fichier n’a pas été gardé et le montant retenu a été remboursé.',
  video_timeout: 'La vidéo n’était pas terminée après deux heures : le montant retenu a été remboursé.',
  orphaned:
    'La vidéo a été lancée mais ne peut plus être relue chez le fournisseur : le montant retenu a été remboursé.',
  'no-callback':
    'Le rendu n’a donné aucune réponse en 100 minutes : le montant retenu a été remboursé. Un fichier a pu être publié.',
  quota:
    'Le quota du service de rendu est épuisé : le rendu n’a pas commencé et le montant retenu a été remboursé. Relancez-le au retour du quota.',
  'composition-failed':
    'La composition de l’image a échoué : rien n’a été livré et le montant retenu a été remboursé.',
  'internal-error':
    'Une erreur interne est survenue : rien n’est débité sans livraison, et le montant retenu est rendu.',
} as const;

/** Sentences for particular cases of a failure code. */
export const generation = {
  otherProduct:
    'Ce fichier appartient au produit « {product} » : seuls les fichiers du produit choisi et du produit libre servent de références ici. Choisissez ce produit, ou ajoutez le fichier à nouveau.',
  caseUnserved:
    'Aucun service réel ne fait ce cas aujourd’hui\u00a0: rien n’a été débité, choisissez-en un autre.',
  serviceAbsent:
    'Ce service n’est pas configuré sur cette installation ({service})\u00a0: rien n’a été débité.',
  chargePending:
    'Votre fichier est livré. Le débit n’a pas encore pu être inscrit : il le sera automatiquement, pour le coût mesuré.',
  timeout: 'Le fournisseur n’a pas répondu à temps : le montant retenu a été remboursé.',
  contentRefused:
    'Le fournisseur a refusé cette demande au titre de ses règles de contenu : le montant retenu a été remboursé.',
  inputUnreadable:
    'Le fournisseur n’a pas pu lire l’un des fichiers donnés : le montant retenu a été remboursé. Enregistrez-le à nouveau ou choisissez-en un autre.',
  inputTooLong:
    'Le fournisseur a refusé cette demande, trop longue pour lui : le montant retenu a été remboursé. Choisissez une voix ou un clip plus court.',
  inputSize:
    'Le fournisseur n’accepte pas la définition de l’image ou du clip donné : le montant retenu a été remboursé. Choisissez-en un autre.',
  noFace:
    'Le fournisseur n’a pas trouvé de visage utilisable dans l’image ou le clip donné : le montant retenu a été remboursé. Choisissez-en un où le visage est de face, net et bien éclairé.',
  requestRefused:
    'Le fournisseur a refusé cette demande sans la traiter : le montant retenu a été remboursé.',
  providerQuota: 'Le quota du compte chez le fournisseur est épuisé : le montant retenu a été remboursé.',
  providerBusy:
    'Le fournisseur a trop de demandes en cours : le montant retenu a été remboursé. Réessayez dans quelques minutes.',
  providerUnreachable:
    'Le fournisseur n’a pas pu être joint : le montant retenu a été remboursé. Réessayez dans quelques minutes.',
  keyRefused:
    'Le fournisseur n’accepte pas la clé du service pour cette demande : le montant retenu a été remboursé. Prévenez l’exploitant du service.',
  notFoundThere:
    'Le fournisseur ne trouve pas ce qui lui est demandé (un modèle ou une voix, par exemple) : le montant retenu a été remboursé. Choisissez autre chose, ou prévenez l’exploitant du service.',
  deniedByRule:
    'Une règle du compte du service chez le fournisseur interdit ce modèle : le montant retenu a été remboursé. Choisissez un autre modèle, ou prévenez l’exploitant du service.',
  svgUnsafe:
    'Le pictogramme reçu contenait autre chose que du dessin : il n’a pas été gardé et le montant retenu a été remboursé.',
  svgTruncated:
    'Le pictogramme a été coupé avant la fin : il n’a pas été gardé et le montant retenu a été remboursé.',
  notStored:
    'Le fichier a été produit mais n’a pas pu être enregistré : le montant retenu a été remboursé. Le fournisseur a été payé, vous n’avez rien payé.',
  unusableFile: 'Le fournisseur a livré un fichier inutilisable : le montant retenu a été remboursé.',
  interrupted: 'La demande a été interrompue avant la fin : le montant retenu a été remboursé.',
  referenceDropped:
    'Le fournisseur n’a pas tenu compte d’une image ou d’un clip de référence : le fichier n’a pas été gardé et le montant retenu a été remboursé.',
  endFrameDropped: 'Le fournisseur n’a pas tenu compte de l’image de fin.',
  renderFailed: 'Le rendu a échoué : le montant retenu a été remboursé.',
  renderEmpty: 'Le rendu n’a rien publié : le montant retenu a été remboursé.',
  renderOutside:
    'Le rendu a publié hors de son dossier : ses fichiers ont été supprimés et le montant retenu a été remboursé.',
  renderDiffers:
    'Le rendu n’est pas celui qui était demandé : ses fichiers ont été supprimés et le montant retenu a été remboursé.',
  videoLate:
    'La vidéo n’était pas terminée après deux heures : le montant retenu sera remboursé à la prochaine relève.',
  renderLate:
    'Le rendu n’a donné aucune réponse en 100 minutes : le montant retenu sera remboursé à la prochaine relève. Un fichier a pu être publié.',
  noCallbackPublished:
    'Le rendu n’a donné aucune réponse en 100 minutes : le montant retenu a été remboursé. Un fichier a pourtant été publié.',
  balance:
    'Le solde disponible ({available}) ne couvre pas le montant à retenir ({amount}) : rien n’a été débité.',
  capPerGeneration:
    'Le montant à retenir ({amount}) dépasse le plafond par génération ({cap}) : rien n’a été débité.',
  capMonthly:
    'Le plafond du mois ({cap}) serait dépassé : le montant déjà engagé est de {used}, le montant à retenir est de {amount}. Rien n’a été débité.',
  capCredential:
    'Le plafond du mois de cette clé ou de cette application ({cap}) serait dépassé : le montant déjà engagé est de {used}, le montant à retenir est de {amount}. Rien n’a été débité. Le membre peut le relever dans Développeurs ou Applications.',
  noneLeft: 'Aucune des {count} générations demandées n’est partie.',
  capAccount:
    'Le plafond mensuel du compte ({cap}) serait dépassé, tous membres confondus : {amount} à retenir. Rien n’a été débité. Un fondateur du compte peut demander davantage à l’exploitant.',
} as const;
