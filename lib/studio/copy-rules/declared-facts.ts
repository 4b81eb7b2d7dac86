import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { givenSpaces, isReached } from '#lib/db/space-rights.ts';
import type { Product } from '#lib/products/types.ts';

const findFacts = prepared(
  'studio.facts',
  (db, p: Params<{ accountId: string; given: string | null; spaceName: string }>) =>
    db
      .selectFrom('Memory as memory')
      .innerJoin('Space as space', 'space.id', 'memory.spaceId')
      .select('memory.title')
      .where('space.accountId', '=', p.accountId)
      .where('space.name', '=', p.spaceName)
      .where('space.archivedAt', 'is', null)
      .where((eb) => isReached(p.given, eb.ref('space.id')))
      .where('memory.role', '=', 'KNOWLEDGE')
      .where('memory.kind', '=', 'FACT')
      .where('memory.deletedAt', 'is', null),
);

/**
 * The ids of the facts in the Knowledge of the product's Space (`F12` at the head of a FACT's title), or null for a product
 * without a Space; none of a Space out of reach. Facts of Spaces of the same name count together.
 */
export async function declaredFacts(ctx: Context<AccountActor>, product: Product): Promise<string[] | null> {
  if (product.spaceName === undefined) return null;
  const facts = await findFacts.all(ctx.kysely, {
    accountId: ctx.actor.accountId,
    given: givenSpaces(ctx.actor),
    spaceName: product.spaceName,
  });
  return facts.flatMap(({ title }) => /^\p{Lu}\d+(?![\p{L}\p{N}])/u.exec(title.trim())?.[0] ?? []);
}
