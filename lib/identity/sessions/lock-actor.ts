import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { withCurrentRights } from '#lib/core/current-rights.ts';
import type { Transaction } from '#lib/db/types.ts';

/**
 * For the transaction of what opens a door later, without a session (an application, a link, a webhook endpoint, a passkey): locks the row of the
 * member who acts. Whoever ends everything at once (`revokeAllSessions`) waits until it is made, and ends it too, or was first: nothing is
 * made. Take it after the account's row, before any other. Errors: `forbidden` once the session has ended, or the member is not active.
 */
export async function lockActor(tx: Transaction, ctx: Context<AccountActor>): Promise<void> {
  await tx
    .selectFrom('Member')
    .select('id')
    .where('id', '=', ctx.actor.memberId)
    .where('accountId', '=', ctx.actor.accountId)
    .forNoKeyUpdate()
    .execute();
  await withCurrentRights({ ...ctx, kysely: tx });
}
