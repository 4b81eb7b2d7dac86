/** Request body of an added Memory, in bytes; an imported one obeys the same limit (B-116). */
export const MAX_MEMORY_REQUEST_BYTES = 131_072;

/** Greatest depth of a nested Memory; a root has depth 0. */
export const MAX_MEMORY_DEPTH = 16;

/** Spaces of an account, archived ones included: every list of them is read whole. */
export const MAX_SPACES = 2_000;

/** Projects of an account: their list is read whole. */
export const MAX_PROJECTS = 2_000;

/** Longest title of a Memory, in UTF-16 code units. */
export const MAX_TITLE_LENGTH = 200;

/** Longest text of a search, and of a question about a context, in UTF-16 code units. */
export const MAX_QUESTION_LENGTH = 200;

/** Results of a search: for whoever names no number, and the most that may be asked for. */
export const DEFAULT_SEARCH_LIMIT = 20;
export const MAX_SEARCH_LIMIT = 50;

/** Length of a context, in UTF-16 code units: for whoever names none, and what is asked for is brought between the two others (B-142). */
export const DEFAULT_CONTEXT_CHARS = 16_000;
export const MIN_CONTEXT_CHARS = 200;
export const MAX_CONTEXT_CHARS = 200_000;
