import { ChevronLeft, ChevronRight, ChevronsLeft } from 'lucide';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { Icon } from '#app/_ui/icon.tsx';
import { buttonClass } from '../action/button.tsx';
import { cx } from '../cx.ts';
import { number } from '../format.ts';

export type Tab = { href: string; label: string; count?: number; current: boolean };

/** Views of one page, each with its own address: a view can be shared or opened in another tab, and needs no JavaScript. */
export function Tabs({ label, tabs, className }: { label: string; tabs: Tab[]; className?: string }) {
  return (
    <nav aria-label={label} className={cx('-mx-1 mb-6 overflow-x-auto border-line border-b px-1', className)}>
      <ul role="list" className="flex gap-5">
        {tabs.map((tab) => (
          <li key={tab.href}>
            <Link
              href={tab.href}
              scroll={false}
              aria-current={tab.current ? 'page' : undefined}
              className={cx(
                'flex h-10 items-center gap-1.5 whitespace-nowrap border-b-2 text-sm transition-colors focus-visible:-outline-offset-2',
                tab.current
                  ? 'border-accent-ink font-medium text-ink'
                  : 'border-transparent text-ink-soft hover:text-ink',
              )}
            >
              {tab.label}
              {tab.count === undefined ? null : (
                <span className="tabular text-ink-faint text-xs">{number(tab.count)}</span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

type PaginationProps = {
  /** The count in full: « 51 à 100 sur 1 204 générations ». */
  summary: ReactNode;
  previousHref?: string | undefined;
  nextHref?: string | undefined;
  /** For a list that can only be read forward: the link back leads to the first page, and says so. */
  toFirst?: boolean;
  /** What the pages are of, for a page that has several lists. */
  label?: string;
};

/** The links to the former and the next page of a long list, with its count. */
export function Pagination({ summary, previousHref, nextHref, toFirst, label = 'Pages' }: PaginationProps) {
  const step = (href: string | undefined, forward: boolean) => {
    const content = forward ? (
      <>
        Suivant
        <Icon of={ChevronRight} size={16} />
      </>
    ) : (
      <>
        <Icon of={toFirst ? ChevronsLeft : ChevronLeft} size={16} />
        {toFirst ? 'Début' : 'Précédent'}
      </>
    );
    return href ? (
      <Link
        href={href}
        className={buttonClass('secondary', 'sm')}
        rel={forward ? 'next' : toFirst ? undefined : 'prev'}
      >
        {content}
      </Link>
    ) : (
      <span aria-disabled="true" className={buttonClass('secondary', 'sm')}>
        {content}
      </span>
    );
  };
  return (
    <nav aria-label={label} className="mt-4 flex flex-wrap items-center justify-between gap-3">
      <p className="tabular text-ink-soft text-sm">{summary}</p>
      <div className="flex gap-2">
        {step(previousHref, false)}
        {step(nextHref, true)}
      </div>
    </nav>
  );
}
