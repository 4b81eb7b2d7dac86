'use client';
import { usePathname, useSearchParams } from 'next/navigation';
import { NAV } from './nav.ts';

const FILTERED = NAV.flatMap((section) => section.items).filter(({ href }) => href.includes('?'));

function isAt(href: string, path: string, search: URLSearchParams): boolean {
  const [base, query] = href.split('?');
  if (path !== base) return false;
  return [...new URLSearchParams(query)].every(([name, value]) => search.get(name) === value);
}

/**
 * Returns a function of a link: `page` if its page is on screen, `true` if a page below it is. Of a list and one of its filters in the navigation,
 * only the filter is current.
 */
export function useCurrent(): (href: string) => 'page' | 'true' | undefined {
  const path = usePathname();
  const search = useSearchParams();
  const filters = FILTERED.filter(({ href }) => isAt(href, path, search));
  return (href) => {
    if (isAt(href, path, search) && filters.every((item) => item.href === href)) return 'page';
    return path.startsWith(`${href}/`) ? 'true' : undefined;
  };
}
