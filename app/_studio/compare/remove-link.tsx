'use client';
import { X } from 'lucide';
import Link from 'next/link';
import { focusBeside } from '#app/_cockpit/focus/focus-beside.ts';
import { Icon } from '#app/_ui/icon.tsx';

/** Removes a generation from a comparison; the focus moves to the element beside it. */
export function RemoveLink({ href, title }: { href: string; title: string }) {
  return (
    <Link
      ref={focusBeside}
      href={href}
      scroll={false}
      aria-label={`Retirer de la comparaison\u00a0: ${title}`}
      data-tip="Retirer de la comparaison"
      className="touch grid size-8 place-items-center rounded-md text-ink-soft hover:bg-hover hover:text-ink"
    >
      <Icon of={X} size={16} />
    </Link>
  );
}
