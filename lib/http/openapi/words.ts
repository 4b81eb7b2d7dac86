/** Sentences that several declarations share. */

export const COSTS_ONE_READ = 'Coûte une lecture du quota mensuel quand elle réussit.';

export const UP_TO_DATE = 'Votre copie (`If-None-Match`) est à jour\u00a0; aucune lecture n’est décomptée.';

export const UP_TO_DATE_COPY = 'Votre copie (`If-None-Match`) est à jour.';
