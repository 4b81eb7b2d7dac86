import { runAccountRead } from '#lib/core/account-read.ts';
import { type AccountActor, hasPermission } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { readEtag, writeEtag } from './etag.ts';
import { pillarCoverage, spaceQuality } from './quality.ts';
import { type MemoryRow, spaceRead } from './read-space.ts';
import { PILLAR_ROLES, type PillarRole, type SpaceTemplate, TEMPLATES } from './templates.ts';
import { orderTree } from './tree.ts';
import { VersionedCache } from './versioned-cache.ts';

type PillarsView = { pillars: ReturnType<typeof viewPillar>[]; quality: number };

const held = new VersionedCache<PillarsView>(16 * 1024 * 1024);

function viewPillar(template: SpaceTemplate, role: PillarRole, memories: readonly MemoryRow[]) {
  const { label, icon, note } = TEMPLATES[template].pillars[role];
  const { quality, contributions } = pillarCoverage(
    memories.map(({ id, body }) => ({ id, bodyLength: body.length })),
  );
  return {
    role,
    label,
    icon,
    note,
    memories: orderTree(memories).map(({ row }) => ({
      id: row.id,
      pillar: row.role,
      parentId: row.parentId,
      kind: row.kind,
      title: row.title,
      body: row.body,
      source: row.source,
      sourceRef: row.sourceRef,
      file: row.file,
      cu: row.cu,
      contribution: contributions.get(row.id) ?? 0,
      updatedAt: row.updatedAt.toISOString(),
    })),
    cu: memories.reduce((sum, memory) => sum + memory.cu, 0),
    quality,
  };
}

/** The five pillars of a Space in role order, each with its Memories, CU and coverage; and the Space's quality. */
export function viewPillars(template: SpaceTemplate, memories: readonly MemoryRow[]): PillarsView {
  const byRole = Map.groupBy(memories, (memory) => memory.role);
  const pillars = PILLAR_ROLES.map((role) => viewPillar(template, role, byRole.get(role) ?? []));
  const qualities = Object.fromEntries(pillars.map(({ role, quality }) => [role, quality])) as Record<
    PillarRole,
    number
  >;
  return { pillars, quality: spaceQuality(qualities) };
}

/**
 * One Space in full (spec/context-api, Space). With an `ifNoneMatch` that is current, null body and no read consumed.
 * Errors: `not_found`, `quota_exceeded`.
 */
export async function getSpace(
  ctx: Context<AccountActor>,
  input: { spaceId: string; ifNoneMatch?: string | null },
) {
  const canEdit = hasPermission(ctx.actor, 'brain.write');
  const about = ['space', input.spaceId, String(canEdit)];
  const cached = held.get(input.spaceId);
  const read = await runAccountRead(
    ctx,
    spaceRead(ctx.clock.now(), {
      spaceId: input.spaceId,
      known: readEtag(input.ifNoneMatch ?? null, about),
      heldVersion: cached?.version,
    }),
  );
  const { space } = read;
  const etag = writeEtag(space, about);
  if (read.notModified) return { etag, body: null };
  const view =
    read.memories === null && cached ? cached.value : viewPillars(space.template, read.memories ?? []);
  if (read.memories) held.set(space.id, space.version, view, textBytes(read.memories));
  return {
    etag,
    body: {
      object: 'space' as const,
      id: space.id,
      name: space.name,
      template: space.template,
      templateLabel: TEMPLATES[space.template].label,
      websiteUrl: space.websiteUrl,
      canEdit,
      pillars: view.pillars,
      cu: space.cu,
      quality: view.quality,
      capacity: { usedCu: space.usedCu, capacityCu: space.capacityCu },
    },
  };
}

function textBytes(memories: readonly MemoryRow[]): number {
  return memories.reduce((sum, { title, body }) => sum + 2 * (title.length + body.length) + 500, 500);
}
