import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { Product } from '#lib/products/types.ts';

/**
 * The ids of the facts in the Knowledge of the product's Space (`F12` at the head of a FACT's title), or null for a product
 * without a Space. Facts of Spaces of the same name count together.
 */
export async function declaredFacts(ctx: Context<AccountActor>, product: Product): Promise<string[] | null> {
  if (product.spaceName === undefined) return null;
  const facts = await ctx.sql.rows<{ title: string }>(
    'studio.facts',
    `SELECT m."title" FROM "Memory" m JOIN "Space" s ON s."id" = m."spaceId"
     WHERE s."accountId" = $1 AND s."name" = $2 AND s."archivedAt" IS NULL
       AND m."role" = 'KNOWLEDGE' AND m."kind" = 'FACT' AND m."deletedAt" IS NULL`,
    [ctx.actor.accountId, product.spaceName],
  );
  return facts.flatMap(({ title }) => /^\p{Lu}\d+(?![\p{L}\p{N}])/u.exec(title.trim())?.[0] ?? []);
}
