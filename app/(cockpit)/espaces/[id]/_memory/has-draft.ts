import { useSyncExternalStore } from 'react';

/** The name under which this tab keeps what was typed. */
export const draftKey = (name: string) => `brouillon:${name}`;

const listeners = new Set<() => void>();

/** Notifies the components that show whether there is a draft. */
export function emitDraftsChanged(): void {
  for (const listener of listeners) listener();
}

function onChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether something was typed in this Memory, in this tab, and not saved. Apart from the drafts themselves: every row of a Space asks it. */
export function useHasDraft(memoryId: string): boolean {
  return useSyncExternalStore(
    onChange,
    () => isKept(memoryId),
    () => false,
  );
}

function isKept(name: string): boolean {
  try {
    return sessionStorage.getItem(draftKey(name)) !== null;
  } catch {
    return false;
  }
}
