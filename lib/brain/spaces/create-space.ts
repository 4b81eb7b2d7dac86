import { type AccountActor, type AdminActor, hasPermission } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { transaction } from '#lib/db/transaction.ts';
import { countRows } from '#lib/db/values.ts';
import { requireOpenAccount } from '../account-closed.ts';
import { MAX_SPACES } from '../limits.ts';
import { nameAndSiteProblems } from '../name-and-site.ts';
import type { SpaceTemplate } from '../templates.ts';

type SpaceInput = { name: string; template: SpaceTemplate; websiteUrl?: string | null };

/**
 * Creates a Space with its template's five pillars. Errors: `forbidden` for a member who may not write in the Brain or was given some Spaces alone,
 * `invalid_request` naming the field, `conflict` where there are as many as an account may have, that of a closed account.
 */
export async function createSpace(
  ctx: Context<AccountActor | AdminActor>,
  input: SpaceInput & { accountId: string },
) {
  if (!hasPermission(ctx.actor, 'brain.write')) throw new ServiceError('forbidden');
  // Founders say which Spaces a member has: a new one is none of those that were given.
  if ('spaces' in ctx.actor && ctx.actor.spaces !== undefined)
    throw new ServiceError('forbidden', {
      message:
        'Vos droits portent sur certains espaces\u00a0: demandez à un fondateur de créer celui-ci et de vous l’ouvrir.',
    });
  const problems = nameAndSiteProblems({ ...input, websiteUrl: input.websiteUrl || null });
  if (problems[0]) throw new ServiceError('invalid_request', { message: problems[0].message, problems });
  const now = ctx.clock.now();
  const id = createId('space', now);
  return transaction(ctx, async (tx) => {
    // Creations of one account wait for each other: its Spaces are counted exactly.
    await requireOpenAccount(tx, ctx.actor, input.accountId, { inTurn: true });
    const { spaces } = await tx
      .selectFrom('Space')
      .select(countRows.as('spaces'))
      .where('accountId', '=', input.accountId)
      .executeTakeFirstOrThrow();
    if (spaces >= MAX_SPACES)
      throw new ServiceError('conflict', {
        message: `Ce compte a déjà ${MAX_SPACES.toLocaleString('fr-FR')} espaces, le plus possible, archivés compris.`,
      });
    const space = await tx
      .insertInto('Space')
      .values({
        id,
        accountId: input.accountId,
        name: input.name.trim(),
        template: input.template,
        websiteUrl: input.websiteUrl || null,
        createdAt: now,
        updatedAt: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordAudits(tx, ctx, [
      {
        action: 'space.created',
        accountId: input.accountId,
        subject: { type: 'space', id },
        data: { name: space.name, template: space.template },
      },
    ]);
    return space;
  });
}
