'use client';
import { Menu as MenuIcon } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { type ReactNode, useEffect, useState } from 'react';
import { preloadDialog, Sheet } from '../overlay/dialog.tsx';
import { NAV, PHONE_BAR } from './nav/nav.ts';
import { NavLink } from './nav/nav-link.tsx';

const ITEM =
  'flex h-14 min-w-0 grow basis-0 flex-col items-center justify-center gap-0.5 text-ink-soft text-xs focus-visible:-outline-offset-2 aria-[current]:font-medium aria-[current]:text-accent-ink';

/** Navigation of the phones: four pages, and a sheet with everything. */
export function PhoneBar({ children }: { children: ReactNode }) {
  const path = usePathname();
  const [open, setOpen] = useState(false);
  const listed = NAV.flatMap((section) => section.items).filter((item) => PHONE_BAR.includes(item.href));
  const isOutOfBar = !PHONE_BAR.some((href) => path.startsWith(href));
  // biome-ignore lint/correctness/useExhaustiveDependencies: arriving on a page closes the sheet
  useEffect(() => setOpen(false), [path]);
  return (
    <>
      <nav
        aria-label="Navigation principale"
        className="fixed inset-x-0 bottom-0 z-30 flex border-line border-t bg-surface pb-[env(safe-area-inset-bottom)] lg:hidden"
      >
        {listed.map(({ href, label, icon: Icon }) => (
          <NavLink key={href} href={href} prefetch={false} className={ITEM}>
            <Icon aria-hidden size={20} strokeWidth={1.75} />
            {label}
          </NavLink>
        ))}
        <button
          type="button"
          aria-haspopup="dialog"
          aria-current={isOutOfBar ? 'true' : undefined}
          onPointerEnter={preloadDialog}
          onClick={() => setOpen(true)}
          className={ITEM}
        >
          <MenuIcon aria-hidden size={20} strokeWidth={1.75} />
          Plus
        </button>
      </nav>
      <Sheet open={open} onOpenChange={setOpen} title="Atelier">
        {children}
      </Sheet>
    </>
  );
}
