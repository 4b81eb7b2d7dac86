import type { MemberActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { requireAsShown } from '#lib/core/input/as-shown.ts';
import type { Shown } from '#lib/core/input/shown-as.ts';
import { transaction } from '#lib/db/transaction.ts';
import { nameProblem } from './name-problem.ts';

/** Changes one's own name, as others see it. Errors: `invalid_request` naming the field, `conflict` when it is no longer as `shown`. */
export async function updateProfile(
  ctx: Context<MemberActor>,
  input: { name: string; shown?: Shown | undefined },
): Promise<void> {
  const name = input.name.trim();
  const message = nameProblem(name);
  if (message) {
    throw new ServiceError('invalid_request', { message, problems: [{ field: 'name', message }] });
  }
  const { accountId, memberId } = ctx.actor;
  await transaction(ctx, async (tx) => {
    const before = await tx
      .selectFrom('Member')
      .select('name')
      .where('id', '=', memberId)
      .where('accountId', '=', accountId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!before || before.name === name) return;
    requireAsShown(
      input.shown,
      { name: { what: 'Votre nom a été modifié', now: before.name, next: name } },
      'Rechargez la page pour voir ce qui vaut maintenant.',
    );
    await tx
      .updateTable('Member')
      .set({ name, updatedAt: ctx.clock.now() })
      .where('id', '=', memberId)
      .where('accountId', '=', accountId)
      .execute();
    await recordAudits(tx, ctx, [
      { action: 'member.renamed', accountId, subject: { type: 'member', id: memberId } },
    ]);
  });
}
