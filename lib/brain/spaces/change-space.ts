import type { AccountActor } from '#lib/core/actor.ts';
import { recordAudit } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { spaceNotFound } from '../not-found.ts';
import { requireBrainWrite } from '../require-brain-write.ts';
import { spaceProblems } from './create-space.ts';

/**
 * Renames a Space and sets or clears its website. Errors: `forbidden`, `not_found` (archived ones too), `invalid_request`
 * naming the field.
 */
export async function changeSpace(
  ctx: Context<AccountActor>,
  input: { spaceId: string; name: string; websiteUrl: string | null },
): Promise<void> {
  requireBrainWrite(ctx);
  const problems = spaceProblems(input);
  if (problems[0]) throw new ServiceError('invalid_request', { message: problems[0].message, problems });
  const now = ctx.clock.now();
  const name = input.name.trim();
  await ctx.db.$transaction(async (tx) => {
    const { count } = await tx.space.updateMany({
      where: { id: input.spaceId, accountId: ctx.actor.accountId, archivedAt: null },
      data: { name, websiteUrl: input.websiteUrl || null, version: { increment: 1 }, updatedAt: now },
    });
    if (count === 0) throw spaceNotFound();
    await recordAudit(tx, ctx, {
      action: 'space.changed',
      accountId: ctx.actor.accountId,
      subject: { type: 'space', id: input.spaceId },
      data: { name, websiteUrl: input.websiteUrl || null },
    });
  });
}

/**
 * Archives a Space (out of the API, of search and of the context; its CU stay counted and its Memories untouched) or brings it back.
 * Idempotent. Errors: `forbidden`, `not_found`.
 */
export async function archiveSpace(
  ctx: Context<AccountActor>,
  input: { spaceId: string; archived: boolean },
): Promise<void> {
  requireBrainWrite(ctx);
  const now = ctx.clock.now();
  const where = { id: input.spaceId, accountId: ctx.actor.accountId };
  await ctx.db.$transaction(async (tx) => {
    const { count } = await tx.space.updateMany({
      where: { ...where, archivedAt: input.archived ? null : { not: null } },
      data: { archivedAt: input.archived ? now : null, version: { increment: 1 }, updatedAt: now },
    });
    if (count === 0) {
      if ((await tx.space.count({ where })) === 0) throw spaceNotFound();
      return;
    }
    await recordAudit(tx, ctx, {
      action: input.archived ? 'space.archived' : 'space.unarchived',
      accountId: ctx.actor.accountId,
      subject: { type: 'space', id: input.spaceId },
    });
  });
}
