/** Rows of the journal that one gesture takes: decided, put into the bin or downloaded together. No more can be chosen. */
export const MAX_CHOSEN = 100;

/** Files that one decision takes, and that one « Annuler » gives back: as many as one zip has. */
export const MAX_REVIEWED = 1_000;

/** Files of one zip: all of those rows, each with as many pages as a template can have. */
export const MAX_ZIPPED = 1_000;
