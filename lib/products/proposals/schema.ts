import { z } from 'zod';

/** A generous bound on the request; the registry's own limits are the ones reported. */
const text = z.string().max(100_000);

/** What a founder proposes: a product, or what one of theirs should say instead. One promise and one shop a line. */
export const productProposalBody = z.object({
  /** The product that is changed; absent or empty: a new one, under `id`. */
  changes: text.optional(),
  id: text.default(''),
  name: text.default(''),
  spaceName: text.default(''),
  tone: text.default(''),
  promises: text.default(''),
  shopDomains: text.default(''),
  /** For who reviews: why, and what proves it. */
  note: z.string().max(2000).default(''),
});
export type ProductProposal = z.output<typeof productProposalBody>;
