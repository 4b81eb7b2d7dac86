'use client';
import { Command } from 'lucide';
import { useSyncExternalStore } from 'react';
import { Icon } from '#app/_ui/icon.tsx';

const never = () => () => {};
const isApple = () => /Mac|iPhone|iPad/.test(navigator.platform);

/** Whether shortcuts use Apple's Command key. False on the server, which does not know the device. */
export const useApple = (): boolean => useSyncExternalStore(never, isApple, () => false);

/**
 * Whether the modifier key of shortcuts is pressed. On a Mac it is not Ctrl, which edits text with a letter (Ctrl+K cuts the line, Ctrl+B moves
 * back).
 */
export const isModPressed = (event: { metaKey: boolean; ctrlKey: boolean }): boolean =>
  isApple() ? event.metaKey : event.ctrlKey;

/** The modifier key of shortcuts: Ctrl, or Apple's Command, drawn because the font has no such character. */
export function ModKey() {
  if (!useApple()) return 'Ctrl';
  return (
    <>
      <Icon of={Command} size={12} strokeWidth={2} />
      <span className="sr-only">Commande</span>
    </>
  );
}
