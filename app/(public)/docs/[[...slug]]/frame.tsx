import Link from 'next/link';
import { pagesByGroup } from '#app/_docs/pages.ts';
import type { DrawnSection } from '#app/_docs/render/draw-page.ts';
import type { DocPage } from '#app/_docs/writing/page.ts';
import { pathOf } from '#app/_docs/writing/slugs.ts';
import { cx } from '#app/_ui/cx.ts';
import { Mark } from '#app/_ui/shell/mark.tsx';

/** The bar above every page: where one is, and the way into the application. */
export function DocsHeader() {
  return (
    <header className="sticky top-0 z-10 border-line border-b bg-ground pt-(--safe-top)">
      <a
        href="#contenu"
        className="sr-only bg-raised px-4 py-2 focus:not-sr-only focus:absolute focus:top-[calc(0.5rem+var(--safe-top))] focus:left-2"
      >
        Aller au contenu
      </a>
      <div className="mx-auto flex h-14 max-w-7xl items-center gap-3 px-4 md:px-8">
        <Link href="/docs" className="touch flex items-center gap-3 font-semibold">
          <Mark size={24} />
          Atelier
          <span className="font-normal text-ink-soft">Documentation</span>
        </Link>
        <a
          href="/"
          className="touch ml-auto inline-flex items-center text-accent-ink text-sm underline-offset-4 hover:underline"
        >
          Ouvrir Atelier
        </a>
      </div>
    </header>
  );
}

/** The list of pages: beside the text on a wide screen, folded above it on a narrow one. */
export function DocsMenu({ current }: { current: string }) {
  const list = (
    <ul role="list" className="flex flex-col gap-6">
      {pagesByGroup().map(({ group, pages }) => (
        <li key={group}>
          <p className="mb-1 font-medium text-ink-faint text-xs">{group}</p>
          <ul role="list">
            {pages.map((page) => (
              <li key={page.slug}>
                <Link
                  href={pathOf(page)}
                  prefetch={false}
                  aria-current={page.slug === current ? 'page' : undefined}
                  className={cx(
                    'touch -mx-2 flex min-h-8 items-center rounded-xs px-2 text-sm hover:bg-hover',
                    page.slug === current ? 'bg-accent-soft font-medium text-accent-ink' : 'text-ink-soft',
                  )}
                >
                  {page.title}
                </Link>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
  return (
    <>
      <nav aria-label="Documentation" className="hidden py-10 lg:block">
        <div className="sticky top-20 max-h-[calc(100dvh-6rem)] overflow-y-auto px-2">{list}</div>
      </nav>
      <details className="mt-4 rounded-md border border-line bg-surface px-4 lg:hidden">
        <summary className="touch flex min-h-10 items-center font-medium text-sm">Toutes les pages</summary>
        <nav aria-label="Documentation, sur un petit écran" className="pb-4">
          {list}
        </nav>
      </details>
    </>
  );
}

/** What this page holds, by its headings. */
export function Contents({
  sections,
  isOpen,
  className,
}: {
  sections: readonly DrawnSection[];
  isOpen?: boolean;
  className?: string;
}) {
  if (sections.length < 2) return null;
  const list = (
    <ul role="list" className="text-sm">
      {sections.map(({ id, title, level }) => (
        <li key={id} className={level === 3 ? 'pl-3' : 'not-first:mt-1.5'}>
          <a href={`#${id}`} className="wrap-anywhere block py-1 text-ink-soft leading-snug hover:text-ink">
            {title}
          </a>
        </li>
      ))}
    </ul>
  );
  return isOpen ? (
    <nav aria-label="Sur cette page" className={className}>
      <p className="mb-1 font-medium text-ink-faint text-xs">Sur cette page</p>
      {list}
    </nav>
  ) : (
    <details className={cx('rounded-md border border-line bg-surface px-4', className)}>
      <summary className="touch flex min-h-10 items-center font-medium text-sm">Sur cette page</summary>
      <nav aria-label="Sur cette page, en tête" className="pb-3">
        {list}
      </nav>
    </details>
  );
}

/** The page before and the page after. */
export function Neighbours({ before, after }: { before?: DocPage | undefined; after?: DocPage | undefined }) {
  const link = (page: DocPage, words: string, className?: string) => (
    <Link
      href={pathOf(page)}
      prefetch={false}
      className={cx(
        'flex flex-col gap-0.5 rounded-md border border-line bg-surface p-4 hover:border-line-strong',
        className,
      )}
    >
      <span className="text-ink-faint text-xs">{words}</span>
      <span className="font-medium text-accent-ink">{page.title}</span>
    </Link>
  );
  return (
    <nav aria-label="Pages voisines" className="mt-8 grid gap-4 border-line border-t pt-6 sm:grid-cols-2">
      {before ? link(before, 'Avant') : null}
      {after ? link(after, 'Ensuite', 'sm:col-start-2 sm:text-right') : null}
    </nav>
  );
}
