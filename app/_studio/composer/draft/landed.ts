import type { DraftReference } from './draft.ts';

/** The outcome of an upload: the uploaded file, or a refusal. */
type Landing = Partial<Omit<DraftReference, 'key' | 'role'>>;

const landings = new Map<string, Landing>();

/** Records the outcome of an upload by the key of its reference, which may have left the draft meanwhile. */
export function noteLanding(key: string, landing: Landing): void {
  landings.set(key, landing);
}

/** A reference or a document that returns to the draft, with the outcome of an upload that ended meanwhile. */
export function asLanded<One extends { key: string }>(one: One): One {
  return { ...one, ...landings.get(one.key) };
}
