import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { isWithinReach } from '#lib/db/space-rights.ts';
import { isAnyOf } from '#lib/db/values.ts';
import { productsOf } from './registry.ts';
import type { Product } from './types.ts';

export type ProductView = Omit<Product, 'accountId'> & {
  /** Whether it names a Space; `spaceName` says which to who reaches it, and to whoever was given all Spaces. */
  namesSpace: boolean;
  /** The Space that it names, when one within reach has that name and is not archived. */
  space: { id: string; name: string } | null;
};

/** The account's products as the registry declares them, with the Space that each names, in the order of the registry. */
export async function listProducts(ctx: Context<AccountActor>): Promise<ProductView[]> {
  const products = productsOf(ctx.actor.accountId);
  const names = [...new Set(products.flatMap(({ spaceName }) => spaceName ?? []))];
  const spaces =
    names.length === 0
      ? []
      : await ctx.kysely
          .selectFrom('Space')
          .select(['id', 'name'])
          .distinctOn('name')
          .where('accountId', '=', ctx.actor.accountId)
          .where(isAnyOf('name', names))
          .where('archivedAt', 'is', null)
          .where(isWithinReach(ctx.actor, 'id'))
          .orderBy('name')
          .orderBy('createdAt')
          .execute();
  return products.map(({ accountId: _, spaceName, ...product }) => {
    const space = spaces.find(({ name }) => name === spaceName) ?? null;
    // Its Space was renamed, archived or not granted: a member with some Spaces only is not told which, nor its name.
    const told = space !== null || ctx.actor.spaces === undefined ? spaceName : undefined;
    const named = told === undefined ? {} : { spaceName: told };
    return { ...product, ...named, namesSpace: spaceName !== undefined, space };
  });
}
