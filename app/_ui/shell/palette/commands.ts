'use client';
import { useEffect, useSyncExternalStore } from 'react';

export type Command = {
  id: string;
  /** A verb and its object: « Créer un espace ». */
  label: string;
  /** Group in the palette; « Cette page » by default. */
  group?: string;
  /** Other words by which the command is found. */
  keywords?: string[];
  keys?: string;
} & ({ href: string } | { run: () => void });

const NONE: readonly Command[] = [];
let registered: ReadonlyMap<string, readonly Command[]> = new Map();
let flat: readonly Command[] = NONE;
const listeners = new Set<() => void>();

function change(owner: string, commands: readonly Command[] | null): void {
  const next = new Map(registered);
  if (commands) next.set(owner, commands);
  else next.delete(owner);
  registered = next;
  flat = [...next.values()].flat();
  for (const listener of listeners) listener();
}

/**
 * Offers commands in the palette while the calling component is mounted. `owner` names the caller; `commands` must keep its identity between renders.
 */
export function useCommands(owner: string, commands: readonly Command[]): void {
  useEffect(() => {
    change(owner, commands);
    return () => change(owner, null);
  }, [owner, commands]);
}

/** For a server page: `<PageCommands owner="espaces" commands={[{ id, label, href }]} />`. */
export function PageCommands({
  owner,
  commands,
}: {
  owner: string;
  commands: readonly (Command & { href: string })[];
}): null {
  useCommands(owner, commands);
  return null;
}

/** The commands that are offered now, for the palette. */
export function useRegisteredCommands(): readonly Command[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => flat,
    () => NONE,
  );
}
