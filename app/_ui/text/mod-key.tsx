'use client';
import { Command } from 'lucide';
import { useSyncExternalStore } from 'react';
import { Icon } from '#app/_ui/icon.tsx';

const never = () => () => {};
const isApple = () => /Mac|iPhone|iPad/.test(navigator.platform);

/** Whether shortcuts are pressed with Apple's Command; the server, which does not know, says Ctrl. */
export const useApple = (): boolean => useSyncExternalStore(never, isApple, () => false);

/** Whether it is pressed with the key of shortcuts: on a Mac, Ctrl with a letter edits the text (Ctrl+K cuts the line, Ctrl+B goes back). */
export const isModPressed = (event: { metaKey: boolean; ctrlKey: boolean }): boolean =>
  isApple() ? event.metaKey : event.ctrlKey;

/** The key that shortcuts are pressed with: Ctrl, or Apple's own, drawn because the font has no such sign. */
export function ModKey() {
  if (!useApple()) return 'Ctrl';
  return (
    <>
      <Icon of={Command} size={12} strokeWidth={2} />
      <span className="sr-only">Commande</span>
    </>
  );
}
