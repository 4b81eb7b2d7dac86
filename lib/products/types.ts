import type { ProductFile } from './shape/product-file.ts';

export type { ProductFile };

/** The free product: no brand, no shop, open to every account. */
export const FREE_PRODUCT = 'libre';

/** A product as the registry declares it. Reviewed in change requests, never configuration. */
export type Product = ProductFile & {
  /** Lowercase letters, digits and hyphens; names its folder in the file store. Never reused. */
  id: string;
  /** The account that owns it: invisible to every other one. */
  accountId: string;
};
