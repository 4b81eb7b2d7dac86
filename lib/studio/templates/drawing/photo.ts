/** A photograph, ready to be placed. */
export type Photo = { bytes: Buffer };
