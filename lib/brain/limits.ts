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
