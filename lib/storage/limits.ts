/** Rows of the journal that one gesture takes: decided, put into the bin or downloaded together. No more can be chosen. */
export const MAX_CHOSEN = 100;
