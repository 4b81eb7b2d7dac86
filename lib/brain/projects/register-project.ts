import { type AccountActor, type AdminActor, hasPermission } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { requireAsShown } from '#lib/core/input/as-shown.ts';
import type { Shown } from '#lib/core/input/shown-as.ts';
import { transaction } from '#lib/db/transaction.ts';
import { countRows } from '#lib/db/values.ts';
import { requireOpenAccount } from '../account-closed.ts';
import { MAX_PROJECTS } from '../limits.ts';
import { nameAndSiteProblems } from '../name-and-site.ts';

type ProjectInput = { accountId: string; name: string; websiteUrl: string };

function check(ctx: Context, input: { name?: string | undefined; websiteUrl?: string | undefined }): void {
  if (!hasPermission(ctx.actor, 'brain.write')) throw new ServiceError('forbidden');
  const problems = nameAndSiteProblems(input);
  if (problems[0]) throw new ServiceError('invalid_request', { message: problems[0].message, problems });
}

/**
 * Registers a project of the account. Errors: `forbidden`, `invalid_request` naming the field, `conflict` where there are as many as an account may have,
 * that of a closed account.
 */
export async function registerProject(ctx: Context<AccountActor | AdminActor>, input: ProjectInput) {
  check(ctx, input);
  const now = ctx.clock.now();
  return transaction(ctx, async (tx) => {
    // Registrations of one account wait for each other: its projects are counted exactly.
    await requireOpenAccount(tx, ctx.actor, input.accountId, { inTurn: true });
    const { projects } = await tx
      .selectFrom('Project')
      .select(countRows.as('projects'))
      .where('accountId', '=', input.accountId)
      .executeTakeFirstOrThrow();
    if (projects >= MAX_PROJECTS)
      throw new ServiceError('conflict', {
        message: `Ce compte a déjà ${MAX_PROJECTS.toLocaleString('fr-FR')} projets, le plus possible.`,
      });
    const project = await tx
      .insertInto('Project')
      .values({
        id: createId('project', now),
        accountId: input.accountId,
        name: input.name.trim(),
        websiteUrl: input.websiteUrl,
        createdAt: now,
        updatedAt: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordAudits(tx, ctx, [
      {
        action: 'project.registered',
        accountId: input.accountId,
        subject: { type: 'project', id: project.id },
        data: { name: project.name },
      },
    ]);
    return project;
  });
}

/**
 * Changes a project of the account; what is not given stays as it is. Errors: `forbidden`, `invalid_request`, `not_found`, `conflict` when what changes is
 * no longer as `shown`, that of a closed account.
 */
export async function updateProject(
  ctx: Context<AccountActor | AdminActor>,
  input: Pick<ProjectInput, 'accountId'> & {
    projectId: string;
    name?: string | undefined;
    websiteUrl?: string | undefined;
    shown?: Shown | undefined;
  },
) {
  const { websiteUrl } = input;
  const name = input.name?.trim();
  check(ctx, input);
  return transaction(ctx, async (tx) => {
    const before = await tx
      .selectFrom('Project')
      .select(['name', 'websiteUrl'])
      .where('id', '=', input.projectId)
      .where('accountId', '=', input.accountId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!before)
      throw new ServiceError('not_found', { message: 'Ce projet est introuvable dans ce compte.' });
    requireAsShown(input.shown, {
      name: { what: 'Ce nom a été modifié', now: before.name, next: name },
      websiteUrl: { what: 'Ce site a été modifié', now: before.websiteUrl, next: websiteUrl },
    });
    await requireOpenAccount(tx, ctx.actor, input.accountId);
    const project = await tx
      .updateTable('Project')
      .set({
        ...(name === undefined ? {} : { name }),
        ...(websiteUrl === undefined ? {} : { websiteUrl }),
        updatedAt: ctx.clock.now(),
      })
      .where('id', '=', input.projectId)
      .where('accountId', '=', input.accountId)
      .returning('name')
      .executeTakeFirstOrThrow();
    await recordAudits(tx, ctx, [
      {
        action: 'project.updated',
        accountId: input.accountId,
        subject: { type: 'project', id: input.projectId },
        data: project,
      },
    ]);
  });
}
