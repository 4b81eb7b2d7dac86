import { keepInTab, readInTab } from '#app/_cockpit/drafts/tab-drafts.ts';
import type { PillarRole } from '#lib/brain/templates.ts';
import type { Place } from '../_tree/tree.ts';
import { draftKey, emitDraftsChanged } from './has-draft.ts';

/**
 * Unsaved text, kept in this tab by member and Memory. It survives closing the panel and reloading, and the browser asks before the tab is
 * closed. Someone else who signs in afterwards in the same tab does not see it, nor does the same person in another account.
 */
export type Draft = { version: number; title: string; body: string };

/** The draft of a new Memory. `key` is its idempotency key. */
export type NewDraft = { key: string; title: string; body: string; pillar: PillarRole };

export function readDraft(memberId: string, memoryId: string): Draft | null {
  const { version, title, body } = readInTab(draftKey(memberId, memoryId)) as Draft;
  return typeof version === 'number' && typeof title === 'string' && typeof body === 'string'
    ? { version, title, body }
    : null;
}

export function keepDraft(memberId: string, memoryId: string, draft: Draft | null): void {
  keep(draftKey(memberId, memoryId), draft);
}

/** The draft of a new Memory at this place of a Space. */
export function readNewDraft(memberId: string, spaceId: string, place: Place): NewDraft | null {
  const { key, title, body, pillar } = readInTab(newDraftKey(memberId, spaceId, place)) as NewDraft;
  return [key, title, body, pillar].every((part) => typeof part === 'string')
    ? { key, title, body, pillar }
    : null;
}

export function keepNewDraft(memberId: string, spaceId: string, place: Place, draft: NewDraft | null): void {
  keep(newDraftKey(memberId, spaceId, place), draft);
}

const newDraftKey = (memberId: string, spaceId: string, { pillar, parentId }: Place) =>
  draftKey(memberId, `${spaceId}:${parentId ?? pillar}`);

function keep(key: string, draft: object | null): void {
  keepInTab(key, draft);
  emitDraftsChanged();
}
