/** What the file of a product says: its place says whose it is and its identifier (`accounts/<account>/<product>.ts`). */
export type ProductFile = {
  name: string;
  /** The Space whose KNOWLEDGE facts count for copy rules: its exact name in the account. */
  spaceName?: string;
  references: {
    /** Exact lowercase hosts from which references may be read. At most 10. */
    shopDomains: readonly string[];
  };
  brand?: {
    /** At most 300 characters. */
    tone?: string;
    /** At most 12, each at most 200 characters. */
    promises?: readonly string[];
    /** Words that a voice says otherwise than it reads them: whole words, letter case counts. At most 50. */
    pronunciations?: readonly { written: string; spoken: string }[];
    /** How templates draw it. */
    colours?: { colour?: string; ink?: string; paper?: string };
  };
};
