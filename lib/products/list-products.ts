import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { productsOf } from './registry.ts';
import type { Product } from './types.ts';

export type ProductView = Omit<Product, 'accountId'> & {
  /** The Space that it names, when the account has one of that name that is not archived. */
  space: { id: string; name: string } | null;
};

/** The account's products as the registry declares them, with the Space that each names, in the order of the registry. */
export async function listProducts(ctx: Context<AccountActor>): Promise<ProductView[]> {
  const products = productsOf(ctx.actor.accountId);
  const names = [...new Set(products.flatMap(({ spaceName }) => spaceName ?? []))];
  const spaces =
    names.length === 0
      ? []
      : await ctx.sql.rows<{ id: string; name: string }>(
          'products.spaces',
          `SELECT DISTINCT ON ("name") "id", "name" FROM "Space"
           WHERE "accountId" = $1 AND "name" = ANY($2::text[]) AND "archivedAt" IS NULL ORDER BY "name", "createdAt"`,
          [ctx.actor.accountId, names],
        );
  return products.map(({ accountId: _, ...product }) => ({
    ...product,
    space: spaces.find(({ name }) => name === product.spaceName) ?? null,
  }));
}
