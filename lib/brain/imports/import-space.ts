import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { Executor } from '#lib/db/types.ts';
import { spaceNotFound } from '../not-found.ts';
import { requireBrainWrite } from '../require-brain-write.ts';

/**
 * Throws `not_found` or `forbidden` unless this is a Space of the account that the actor may write in. Asked before anything is fetched or read for it, and
 * again when the import is recorded.
 */
export async function requireImportSpace(
  ctx: Pick<Context<AccountActor>, 'actor'>,
  on: Executor,
  spaceId: string,
): Promise<void> {
  requireBrainWrite(ctx, spaceId);
  const space = await on
    .selectFrom('Space')
    .select('id')
    .where('id', '=', spaceId)
    .where('accountId', '=', ctx.actor.accountId)
    .where('archivedAt', 'is', null)
    .executeTakeFirst();
  if (!space) throw spaceNotFound();
}
