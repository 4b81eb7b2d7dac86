import type { AssetState, UploadKind } from '#lib/db/generated/tables.ts';

/** What members read about files: refusals, states, reasons. */

export const FILE_STATE_LABELS: Record<AssetState, string> = {
  GENERATED: 'À vérifier',
  REJECTED: 'Rejeté',
  APPROVED: 'Approuvé',
  DELIVERED: 'Livré',
};

/** What a member sent. */
export const UPLOAD_KIND_LABELS: Record<UploadKind, string> = {
  IMAGE: 'Image',
  RUSH: 'Clip',
  TRACK: 'Piste sonore',
  DOCUMENT: 'Document',
};

/** Why a file is kept, as a clause after « gardé ». The rule of each is in lib/storage/keep-reason.ts. */
export const KEEP_REASON_LABELS = {
  recent: 'créé il y a moins de 30 jours',
  status: 'approuvé ou livré',
  avatar: 'gardé comme avatar',
  learning: 'exemple d’une leçon',
  concept: 'rattaché à un concept',
  lineage: 'un fichier de sa lignée est approuvé ou livré',
  rush: 'gardé comme rush',
  consent: 'document d’un consentement signé',
  'in-flight': 'utilisé par une génération en cours',
  sibling: 'un autre fichier de ce rendu est approuvé ou livré',
  'foreign-store': 'venu de l’ancienne application',
  changed: 'modifié depuis son enregistrement',
  recorded: 'fichier d’un rendu ou d’un envoi',
} as const;

export const storage = {
  fileGone: 'Ce fichier n’existe pas dans ce compte, ou il a été supprimé.',
  productUnknown: 'Ce produit n’existe pas dans ce compte.',
  notFromHere: 'Un fichier {from} ne peut pas devenir {to}.',
  notAFace: 'Seule une image peut devenir un avatar.',
  notARush: 'Seul un rush vidéo peut être gardé ici.',
  uploadUnknown: 'Ce fichier n’a pas été envoyé par ce compte pour ce produit.',
  uploadMissing: 'Le fichier n’est pas arrivé dans le magasin de fichiers. Envoyez-le à nouveau.',
  uploadSlow: 'Ce fichier n’a pas pu être lu à temps. Il n’est pas perdu : réessayez dans un instant.',
  importUploadGone:
    'Cet envoi n’est pas arrivé, a déjà été lu, ou date de plus d’une heure. Envoyez les fichiers à nouveau.',
  uploadPath: 'Cet emplacement n’est pas celui d’un envoi de ce compte pour ce produit.',
  storeSilent:
    'Le magasin de fichiers ne répond pas. Le fichier n’est pas perdu : réessayez dans un instant.',
  uploadStale: 'Cet envoi date de plus d’un jour sans avoir été confirmé. Envoyez le fichier à nouveau.',
  uploadName: 'Le nom du fichier doit tenir en lettres, chiffres, tirets et se terminer par {extensions}.',
  storageNone:
    'Aucune place n’est comprise dans ce compte pour des fichiers\u00a0: rien n’a été envoyé. Demandez-en à l’exploitant du service.',
  storageFull:
    'Il n’y a pas assez de place\u00a0: les fichiers du compte occupent {used}\u00a0Mo sur {quota}\u00a0Mo. Rien n’a été envoyé\u00a0; supprimez des fichiers envoyés, puis recommencez.',
  storageFullBinned:
    'Il n’y a pas assez de place\u00a0: les fichiers du compte occupent {used}\u00a0Mo sur {quota}\u00a0Mo, dont {binned}\u00a0Mo dans la corbeille. Rien n’a été envoyé\u00a0; un fondateur peut effacer ce qu’elle contient.',
  tooManySending:
    'Vous envoyez déjà {count} fichiers à la fois. Attendez que l’un d’eux soit arrivé, puis recommencez.',
  callbackUnsigned: 'Ce rappel n’est pas signé par le magasin de fichiers : rien n’a été enregistré.',
  purgeFree: 'Le produit libre ne peut pas être purgé.',
  zipTooLarge:
    'Ces fichiers pèsent {size}\u00a0Mo ensemble, {most}\u00a0Mo au plus tiennent dans un téléchargement : choisissez-en moins.',
  zipTooMany:
    'Plus de {most} fichiers ne tiennent pas dans un téléchargement\u00a0: choisissez moins de générations.',
  reviewTooMany:
    'Ces générations ont plus de {most} fichiers ensemble\u00a0: choisissez-en moins. Rien n’a été décidé.',
  zipEmpty: 'Il ne reste aucun fichier de ces générations\u00a0: il n’y a rien à télécharger.',
  zipMissing:
    'Le magasin de fichiers n’a pas donné ces fichiers. Rien n’est perdu : téléchargez-les un à un.',
  stillRunning: 'Cette génération n’est pas terminée : ses fichiers ne peuvent pas être supprimés.',
  notDelivered: 'Cette génération n’a livré aucun fichier : il n’y a rien à supprimer.',
  avatarFileBinned:
    'L’image de cet avatar est elle aussi dans la corbeille : rétablissez d’abord ses fichiers, puis l’avatar.',
  avatarTaken: 'Cette image est redevenue un avatar depuis : celui de la corbeille n’a pas été rétabli.',
  heldByMember:
    'Ce fichier est gardé ({reason}) : rien n’a été supprimé. Retirez d’abord ce qui le garde, puis recommencez.',
} as const;
