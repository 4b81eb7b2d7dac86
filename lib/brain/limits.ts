/** Request body of an added Memory, in bytes; an imported one obeys the same limit (B-116). */
export const MAX_MEMORY_REQUEST_BYTES = 131_072;

/** Greatest depth of a nested Memory; a root has depth 0. */
export const MAX_MEMORY_DEPTH = 16;

/** Longest title of a Memory, in UTF-16 code units. */
export const MAX_TITLE_LENGTH = 200;
