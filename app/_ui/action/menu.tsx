'use client';
import { type ReactNode, Suspense, useRef, useState } from 'react';
import { lazyPart, preload } from '../lazy-part.ts';
import type { MenuItem } from './menu-item.ts';

// The menu's machinery (55 KB) is fetched when a pointer or the focus comes near, not with the page.
const load = () => import('./menu-panel.tsx');
const MenuPanel = lazyPart(load);

type MenuProps = {
  /** Name of the button for assistive technology. */
  label: string;
  /** Its tooltip, where the button is only an icon. */
  tip?: string;
  /** What the button shows. */
  children: ReactNode;
  items: MenuItem[];
  /** Shown above the items. */
  header?: ReactNode;
  className?: string;
  align?: 'start' | 'end';
};

/** A button that opens a list of actions; arrows, letters and Escape work as in a system menu. */
export function Menu({ label, tip, children, items, header, className, align = 'end' }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState(false);
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        data-tip={open ? undefined : tip}
        className={className}
        onPointerEnter={() => preload(load)}
        onFocus={() => preload(load)}
        onClick={() => {
          setWanted(true);
          setOpen((now) => !now);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          setWanted(true);
          setOpen(true);
        }}
      >
        {children}
      </button>
      {wanted ? (
        <Suspense>
          <MenuPanel
            anchor={button}
            open={open}
            onOpenChange={setOpen}
            items={items}
            header={header}
            label={label}
            align={align}
          />
        </Suspense>
      ) : null}
    </>
  );
}
