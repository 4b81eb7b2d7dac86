import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { reachedBy } from '#lib/db/space-rights.ts';
import { memoryNotFound } from '../not-found.ts';
import type { MemoryKind, MemorySource, PillarRole } from '../templates.ts';

export type MemoryDetail = {
  id: string;
  spaceId: string;
  pillar: PillarRole;
  parentId: string | null;
  kind: MemoryKind;
  title: string;
  body: string;
  source: MemorySource;
  sourceRef: string | null;
  file: { name: string; contentType: string; bytes: number } | null;
  cu: number;
  version: number;
  createdAt: Date;
  updatedAt: Date;
};

/** One live Memory whole, for its panel in the cockpit; consumes no read. Errors: `not_found`. */
export async function getMemory(
  ctx: Context<AccountActor>,
  input: { memoryId: string },
): Promise<MemoryDetail> {
  const row = await ctx.db.memory.findFirst({
    where: {
      id: input.memoryId,
      accountId: ctx.actor.accountId,
      deletedAt: null,
      AND: reachedBy('spaceId', ctx.actor),
    },
  });
  if (!row) throw memoryNotFound();
  const { id, spaceId, role, parentId, kind, title, body, source, sourceRef, cu, version } = row;
  const file = row.file as MemoryDetail['file'];
  const { createdAt, updatedAt } = row;
  return {
    id,
    spaceId,
    pillar: role,
    parentId,
    kind,
    title,
    body,
    source,
    sourceRef,
    file,
    cu,
    version,
    createdAt,
    updatedAt,
  };
}
