import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { withCurrentRights } from '#lib/core/current-rights.ts';
import { reachedBy, reaches } from '#lib/db/space-rights.ts';
import type { ExportedMemory, SpaceToExport } from '../export/types.ts';
import { spaceNotFound } from '../not-found.ts';

/**
 * Everything that was written in a Space, ready for `spaceJson` or `spaceMarkdownZip`, which read its texts as they go; costs no read. Which Memories, and how they
 * nest, is of this moment, whatever happens while they are written; what each says, title included, is of the moment when it is read. Errors: `not_found`; while its
 * texts are read, by the rights of that moment, `forbidden` and `not_found`.
 */
export async function exportSpace(
  ctx: Context<AccountActor>,
  input: { spaceId: string },
): Promise<SpaceToExport> {
  const { accountId } = ctx.actor;
  const space = await ctx.db.space.findFirst({
    where: { id: input.spaceId, accountId, AND: reachedBy('id', ctx.actor) },
    select: { id: true, name: true, template: true, websiteUrl: true, createdAt: true, updatedAt: true },
  });
  if (!space) throw spaceNotFound();
  const rows = await ctx.db.memory.findMany({
    where: { spaceId: space.id, accountId, deletedAt: null },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: {
      id: true,
      role: true,
      parentId: true,
      source: true,
      sourceRef: true,
      file: true,
      createdAt: true,
    },
  });
  const memories = rows.map(({ role, file, ...row }) => ({
    ...row,
    pillar: role,
    file: file as ExportedMemory['file'],
  }));
  return {
    space,
    memories,
    async readTexts(ids) {
      const { actor } = await withCurrentRights(ctx);
      if (!reaches(actor, space.id)) throw spaceNotFound();
      // A Memory deleted since it was listed is in the bin, and keeps its text.
      const texts = await ctx.db.memory.findMany({
        where: { id: { in: [...ids] }, spaceId: space.id, accountId },
        select: { id: true, kind: true, title: true, body: true, updatedAt: true },
      });
      return new Map(texts.map(({ id, ...text }) => [id, text]));
    },
  };
}
