import type { PillarRole } from '#lib/brain/templates.ts';
import type { Place } from '../_tree/tree.ts';
import { draftKey, emitDraftsChanged } from './has-draft.ts';

/** What was typed and not saved, kept in this tab by Memory, so that closing a panel or losing the page loses nothing. */
export type Draft = { version: number; title: string; body: string };

/** What was typed of a Memory that does not exist yet, under the key that writes it once however often it is sent. */
export type NewDraft = { key: string; title: string; body: string; pillar: PillarRole };

export function readDraft(memoryId: string): Draft | null {
  const { version, title, body } = read(memoryId) as Draft;
  return typeof version === 'number' && typeof title === 'string' && typeof body === 'string'
    ? { version, title, body }
    : null;
}

export function keepDraft(memoryId: string, draft: Draft | null): void {
  keep(memoryId, draft);
}

/** The draft of what is being added at this place of a Space. */
export function readNewDraft(spaceId: string, place: Place): NewDraft | null {
  const { key, title, body, pillar } = read(nameOf(spaceId, place)) as NewDraft;
  return [key, title, body, pillar].every((part) => typeof part === 'string')
    ? { key, title, body, pillar }
    : null;
}

export function keepNewDraft(spaceId: string, place: Place, draft: NewDraft | null): void {
  keep(nameOf(spaceId, place), draft);
}

const nameOf = (spaceId: string, { pillar, parentId }: Place) => `${spaceId}:${parentId ?? pillar}`;

function read(name: string): object {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(draftKey(name)) ?? 'null');
    return typeof kept === 'object' && kept !== null ? kept : {};
  } catch {
    return {};
  }
}

function keep(name: string, draft: object | null): void {
  try {
    if (draft) sessionStorage.setItem(draftKey(name), JSON.stringify(draft));
    else sessionStorage.removeItem(draftKey(name));
  } catch {
    // A browser without storage keeps nothing: the text is still in its field.
  }
  emitDraftsChanged();
}
