import type { ReactNode } from 'react';
import { cx } from '#app/_ui/cx.ts';
import { Mark } from '#app/_ui/shell/mark.tsx';

/** A page outside the cockpit that asks one thing: the mark above it, in the middle of the screen. */
export function Frame({ narrow, children }: { narrow?: boolean; children: ReactNode }) {
  return (
    <main
      id="contenu"
      tabIndex={-1}
      className={cx(
        'mx-auto flex min-h-dvh w-full flex-col justify-center px-4 py-12 outline-none focus-visible:outline-none',
        narrow ? 'max-w-sm gap-8' : 'max-w-md gap-6',
      )}
    >
      <header className="flex items-center gap-3">
        <Mark size={32} />
        <span className="font-semibold text-base">Atelier</span>
      </header>
      {children}
    </main>
  );
}
