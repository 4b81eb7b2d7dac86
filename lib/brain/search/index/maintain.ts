import type { Context } from '#lib/core/context.ts';
import type { TimeLimit } from '#lib/core/resource-limits/time-limit.ts';
import { type Transaction, transaction } from '#lib/db/transaction.ts';
import { inSlices, Pace } from '../matching/pace.ts';
import { analysingMemory } from '../matching/terms.ts';
import { encodeSegment, type SegmentMemory } from './format.ts';
import { readTexts } from './statements.ts';
import {
  deleteSegments,
  insertDead,
  insertPages,
  insertSegment,
  placeMemories,
  readFresh,
  readMembers,
  readSegments,
  tryHoldIndex,
} from './write-statements.ts';

type Writing = Pick<Context, 'kysely' | 'clock'>;

/** Memories in no segment, or bytes of them, from which a segment is written. */
export const ENOUGH_FRESH = 64;
export const ENOUGH_BYTES = 256 * 1024;
/** The most that one segment holds. */
const MAX_MEMORIES = 4_096;
const MAX_BYTES = 4 * 2 ** 20;
/** As many segments of about one size become one, about eight times larger. */
const FAN = 8;
/** A segment is written anew once this share of it is gone. */
const MAX_DEAD_PART = 1 / 8;

type IndexInput = {
  accountId: string;
  /** However few Memories wait. */
  everything?: boolean;
  /** A segment is written anew as soon as one Memory of it is gone. */
  compact?: boolean;
  /** Segments to write anew after what waits: their terms were cut under an earlier TERMS_VERSION. */
  outdated?: readonly number[];
  /** No further segment is begun once it is over; the first one always is. */
  within?: TimeLimit;
};

/** A row changed in between: nothing was written, and it may be tried again. */
class WriteConflict extends Error {}

/**
 * Indexes an account's waiting Memories and merges small segments, until nothing is left to do. Background work: nobody waits for it, it waits
 * for no lock (another process at work is left to go on alone), and it can be cut anywhere. `everything`: however few Memories wait;
 * `compact`: a segment is rewritten as soon as one of its Memories is gone; `outdated`: these are rewritten in any case.
 */
export async function indexPending(ctx: Writing, input: IndexInput): Promise<void> {
  const outdated = new Set(input.outdated);
  for (let conflicts = 0; conflicts < 5; ) {
    try {
      const done = await transaction(ctx, (tx) => step(ctx, tx, input, outdated));
      if (!done) return;
      for (const id of done.replaces) outdated.delete(id);
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error;
      conflicts++;
    }
    if (input.within?.isOver()) return;
  }
}

/** What goes into one segment: Memories in none, or those of segments that it replaces. */
type Plan = { ids: string[]; replaces: number[] };

async function step(
  ctx: Writing,
  tx: Transaction,
  input: IndexInput,
  outdated: ReadonlySet<number>,
): Promise<Plan | null> {
  const { accountId } = input;
  if (!(await tryHoldIndex.first(tx, { accountId }))?.held) return null;
  const plan = await choose(tx, input, outdated);
  if (plan) await writeSegment(ctx, tx, accountId, plan);
  return plan;
}

async function choose(
  tx: Transaction,
  { accountId, everything = false, compact = false }: IndexInput,
  outdated: ReadonlySet<number>,
): Promise<Plan | null> {
  const fresh = await readFresh.all(tx, { accountId, limit: MAX_MEMORIES });
  const bytes = fresh.reduce((sum, one) => sum + one.bytes, 0);
  if (fresh.length >= ENOUGH_FRESH || bytes >= ENOUGH_BYTES || (everything && fresh.length > 0)) {
    const ids: string[] = [];
    let taken = 0;
    for (const one of fresh) {
      if (ids.length > 0 && taken + one.bytes > MAX_BYTES) break;
      ids.push(one.memoryId);
      taken += one.bytes;
    }
    return { ids, replaces: [] };
  }
  const replaces =
    outdated.size > 0
      ? [...outdated].slice(0, 1)
      : worthReplacing(
          (await readSegments.all(tx, { accountId })).map((one) => ({ ...one, dead: one.dead ?? 0 })),
          compact ? 0 : MAX_DEAD_PART,
        );
  if (replaces.length === 0) return null;
  const members = await readMembers.all(tx, { accountId, segments: replaces });
  return { ids: members.map(({ memoryId }) => memoryId), replaces };
}

