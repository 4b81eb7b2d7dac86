import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { createId } from '#lib/core/ids.ts';

/** Adds a concept that gathers no file yet to the actor's account: people make one together with its first file. */
export async function addConcept(
  ctx: Context<AccountActor>,
  concept: { productId: string; name: string; note?: string },
): Promise<{ id: string }> {
  const { accountId, memberId } = ctx.actor;
  const now = ctx.clock.now();
  return ctx.kysely
    .insertInto('Concept')
    .values({
      id: createId('concept', now),
      accountId,
      memberId,
      note: '',
      ...concept,
      createdAt: now,
      updatedAt: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
}
