import { LRUCache } from 'lru-cache';
import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { cacheBytes } from '#lib/core/resource-limits/cache-bytes.ts';
import { type Neighbours, readNeighbours } from '../neighbours.ts';
import type { Scope } from './find.ts';
import { storeOf } from './index/store.ts';
import type { MemoryText } from './index/texts.ts';

const CACHE_BYTES = cacheBytes('searchNeighbours');
/** The neighbours of a Memory at one version of its Space: whatever changes it changes the version. */
const known = new LRUCache<string, Neighbours>({ maxSize: CACHE_BYTES, maxEntrySize: CACHE_BYTES / 8 });

const bytesOf = ({ parent, children }: Neighbours) =>
  300 + 2 * [parent, ...children].reduce((sum, one) => sum + (one ? one.title.length + 80 : 0), 0);

type Found = { texts: Map<string, MemoryText>; neighboursById: Map<string, Neighbours> };

/**
 * The texts of ranked Memories and their neighbours: no round trip when this process read both at the same stamps and versions, else the two reads
 * run side by side. Those deleted meanwhile are left out.
 */
export async function readFound(
  ctx: Context<AccountActor>,
  ranked: readonly { memoryId: string; stamp: string }[],
  { spaces }: Scope,
): Promise<Found> {
  const { accountId } = ctx.actor;
  const store = storeOf(ctx.kysely);
  const versions = new Map(spaces.map(([id, , , version]) => [id, version]));
  const keyOf = ({ id, spaceId }: MemoryText) => `${accountId}:${id}:${spaceId}:${versions.get(spaceId)}`;
  const texts = store.texts.known(ranked);
  const neighboursById = new Map<string, Neighbours>();
  for (const text of texts.values()) {
    const neighbours = known.get(keyOf(text));
    if (neighbours) neighboursById.set(text.id, neighbours);
  }
  const unknown = ranked.flatMap(({ memoryId }) => (neighboursById.has(memoryId) ? [] : [memoryId]));
  const [all, read] = await Promise.all([
    texts.size === ranked.length ? texts : store.texts.of(accountId, ranked),
    readNeighbours(ctx, unknown),
  ]);
  for (const [id, neighbours] of read) {
    neighboursById.set(id, neighbours);
    const text = all.get(id);
    if (text) known.set(keyOf(text), neighbours, { size: bytesOf(neighbours) });
  }
  return { texts: all, neighboursById };
}