type SegmentSize = { id: number; memories: number; bytes: number; dead: number };

/** The segments to write anew, as one: those of which much is gone, else enough of about one size. */
export function worthReplacing(segments: readonly SegmentSize[], mostDead = MAX_DEAD_PART): number[] {
  const worn = segments.find(({ dead, memories }) => dead > memories * mostDead);
  if (worn) return [worn.id];
  const byTier = new Map<number, SegmentSize[]>();
  for (const segment of segments) {
    const size = Math.max(segment.memories / ENOUGH_FRESH, segment.bytes / ENOUGH_BYTES);
    const tier = size < FAN ? 0 : size < FAN * FAN ? 1 : 2;
    if (segment.memories < MAX_MEMORIES / 2 && segment.bytes < MAX_BYTES / 2)
      byTier.set(tier, [...(byTier.get(tier) ?? []), segment]);
  }
  for (const [, tier] of [...byTier].sort(([a], [b]) => a - b)) {
    if (tier.length < FAN) continue;
    const taken: number[] = [];
    let memories = 0;
    let bytes = 0;
    for (const segment of tier) {
      if (memories + segment.memories > MAX_MEMORIES || bytes + segment.bytes > MAX_BYTES) break;
      memories += segment.memories;
      bytes += segment.bytes;
      taken.push(segment.id);
    }
    if (taken.length > 1) return taken;
  }
  return [];
}

type Written = SegmentMemory & { bytes: number };

async function writeSegment(
  ctx: Writing,
  tx: Transaction,
  accountId: string,
  { ids, replaces }: Plan,
): Promise<void> {
  const pace = new Pace();
  const from = new Set<number | null>(replaces.length > 0 ? replaces : [null]);
  const memories: Written[] = [];
  for (let first = 0; first < ids.length; first += 128) {
    for (const row of await readTexts.all(tx, { accountId, ids: ids.slice(first, first + 128) })) {
      if (!from.has(row.segmentId)) continue;
      const { id, spaceId, role, updatedAt, stamp, bytes } = row;
      memories.push({
        memoryId: id,
        spaceId,
        role,
        updatedAt,
        stamp,
        bytes,
        analysed: await inSlices(analysingMemory(row.title, row.body), pace),
      });
      if (pace.due()) await pace.rest();
    }
  }
  if (memories.length > 0) await insert(ctx, tx, accountId, memories, pace);
  if (replaces.length === 0) {
    // Memories that wait and cannot be read are gone: their row goes with their Memory, by the trigger.
    if (memories.length === 0) throw new WriteConflict();
    return;
  }
  // A Memory locked by another transaction would be lost with its segment: tried again later.
  if ((await readMembers.all(tx, { accountId, segments: replaces })).length > 0) throw new WriteConflict();
  await deleteSegments.run(tx, { accountId, segments: replaces });
}

/** Bytes of pages in one statement. */
const BATCH_BYTES = 2 ** 20;

async function insert(
  ctx: Writing,
  tx: Transaction,
  accountId: string,
  memories: readonly Written[],
  pace: Pace,
): Promise<void> {
  const { header, dictionary, pages } = await encodeSegment(memories, pace);
  const row = await insertSegment.first(tx, {
    accountId,
    memories: memories.length,
    bytes: memories.reduce((sum, { bytes }) => sum + bytes, 0),
    header,
    dictionary,
    createdAt: ctx.clock.now(),
  });
  const segmentId = (row as { id: number }).id;
  for (let first = 0; first < pages.length; ) {
    let last = first;
    let bytes = 0;
    while (last < pages.length && (last === first || bytes < BATCH_BYTES))
      bytes += (pages[last++] as Buffer).length;
    await insertPages.run(tx, { segmentId, first, pages: pages.slice(first, last) });
    first = last;
    await pace.rest();
  }
  const placed = await placeMemories.all(tx, {
    segmentId,
    ids: memories.map(({ memoryId }) => memoryId),
    stamps: memories.map(({ stamp }) => stamp),
    numbers: memories.map((_, number) => number),
  });
  if (placed.length === memories.length) return;
  // Each of them is being changed: the same ones would be read and written again for as long as that takes.
  if (placed.length === 0) throw new WriteConflict();
  const given = new Set(placed.map(({ number }) => number));
  await insertDead.run(tx, {
    accountId,
    segmentId,
    numbers: memories.flatMap((_, number) => (given.has(number) ? [] : [number])),
  });
}
