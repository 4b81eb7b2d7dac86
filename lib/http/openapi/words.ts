/** Sentences that several declarations share. */

export const COSTS_ONE_READ = 'Coûte une lecture du quota mensuel quand elle réussit.';

export const UP_TO_DATE = 'Votre copie (`If-None-Match`) est à jour\u00a0; aucune lecture n’est décomptée.';

export const UP_TO_DATE_COPY = 'Votre copie (`If-None-Match`) est à jour.';

/** The header of an answer that can be asked for conditionally. */
export const TAGGED = { ETag: 'L’étiquette de cette réponse, à renvoyer dans `If-None-Match`' };
