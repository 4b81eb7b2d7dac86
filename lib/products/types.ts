/** The free product: no brand, no shop, open to every account. */
export const FREE_PRODUCT = 'libre';

/** A product as the registry declares it. Reviewed in change requests, never configuration. */
export type Product = {
  /** Lowercase letters, digits and hyphens; names its folder in the file store. Never reused. */
  id: string;
  name: string;
  /** The account that owns it: invisible to every other one. */
  accountId: string;
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
    /** How templates draw it. */
    colours?: { colour?: string; ink?: string; paper?: string };
  };
};
