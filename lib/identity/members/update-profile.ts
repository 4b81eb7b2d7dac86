import type { MemberActor } from '#lib/core/actor.ts';
import { recordAudit } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';

/** Changes one's own name, as others see it. Errors: `invalid_request` naming the field. */
export async function updateProfile(ctx: Context<MemberActor>, input: { name: string }): Promise<void> {
  const name = input.name.trim();
  if (!name || name.length > 120) {
    const message = 'Le nom compte de 1 à 120 caractères.';
    throw new ServiceError('invalid_request', { message, problems: [{ field: 'name', message }] });
  }
  const { accountId, memberId } = ctx.actor;
  await ctx.db.$transaction(async (tx) => {
    const { count } = await tx.member.updateMany({
      where: { id: memberId, accountId, name: { not: name } },
      data: { name, updatedAt: ctx.clock.now() },
    });
    if (count === 0) return;
    await recordAudit(tx, ctx, {
      action: 'member.renamed',
      accountId,
      subject: { type: 'member', id: memberId },
    });
  });
}
