'use client';
import type { ReactNode } from 'react';
import { preloadDialog } from '#app/_ui/overlay/dialog.tsx';
import { Kbd } from '#app/_ui/text/kbd.tsx';
import { openPalette } from './open.ts';

/** Opens the palette. It looks like a field on a wide screen, and like an icon on a phone or beside a panel, where the breadcrumb needs the room. */
export function PaletteButton({ icon }: { icon: ReactNode }) {
  return (
    <button
      type="button"
      onClick={openPalette}
      onPointerEnter={preloadDialog}
      aria-keyshortcuts="Meta+K Control+K"
      className="touch flex h-8 items-center gap-2 rounded-md border border-line bg-surface px-2.5 text-ink-faint text-sm transition-colors hover:border-line-strong hover:text-ink max-sm:w-8 max-sm:justify-center max-sm:border-transparent max-sm:bg-transparent max-sm:px-0 in-[:root:has([data-beside])]:[&>span]:sr-only"
    >
      {icon}
      <span className="whitespace-nowrap max-sm:sr-only">Chercher ou agir</span>
      <Kbd keys="Mod K" aria-hidden className="ml-4 max-xl:hidden" />
    </button>
  );
}
