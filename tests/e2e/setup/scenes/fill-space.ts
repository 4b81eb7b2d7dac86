import { capacityUnits } from '#lib/brain/capacity-units.ts';
import { defaultKind, PILLAR_ROLES, type PillarRole } from '#lib/brain/templates.ts';
import type { MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { createId } from '#lib/core/ids.ts';

/**
 * Adds many Memories to a Space, some of them nested, with their first revision and the counters that the verb maintains. Written together:
 * one by one, thousands would take longer than the test itself.
 */
export async function fillSpace(ctx: Context<MemberActor>, spaceId: string, memories: number): Promise<void> {
  const { accountId, memberId } = ctx.actor;
  const start = ctx.clock.now().getTime() - memories;
  const last = new Map<PillarRole, string>();
  const rows = Array.from({ length: memories }, (_, at) => {
    const role = PILLAR_ROLES[at % 5] as PillarRole;
    const parentId = at % 4 === 3 ? (last.get(role) ?? null) : null;
    const createdAt = new Date(start + at);
    const id = createId('memory', createdAt);
    if (parentId === null) last.set(role, id);
    const title = `Mémoire ${at + 1} sur la lampe d’atelier et son éclairage`;
    const body = `Ce que l’on sait de la lampe ${at + 1}. ${'Elle éclaire sans éblouir et se répare. '.repeat(1 + (at % 20))}`;
    return {
      id,
      accountId,
      spaceId,
      role,
      parentId,
      depth: parentId === null ? 0 : 1,
      kind: defaultKind(role),
      title,
      body,
      source: 'MANUAL' as const,
      cu: capacityUnits(title, body),
      createdAt,
      updatedAt: createdAt,
    };
  });
  const cu = rows.reduce((sum, row) => sum + row.cu, 0);
  await ctx.db.memory.createMany({ data: rows });
  await ctx.db.memoryRevision.createMany({
    data: rows.map(({ id, role, parentId, kind, title, body, createdAt }) => ({
      id: createId('revision', createdAt),
      accountId,
      memoryId: id,
      version: 1,
      change: 'CREATED' as const,
      role,
      parentId,
      kind,
      title,
      body,
      actor: `member:${memberId}`,
      createdAt,
    })),
  });
  const counted = {
    cu: { increment: cu },
    memories: { increment: memories },
    version: { increment: memories },
  };
  await ctx.db.space.update({ where: { id: spaceId }, data: counted });
  await ctx.db.account.update({ where: { id: accountId }, data: { usedCu: { increment: cu } } });
}
