/** What a file says of its own origin: `manifest`, signed by whoever made it (C2PA); `mark`, a statement that a model made it (IPTC). */
export const PROVENANCES = ['manifest', 'mark', 'none'] as const;
export type Provenance = (typeof PROVENANCES)[number];
