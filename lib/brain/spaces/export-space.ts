import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { reachedBy } from '#lib/db/space-rights.ts';
import type { ExportedMemory, ExportedSpace } from '../export/types.ts';
import { spaceNotFound } from '../not-found.ts';

/**
 * Everything that was written in a Space, ready for `spaceJson` or `spaceMarkdownZip`; costs no read.
 * Errors: `not_found`.
 */
export async function exportSpace(
  ctx: Context<AccountActor>,
  input: { spaceId: string },
): Promise<ExportedSpace> {
  const { accountId } = ctx.actor;
  const space = await ctx.db.space.findFirst({
    where: { id: input.spaceId, accountId, AND: reachedBy('id', ctx.actor) },
    select: { id: true, name: true, template: true, websiteUrl: true, createdAt: true, updatedAt: true },
  });
  if (!space) throw spaceNotFound();
  const rows = await ctx.db.memory.findMany({
    where: { spaceId: space.id, accountId, deletedAt: null },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  const memories = rows.map(
    (row): ExportedMemory => ({
      id: row.id,
      pillar: row.role,
      parentId: row.parentId,
      kind: row.kind,
      title: row.title,
      body: row.body,
      source: row.source,
      sourceRef: row.sourceRef,
      file: row.file as ExportedMemory['file'],
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
    }),
  );
  return { space, memories };
}
