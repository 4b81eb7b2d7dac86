'use client';
import Link from 'next/link';
import { usePathname, useSearchParams } from 'next/navigation';
import type { ComponentProps } from 'react';
import { NAV } from './nav.ts';

const FILTERED = NAV.flatMap((section) => section.items).filter(({ href }) => href.includes('?'));

function isAt(href: string, path: string, search: URLSearchParams): boolean {
  const [base, query] = href.split('?');
  if (path !== base) return false;
  return [...new URLSearchParams(query)].every(([name, value]) => search.get(name) === value);
}

/** A link that knows whether the page it leads to, or one below it, is on screen; of a list and one of its filters, the filter is. */
export function NavLink({ href, ...rest }: { href: string } & Omit<ComponentProps<typeof Link>, 'href'>) {
  const path = usePathname();
  const search = useSearchParams();
  const isFiltered = FILTERED.some((item) => item.href !== href && isAt(item.href, path, search));
  const current =
    isAt(href, path, search) && !isFiltered ? 'page' : path.startsWith(`${href}/`) ? 'true' : undefined;
  return <Link href={href} aria-current={current} {...rest} />;
}
