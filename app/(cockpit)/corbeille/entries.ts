import { count, number } from '#app/_ui/format.ts';
import type { Deletion } from '#lib/brain/bin/list-bin.ts';
import type { BinnedKind } from '#lib/storage/bin/binned-kinds.ts';
import type { Binned, BinnedItem } from '#lib/storage/bin/list-binned.ts';

/** The filters of the bin, by their name in the address. */
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

/** The kind of studio item that a filter stands for; undefined for Memories and for no filter. */
export const kindOf = (type: BinType | undefined): BinnedKind | undefined =>
  type && type !== 'memoires' ? KIND_OF[type] : undefined;

export type Entry = { memory: Deletion } | { thing: BinnedItem };

const deletedAt = (entry: Entry) => ('memory' in entry ? entry.memory : entry.thing).deletedAt.getTime();

/**
 * The lines of the bin, latest first, with the number of lines of each type. `type` filters the lines only. `bytes` is the size of everything in
 * the bin, or 0 with a filter.
 */
export function entriesOf(
  memories: { deletions: Deletion[]; total: number },
  things: Binned,
  type: BinType | undefined,
): { entries: Entry[]; totals: Record<BinType, number>; total: number; bytes: number } {
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
  return { entries, totals, total, bytes: type ? 0 : things.bytes };
}

/**
 * What « Tout rétablir » brings back, of a type or of all, on whatever page of it: how many deletions of Memories and of items of the studio, the two
 * together, and in words. `mine` is those of the first page; `restorable` counts the Memories' deletions, and `things` is of whom may restore them.
 */
export function everythingOf(
  mine: readonly Entry[],
  restorable: number,
  things: Binned['total'] | null,
  type: BinType | undefined,
): { memories: number; things: number; all: number; said: string } {
  const kind = kindOf(type);
  const memories = kind ? 0 : restorable;
  const ofThings = (one: BinnedKind) =>
    type === 'memoires' || (kind && kind !== one) ? 0 : (things?.[one] ?? 0);
  const sum = Object.values(KIND_OF).reduce((all, one) => all + ofThings(one), 0);
  const all = memories + sum;
  const said = all > mine.length ? `Les ${number(all)} éléments supprimés` : saidOf(mine, mine.length);
  return { memories, things: sum, all, said };
}

/**
 * The lines summed up by type, with what they contain: « 3 mémoires supprimées avec les 2 qu’elles contenaient, 1 envoi supprimé ». Says so when
 * `total` is larger than the number of lines, and on a later page.
 */
export function saidOf(entries: readonly Entry[], total: number, page = 1): string {
  if (page > 1) return `Suite\u00a0: ${count(entries.length, 'suppression')} sur ${number(total)}`;
  if (total > entries.length) return `Les ${entries.length} dernières suppressions sur ${number(total)}`;
  const memories = entries.flatMap((one) => ('memory' in one ? [one.memory.memories - 1] : []));
  const files = entries.flatMap((one) =>
    'thing' in one && one.thing.kind === 'files' ? [one.thing.files] : [],
  );
  const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0);
  const of = (kind: BinnedKind, one: string, several: string) => {
    const lines = entries.filter((entry) => 'thing' in entry && entry.thing.kind === kind).length;
    return lines > 0 ? count(lines, one, several) : '';
  };
  return [
    memories.length > 0
      ? `${count(memories.length, 'mémoire supprimée', 'mémoires supprimées')}${withInside(memories.length, sum(memories))}`
      : '',
    files.length === sum(files)
      ? of('files', 'fichier supprimé', 'fichiers supprimés')
      : `${of('files', 'suppression', 'suppressions')} de ${count(sum(files), 'fichier')}`,
    of('upload', 'envoi supprimé', 'envois supprimés'),
    of('avatar', 'avatar supprimé', 'avatars supprimés'),
    of('concept', 'concept supprimé', 'concepts supprimés'),
  ]
    .filter(Boolean)
    .join(', ');
}

function withInside(memories: number, inside: number): string {
  if (inside === 0) return '';
  const whose = memories === 1 ? 'elle contenait' : 'elles contenaient';
  return inside === 1 ? ` avec celle qu’${whose}` : ` avec les ${inside} qu’${whose}`;
}
