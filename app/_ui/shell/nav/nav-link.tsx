'use client';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import type { ComponentProps } from 'react';

/** A link that knows whether the page it leads to, or one below it, is on screen. */
export function NavLink({ href, ...rest }: { href: string } & Omit<ComponentProps<typeof Link>, 'href'>) {
  const path = usePathname();
  const current = path === href ? 'page' : path.startsWith(`${href}/`) ? 'true' : undefined;
  return <Link href={href} aria-current={current} {...rest} />;
}
