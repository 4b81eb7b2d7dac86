/** Why a file was not accepted. The clip words are those of the API's `reference-refused`. */
type MediaRefusalReason =
  | 'empty'
  | 'too-large'
  | 'type-not-accepted'
  | 'type-mismatch'
  | 'hidden-content'
  | 'image-unreadable'
  | 'image-too-big'
  | 'document-unreadable'
  | 'clip-unreadable'
  | 'not-a-clip'
  | 'clip-too-short'
  | 'clip-too-long';

/** One French sentence per reason. */
const MEDIA_REFUSAL_MESSAGES: Record<MediaRefusalReason, string> = {
  empty: 'Le fichier est vide.',
  'too-large': 'Le fichier est trop lourd.',
  'type-not-accepted': 'Ce type de fichier n’est pas accepté ici.',
  'type-mismatch': 'Le contenu du fichier n’est pas du type annoncé.',
  'hidden-content':
    'Le fichier contient autre chose que ce qu’il montre. Enregistrez-le à nouveau, puis réessayez.',
  'image-unreadable': 'Cette image est abîmée ou incomplète.',
  'image-too-big': 'Cette image compte trop de pixels.',
  'document-unreadable': 'Ce PDF est abîmé ou incomplet.',
  'clip-unreadable': 'Ce fichier est abîmé ou incomplet : sa durée ne peut pas être mesurée.',
  'not-a-clip': 'Ce fichier ne contient pas de vidéo.',
  'clip-too-short': 'Cet extrait est trop court.',
  'clip-too-long': 'Cet extrait est trop long.',
};

/** A file that was refused, with a French sentence that never quotes its content. */
export class MediaRefusal extends Error {
  readonly reason: MediaRefusalReason;

  constructor(reason: MediaRefusalReason, options: { cause?: unknown; message?: string } = {}) {
    super(options.message ?? MEDIA_REFUSAL_MESSAGES[reason], { cause: options.cause });
    this.name = 'MediaRefusal';
    this.reason = reason;
  }
}
