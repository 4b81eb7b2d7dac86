import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { cacheBytes } from '#lib/core/resource-limits/cache-bytes.ts';
import { type AccountRead, mapRead, runAccountRead } from '#lib/db/account-read.ts';
import { isCurrent, type KnownState, readEtags, writeEtag } from '../etag.ts';
import { pillarCoverage, spaceQuality } from '../quality.ts';
import { canWriteIn } from '../require-brain-write.ts';
import { Pace } from '../search/matching/pace.ts';
import { PILLAR_ROLES, type PillarRole, type SpaceTemplate, TEMPLATES } from '../templates.ts';
import { orderTree } from '../tree.ts';
import { VersionedCache } from '../versioned-cache.ts';
import { type MemoryRow, type SpaceRead, type SpaceRow, spaceRead } from './read-space.ts';

type PillarsView = { pillars: ReturnType<typeof viewPillar>[]; quality: number };

/** The serialised pillars, the long part of the answer, kept inside the last answer built from them. */
type WrittenPillars = { json: Buffer; quality: number; last?: { head: string; foot: string; body: Buffer } };

const pillarsCache = new VersionedCache<WrittenPillars>(cacheBytes('pillars'));

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
function viewPillars(template: SpaceTemplate, memories: readonly MemoryRow[]): PillarsView {
  const byRole = Map.groupBy(memories, (memory) => memory.role);
  const pillars = PILLAR_ROLES.map((role) => viewPillar(template, role, byRole.get(role) ?? []));
  const qualities = Object.fromEntries(pillars.map(({ role, quality }) => [role, quality])) as Record<
    PillarRole,
    number
  >;
  return { pillars, quality: spaceQuality(qualities) };
}

type SpaceInput = { spaceId: string; ifNoneMatch?: string | null };

/** What the read of a Space found, whoever asks for it. */
type FoundSpace = {
  read: SpaceRead;
  cached: WrittenPillars | undefined;
  /** The states that the caller holds answers for, by the right to write that those answers tell. */
  known: Record<'true' | 'false', KnownState[]>;
};

const aboutSpace = (spaceId: string, canEdit: boolean) => ['space', spaceId, String(canEdit)];

/** The read behind `getSpace`, for a route that has it made in the statement that authenticates. Errors: `not_found`, `quota_exceeded`. */
export function spaceViewRead(now: Date, input: SpaceInput): AccountRead<FoundSpace> {
  const cached = pillarsCache.get(input.spaceId);
  const holding = (canEdit: boolean) =>
    readEtags(input.ifNoneMatch ?? null, aboutSpace(input.spaceId, canEdit));
  const known = { true: holding(true), false: holding(false) };
  const read = spaceRead(now, {
    spaceId: input.spaceId,
    known: [...known.true, ...known.false],
    cachedVersion: cached?.version,
  });
  return mapRead(read, (found) => ({ read: found, cached: cached?.value, known }));
}

/**
 * One Space in full (B-21 to B-33), as JSON already written. With an `ifNoneMatch` that is current, null body and no
 * read consumed. Errors: `not_found`, `quota_exceeded`.
 */
export async function getSpace(
  ctx: Context<AccountActor>,
  input: SpaceInput,
  found?: FoundSpace,
): Promise<{ etag: string; body: Uint8Array | null }> {
  const { read, cached, known } = found ?? (await runAccountRead(ctx, spaceViewRead(ctx.clock.now(), input)));
  // Nobody writes in a closed account, whatever their right.
  const canEdit = canWriteIn(ctx.actor, input.spaceId) && !ctx.actor.closed;
  // Every current copy of the caller's was made under another right than today's: the Space is read anew.
  if (read.notModified && !known[`${canEdit}`].some((one) => isCurrent(one, read.space)))
    return getSpace(ctx, { spaceId: input.spaceId });
  const { space } = read;
  const etag = writeEtag(space, aboutSpace(input.spaceId, canEdit));
  if (read.notModified) return { etag, body: null };
  const pillars = read.memories === null && cached ? cached : await write(space, read.memories ?? []);
  const head = JSON.stringify({
    object: 'space',
    id: space.id,
    name: space.name,
    template: space.template,
    templateLabel: TEMPLATES[space.template].label,
    websiteUrl: space.websiteUrl,
    canEdit,
  });
  const foot = JSON.stringify({
    cu: space.cu,
    quality: pillars.quality,
    capacity: { usedCu: space.usedCu, capacityCu: space.capacityCu },
  });
  return { etag, body: around(pillars, `${head.slice(0, -1)},"pillars":`, `,${foot.slice(1)}`) };
}

/** The answer from its serialised pillars, head and foot: the same bytes as last time when these have not changed either. */
function around(pillars: WrittenPillars, head: string, foot: string): Buffer {
  const { last, json } = pillars;
  if (last?.head === head && last.foot === foot) return last.body;
  const before = Buffer.from(head);
  const body = Buffer.concat([before, json, Buffer.from(foot)]);
  pillars.last = { head, foot, body };
  // Keeps one copy only: the former answer is released.
  pillars.json = body.subarray(before.length, before.length + json.length);
  return body;
}

async function write(space: SpaceRow, memories: readonly MemoryRow[]): Promise<WrittenPillars> {
  const { pillars, quality } = viewPillars(space.template, memories);
  const written: WrittenPillars = { json: await serialise(pillars), quality };
  pillarsCache.set(space.id, space.version, written, written.json.length);
  return written;
}

/** Characters that are encoded at once, and a Memory more. */
const PIECE_CHARS = 64 * 1024;

/** The pillars as JSON, the bytes of `JSON.stringify`, in slices: a Space of megabytes keeps no other request waiting. */
async function serialise(pillars: PillarsView['pillars']): Promise<Buffer> {
  const pace = new Pace();
  const pieces: Buffer[] = [];
  let text = '[';
  for (const [index, { memories, cu, quality, ...head }] of pillars.entries()) {
    text += `${index > 0 ? ',' : ''}${JSON.stringify(head).slice(0, -1)},"memories":[`;
    for (const [at, memory] of memories.entries()) {
      text += (at > 0 ? ',' : '') + JSON.stringify(memory);
      if (text.length < PIECE_CHARS) continue;
      pieces.push(Buffer.from(text));
      text = '';
      if (pace.due()) await pace.rest();
    }
    text += `],"cu":${cu},"quality":${quality}}`;
  }
  return Buffer.concat([...pieces, Buffer.from(`${text}]`)]);
}
