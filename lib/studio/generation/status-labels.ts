/** What a person sees of a generation (S-37 to S-43), in the order of the journal's filters. */
export const DISPLAYED_STATUSES = [
  'running',
  'done',
  'failed',
  'quota',
  'no-callback',
  'cancelled',
  'deleted',
] as const;
export type DisplayedStatus = (typeof DISPLAYED_STATUSES)[number];

/** The one word for each, in the API's `label` as on every page. */
export const STATUS_LABELS: Readonly<Record<DisplayedStatus, string>> = {
  running: 'En cours',
  done: 'Terminé',
  failed: 'Échec',
  quota: 'Quota',
  'no-callback': 'Sans retour',
  cancelled: 'Annulé',
  deleted: 'Supprimé',
};
