import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { type AccountRead, accountStatement, runAccountRead } from '#lib/db/account-read.ts';

const readProjects = accountStatement({
  name: 'list-projects',
  with: (db) => db,
  rows: (db) =>
    db
      .selectFrom('Project as p')
      .innerJoin('caller', 'caller.accountId', 'p.accountId')
      .select(['p.id', 'p.name', 'p.websiteUrl', 'p.createdAt', 'p.updatedAt']),
  orderBy: ['createdAt', 'id'],
});

type Row = { id: string; name: string; websiteUrl: string; createdAt: Date; updatedAt: Date };

/** The read of an account's registered projects, oldest first (B-92). */
export function projectsRead(): AccountRead<ReturnType<typeof viewList>> {
  return readProjects({}, viewList);
}

/** `projectsRead`, for the actor's account. */
export function listProjects(ctx: Context<AccountActor>) {
  return runAccountRead(ctx, projectsRead());
}

function viewList(rows: readonly Row[]) {
  return {
    object: 'list' as const,
    data: rows.map((project) => ({
      id: project.id,
      object: 'project' as const,
      name: project.name,
      websiteUrl: project.websiteUrl,
      createdAt: project.createdAt.toISOString(),
      updatedAt: project.updatedAt.toISOString(),
    })),
  };
}
