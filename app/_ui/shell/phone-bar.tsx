'use client';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { preloadDialog, Sheet } from '../overlay/dialog.tsx';
import { PHONE_BAR } from './nav/nav.ts';
import { useOpenHere } from './use-open-here.ts';

type PhoneBarProps = {
  links: ReactNode;
  /** The icon of the button that opens the sheet. */
  icon: ReactNode;
  /** The content of the sheet. */
  children: ReactNode;
};

/** The navigation of phones: four pages, and a sheet with all of them. */
export function PhoneBar({ links, icon, children }: PhoneBarProps) {
  const path = usePathname();
  const [open, setOpen] = useOpenHere();
  const isOutOfBar = !PHONE_BAR.some((href) => path.startsWith(href));
  return (
    <>
      <nav
        aria-label="Navigation principale"
        className="fixed inset-x-0 bottom-0 z-30 flex border-line border-t bg-surface pr-(--safe-right) pb-(--safe-bottom) pl-(--safe-left) lg:hidden"
      >
        {links}
        <button
          type="button"
          aria-haspopup="dialog"
          aria-current={isOutOfBar ? 'true' : undefined}
          onPointerEnter={preloadDialog}
          onClick={() => setOpen(true)}
          className="phone-item"
        >
          {icon}
          Plus
        </button>
      </nav>
      <Sheet open={open} onOpenChange={setOpen} title="Atelier">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: its links take the focus and the keys */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above */}
        <div
          onClick={({ target }) => {
            // Closed at once: the page that loads, or that waits for the network, is announced under the sheet.
            if (target instanceof Element && target.closest('a')) setOpen(false);
          }}
        >
          {children}
        </div>
      </Sheet>
    </>
  );
}
