import { useSyncExternalStore } from 'react';

/** The storage key of a member's draft in this tab. */
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

/** Whether this member has an unsaved draft of this Memory in this tab. In a file of its own, because every row of a Space imports it. */
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
