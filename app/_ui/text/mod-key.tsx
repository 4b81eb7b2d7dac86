'use client';
import { Command } from 'lucide-react';
import { useSyncExternalStore } from 'react';

const never = () => () => {};
const isApple = () => /Mac|iPhone|iPad/.test(navigator.platform);

/** The key that shortcuts are pressed with: Ctrl, or Apple's own, drawn because the font has no such sign. */
export function ModKey() {
  const apple = useSyncExternalStore(never, isApple, () => false);
  if (!apple) return 'Ctrl';
  return (
    <>
      <Command aria-hidden size={12} strokeWidth={2} />
      <span className="sr-only">Commande</span>
    </>
  );
}
