import type { Deletion } from '#lib/brain/bin/list-bin.ts';
import type { BinnedKind } from '#lib/storage/bin/binned-kinds.ts';
import type { Binned, BinnedItem } from '#lib/storage/bin/list-binned.ts';

/** What the bin can be narrowed to, by the word of its address. */
export const TYPES = {
  memoires: 'Mémoires',
  fichiers: 'Fichiers',
  envois: 'Envois',
  avatars: 'Avatars',
  concepts: 'Concepts',
} as const;
export type BinType = keyof typeof TYPES;

const KIND_OF: Record<Exclude<BinType, 'memoires'>, BinnedKind> = {
  fichiers: 'files',
  envois: 'upload',
  avatars: 'avatar',
  concepts: 'concept',
};

/** The kind of the studio that a type is; none for Memories and for everything. */
export const kindOf = (type: BinType | undefined): BinnedKind | undefined =>
  type && type !== 'memoires' ? KIND_OF[type] : undefined;

export type Entry = { memory: Deletion } | { thing: BinnedItem };

const deletedAt = (entry: Entry) => ('memory' in entry ? entry.memory : entry.thing).deletedAt.getTime();

/** The lines of the bin, latest first, and how many there are of each type; `type` narrows the lines alone. */
export function entriesOf(
  memories: { deletions: Deletion[]; total: number },
  things: Binned,
  type: BinType | undefined,
): { entries: Entry[]; totals: Record<BinType, number>; total: number } {
  const kind = kindOf(type);
  const entries: Entry[] = [
    ...(type && kind ? [] : memories.deletions.map((memory) => ({ memory }))),
    ...(type === 'memoires' ? [] : things.items.filter((one) => !kind || one.kind === kind)).map((thing) => ({
      thing,
    })),
  ].sort((a, b) => deletedAt(b) - deletedAt(a));
  const totals = {
    memoires: memories.total,
    fichiers: things.total.files,
    envois: things.total.upload,
    avatars: things.total.avatar,
    concepts: things.total.concept,
  };
  const total = type ? totals[type] : Object.values(totals).reduce((sum, one) => sum + one, 0);
  return { entries, totals, total };
}
