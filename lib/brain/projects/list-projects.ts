import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';

/** The account's registered projects, oldest first (B-92). */
export async function listProjects(ctx: Context<AccountActor>) {
  const projects = await ctx.db.project.findMany({
    where: { accountId: ctx.actor.accountId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return {
    object: 'list' as const,
    data: projects.map((project) => ({
      id: project.id,
      object: 'project' as const,
      name: project.name,
      websiteUrl: project.websiteUrl,
      createdAt: project.createdAt.toISOString(),
      updatedAt: project.updatedAt.toISOString(),
    })),
  };
}
