export type CompositionInput = {
  /** The product as photographed: kept pixel for pixel wherever the mask is black. */
  product: Uint8Array;
  /** What the provider drew. */
  generated: Uint8Array;
  /** White where the generated picture shows, black (or transparent) where the product stays. */
  mask: Uint8Array;
};

export type Composition = { png: Uint8Array; width: number; height: number; coverage: number };
