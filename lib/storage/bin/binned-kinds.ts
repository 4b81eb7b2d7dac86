/** The kinds in the bin besides Memories: the files of a generation, an upload, an avatar, a concept. */
export const BINNED_KINDS = ['files', 'upload', 'avatar', 'concept'] as const;
export type BinnedKind = (typeof BINNED_KINDS)[number];

/** One thing of the bin, by its kind and the identifier of its generation, upload, avatar or concept. */
export type BinnedRef = { kind: BinnedKind; id: string };
