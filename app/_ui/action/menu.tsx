'use client';
import { type ReactNode, useRef, useState } from 'react';
import { lazyPart, preload } from '../lazy-part.ts';
import type { MenuItem } from './menu-item.ts';
import type { MenuListProps } from './menu-panel.tsx';

// The menu's machinery (55 KB) is fetched when a pointer or the focus comes near, not with the page.
const loadPanel = () => import('./menu-panel.tsx');
const MenuPanel = lazyPart(loadPanel, null, ({ onOpenChange }) => onOpenChange(false));

type MenuButtonProps = {
  /** Name of the button for assistive technology. */
  label: string;
  /** Its tooltip, where the button is only an icon. */
  tip?: string;
  /** What the button shows. */
  children: ReactNode;
  className?: string;
  align?: 'start' | 'end';
  /** Fetches the list ahead of a likely opening. */
  load: () => Promise<unknown>;
  /** The list, from the first opening on. */
  list: (at: MenuListProps) => ReactNode;
};

/** The button of a menu whose list, with its items, is a part of its own (`lazyPart`): what the items say is fetched with the machinery. */
export function MenuButton({ label, tip, children, className, align = 'end', load, list }: MenuButtonProps) {
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
      {wanted ? list({ anchor: button, open, onOpenChange: setOpen, label, align }) : null}
    </>
  );
}

type MenuProps = Omit<MenuButtonProps, 'load' | 'list'> & { items: MenuItem[] };

/** A button that opens a list of actions; arrows, letters and Escape work as in a system menu. */
export function Menu({ items, ...button }: MenuProps) {
  return <MenuButton {...button} load={loadPanel} list={(at) => <MenuPanel {...at} items={items} />} />;
}
