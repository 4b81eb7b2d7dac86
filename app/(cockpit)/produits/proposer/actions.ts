'use server';
import { memberAction } from '#lib/http/actions/member-action.ts';
import { proposeProduct } from '#lib/products/proposals/propose-product.ts';
import { productProposalBody } from '#lib/products/proposals/schema.ts';

/** The pull request that adds or changes a product, for review. Writes nothing in the registry. Errors: those of `proposeProduct`. */
export const propose = memberAction({
  permission: 'products.propose',
  schema: productProposalBody,
  async run(ctx, given) {
    return { data: await proposeProduct(ctx, given) };
  },
});
