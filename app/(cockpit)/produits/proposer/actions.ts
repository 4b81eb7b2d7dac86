'use server';
import { memberAction } from '#lib/http/actions/member-action.ts';
import { proposeProduct } from '#lib/products/proposals/propose-product.ts';
import { productProposalBody } from '#lib/products/proposals/schema.ts';

/** A product, or a change of one, as a pull request to have reviewed: the registry itself is not touched. */
export const propose = memberAction({
  permission: 'products.propose',
  schema: productProposalBody,
  async run(ctx, given) {
    return { data: await proposeProduct(ctx, given) };
  },
});
