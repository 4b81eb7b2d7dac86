import type { DraftReference } from './draft.ts';

/** What became of a file that was on its way: in, or refused. */
type Landing = Partial<Omit<DraftReference, 'key' | 'role'>>;

const landings = new Map<string, Landing>();

/** Notes what became of a file, by its key: its reference may have left the draft meanwhile. */
export function noteLanding(key: string, landing: Landing): void {
  landings.set(key, landing);
}

/** A reference, or a document, that comes back to a draft: as its file is by now, not as it was when it left. */
export function asLanded<One extends { key: string }>(one: One): One {
  return { ...one, ...landings.get(one.key) };
}
