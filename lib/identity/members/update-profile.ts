import type { MemberActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { transaction } from '#lib/db/transaction.ts';
import { nameProblem } from './name-problem.ts';

/** Changes one's own name, as others see it. Errors: `invalid_request` naming the field. */
export async function updateProfile(ctx: Context<MemberActor>, input: { name: string }): Promise<void> {
  const name = input.name.trim();
  const message = nameProblem(name);
  if (message) {
    throw new ServiceError('invalid_request', { message, problems: [{ field: 'name', message }] });
  }
  const { accountId, memberId } = ctx.actor;
  await transaction(ctx, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('Member')
      .set({ name, updatedAt: ctx.clock.now() })
      .where('id', '=', memberId)
      .where('accountId', '=', accountId)
      .where('name', '<>', name)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    await recordAudits(tx, ctx, [
      { action: 'member.renamed', accountId, subject: { type: 'member', id: memberId } },
    ]);
  });
}
