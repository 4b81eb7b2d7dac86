import type { MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';

/** A member's comment on a generation; `text` names members by tokens (`withNames`). */
export type Comment = { id: string; memberId: string; text: string; createdAt: Date };

/** Comments that one generation takes: a list is always whole. */
export const MAX_COMMENTS = 200;

const findComments = prepared(
  'studio.comments',
  (db, p: Params<{ accountId: string; generationId: string }>) =>
    db
      .selectFrom('GenerationComment')
      .select(['id', 'memberId', 'text', 'createdAt'])
      .where('accountId', '=', p.accountId)
      .where('generationId', '=', p.generationId)
      .orderBy('id')
      .limit(MAX_COMMENTS),
);

/** The comments of a generation of the account, oldest first. */
export function listComments(ctx: Context<MemberActor>, input: { generationId: string }): Promise<Comment[]> {
  return findComments.all(ctx.kysely, {
    accountId: ctx.actor.accountId,
    generationId: input.generationId,
  });
}
