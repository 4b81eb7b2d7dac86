import type { AccountActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { requireAsShown } from '#lib/core/input/as-shown.ts';
import type { Shown } from '#lib/core/input/shown-as.ts';
import { transaction } from '#lib/db/transaction.ts';
import { requireOpenAccount } from '../account-closed.ts';
import { nameAndSiteProblems } from '../name-and-site.ts';
import { spaceNotFound } from '../not-found.ts';
import { requireBrainWrite } from '../require-brain-write.ts';

/**
 * Renames a Space and sets or clears its website; what is not given stays as it is. Returns whether anything was given. Errors: `forbidden`,
 * `not_found` (archived ones too), `invalid_request` naming the field, `conflict` when what changes is no longer as `shown`, that of a closed account.
 */
export async function changeSpace(
  ctx: Context<AccountActor>,
  input: { spaceId: string; name?: string; websiteUrl?: string | null; shown?: Shown | undefined },
): Promise<boolean> {
  requireBrainWrite(ctx, input.spaceId);
  const problems = nameAndSiteProblems({ ...input, websiteUrl: input.websiteUrl || null });
  if (problems[0]) throw new ServiceError('invalid_request', { message: problems[0].message, problems });
  const changed = {
    ...(input.name === undefined ? {} : { name: input.name.trim() }),
    ...(input.websiteUrl === undefined ? {} : { websiteUrl: input.websiteUrl || null }),
  };
  if (Object.keys(changed).length === 0) return false;
  const now = ctx.clock.now();
  await transaction(ctx, async (tx) => {
    const before = await tx
      .selectFrom('Space')
      .select(['name', 'websiteUrl'])
      .where('id', '=', input.spaceId)
      .where('accountId', '=', ctx.actor.accountId)
      .where('archivedAt', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!before) throw spaceNotFound();
    requireAsShown(input.shown, {
      name: { what: 'Ce nom a été modifié', now: before.name, next: changed.name },
      websiteUrl: { what: 'Ce site a été modifié', now: before.websiteUrl, next: changed.websiteUrl },
    });
    await requireOpenAccount(tx, ctx.actor, ctx.actor.accountId);
    await tx
      .updateTable('Space')
      .set((eb) => ({ ...changed, version: eb('version', '+', 1), updatedAt: now }))
      .where('id', '=', input.spaceId)
      .where('accountId', '=', ctx.actor.accountId)
      .execute();
    await recordAudits(tx, ctx, [
      {
        action: 'space.changed',
        accountId: ctx.actor.accountId,
        subject: { type: 'space', id: input.spaceId },
        data: changed,
      },
    ]);
  });
  return true;
}

/**
 * Archives a Space (out of the API, of search and of the context; its CU stay counted and its Memories untouched) or brings it back.
 * Idempotent. Errors: `forbidden`, `not_found`, that of a closed account.
 */
export async function archiveSpace(
  ctx: Context<AccountActor>,
  input: { spaceId: string; archived: boolean },
): Promise<void> {
  requireBrainWrite(ctx, input.spaceId);
  const now = ctx.clock.now();
  const { accountId } = ctx.actor;
  await transaction(ctx, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('Space')
      .set((eb) => ({
        archivedAt: input.archived ? now : null,
        version: eb('version', '+', 1),
        updatedAt: now,
      }))
      .where('id', '=', input.spaceId)
      .where('accountId', '=', accountId)
      .where('archivedAt', input.archived ? 'is' : 'is not', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) {
      const space = await tx
        .selectFrom('Space')
        .select('id')
        .where('id', '=', input.spaceId)
        .where('accountId', '=', accountId)
        .executeTakeFirst();
      if (!space) throw spaceNotFound();
      return;
    }
    await requireOpenAccount(tx, ctx.actor, accountId);
    await recordAudits(tx, ctx, [
      {
        action: input.archived ? 'space.archived' : 'space.unarchived',
        accountId,
        subject: { type: 'space', id: input.spaceId },
      },
    ]);
  });
}
