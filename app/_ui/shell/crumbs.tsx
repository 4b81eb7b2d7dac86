'use client';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { locate } from './nav/nav.ts';

export type Crumb = { label: string; href?: string };

const NONE: readonly Crumb[] = [];
let tail: readonly Crumb[] = NONE;
const listeners = new Set<() => void>();

function setTail(next: readonly Crumb[]): void {
  tail = next;
  for (const listener of listeners) listener();
}

/** The breadcrumb items that a page adds after its section, e.g. the Space's name. */
export function PageCrumbs({ items }: { items: readonly Crumb[] }): null {
  const key = JSON.stringify(items);
  useEffect(() => {
    setTail(JSON.parse(key) as Crumb[]);
    return () => setTail(NONE);
  }, [key]);
  return null;
}

/** The breadcrumb: the section, the page, and what the page adds. `separator` is drawn between the items. */
export function Crumbs({ separator }: { separator: ReactNode }) {
  const path = usePathname();
  const added = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => tail,
    () => NONE,
  );
  const place = locate(path);
  const items: Crumb[] = place
    ? [{ label: place.item.label, href: place.item.href }, ...added]
    : path.startsWith('/compte')
      ? [{ label: 'Mon compte', href: '/compte' }, ...added]
      : [...added];
  return (
    <nav aria-label="Fil d’Ariane" className="ml-1 min-w-0 grow lg:ml-0">
      <ol role="list" className="flex min-w-0 items-center gap-1.5 text-sm">
        {place ? <li className="text-ink-faint max-sm:hidden">{place.section.label}</li> : null}
        {items.map((item, index) => {
          const last = index === items.length - 1;
          return (
            <li
              // Not the label alone: a Space may have the name of its section.
              key={item.href ?? item.label}
              className={
                last ? 'flex min-w-0 items-center gap-1.5' : 'flex items-center gap-1.5 max-sm:hidden'
              }
            >
              {index > 0 || place ? separator : null}
              {last || !item.href ? (
                <span aria-current={last ? 'page' : undefined} className="truncate font-medium">
                  {item.label}
                </span>
              ) : (
                <Link href={item.href} className="whitespace-nowrap text-ink-soft hover:text-ink">
                  {item.label}
                </Link>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
