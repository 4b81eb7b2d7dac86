import { useSyncExternalStore } from 'react';

/** The key under which this tab keeps what a member typed. */
export const draftKey = (memberId: string, name: string) => `brouillon:${memberId}:${name}`;

const listeners = new Set<() => void>();

/** Notifies the components that show whether there is a draft. */
export function emitDraftsChanged(): void {
  for (const listener of listeners) listener();
}

function onChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether this member typed something in this Memory, in this tab, and did not save it. Apart from the drafts themselves: every row of a Space asks it. */
export function useHasDraft(memberId: string, memoryId: string): boolean {
  return useSyncExternalStore(
    onChange,
    () => isKept(draftKey(memberId, memoryId)),
    () => false,
  );
}

function isKept(key: string): boolean {
  try {
    return sessionStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}
