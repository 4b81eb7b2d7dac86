'use client';
import { ChevronLeft, ChevronRight } from 'lucide';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useLayoutEffect } from 'react';
import { Icon, type IconDrawing } from '#app/_ui/icon.tsx';
import { mustStay } from '#app/_ui/must-stay.ts';
import { isTyping } from '#app/_ui/typing.ts';

const NEWER = 'Génération précédente';
const OLDER = 'Génération suivante';

type Props = {
  list: { href: string; name: string };
  /** The addresses of the pages before and after this one, in the order of the list; null at its ends. */
  newer: string | null;
  older: string | null;
};

/** Leads from one generation to the next without the list: by links, and by J and K. */
export function GenerationPager({ list, newer, older }: Props) {
  const router = useRouter();
  // A layout effect: a key pressed on a page that has just appeared would still lead to the neighbours of the former one.
  useLayoutEffect(() => {
    const down = (event: KeyboardEvent) => {
      // A key held down counts as one press: each step adds an entry to the history.
      if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented || event.repeat) return;
      if (isTyping(event.target) || document.querySelector('[data-panel], [data-page-skeleton]')) return;
      const key = event.key.toLowerCase();
      const href = key === 'j' ? older : key === 'k' ? newer : null;
      if (!href) return;
      event.preventDefault();
      if (!mustStay(key === 'j' ? OLDER : NEWER)) router.push(href);
    };
    document.addEventListener('keydown', down);
    return () => document.removeEventListener('keydown', down);
  }, [newer, older, router]);
  return (
    <nav aria-label="Dans le journal" className="flex items-center gap-1">
      <Link
        href={list.href}
        className="touch mr-1 inline-flex h-8 items-center rounded-md px-2 text-ink-soft text-sm hover:bg-hover hover:text-ink sm:hidden"
      >
        {list.name}
      </Link>
      <Step href={newer} icon={ChevronLeft} label={NEWER} hotkey="K" />
      <Step href={older} icon={ChevronRight} label={OLDER} hotkey="J" />
    </nav>
  );
}

function Step({
  href,
  icon,
  label,
  hotkey,
}: {
  href: string | null;
  icon: IconDrawing;
  label: string;
  hotkey: string;
}) {
  const look = 'touch grid size-9 place-items-center rounded-md border border-line-strong/60 bg-surface';
  if (!href)
    return (
      <span className={`${look} opacity-55`}>
        <Icon of={icon} size={16} />
        <span className="sr-only">{label}&nbsp;: aucune</span>
      </span>
    );
  return (
    <Link
      href={href}
      prefetch={false}
      aria-label={label}
      aria-keyshortcuts={hotkey}
      data-tip={`${label} · ${hotkey}`}
      className={`${look} hover:bg-hover`}
    >
      <Icon of={icon} size={16} />
    </Link>
  );
}
