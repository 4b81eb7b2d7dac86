'use client';
import { type ReactNode, useRef, useState } from 'react';
import { lazyPart, preload } from '../lazy-part.ts';
import type { MenuItem } from './menu-item.ts';
import type { MenuListProps } from './menu-panel.tsx';

// The code of menus (55 KB) is fetched when the pointer or the focus reaches a button, not with the page.
const loadPanel = () => import('./menu-panel.tsx');
const MenuPanel = lazyPart(loadPanel, null, ({ onOpenChange }) => onOpenChange(false));

type MenuButtonProps = {
  /** Name of the button for assistive technology. */
  label: string;
  /** Tooltip of a button that is only an icon. */
  tip?: string;
  /** The visible content of the button. */
  children: ReactNode;
  className?: string;
  align?: 'start' | 'end';
  /** Loads the list ahead of a likely opening. */
  load: () => Promise<unknown>;
  /** The list, drawn from the first opening on. */
  list: (at: MenuListProps) => ReactNode;
};

/** The button of a menu whose list and items are loaded on demand (`lazyPart`), not with the page. */
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
