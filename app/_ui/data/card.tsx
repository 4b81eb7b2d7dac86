import Link from 'next/link';
import type { ReactNode } from 'react';
import { cx } from '../cx.ts';

/** A card that opens a page: the title is the link, and its target covers the whole card. Other controls inside need `relative`. */
export function Card({
  href,
  title,
  children,
  className,
}: {
  href: string;
  title: string;
  children?: ReactNode;
  className?: string;
}) {
  return (
    <article
      className={cx(
        'relative min-w-0 rounded-md border border-line bg-surface p-4 transition-colors hover:border-line-strong has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-accent-ink has-[a:focus-visible]:outline-offset-2',
        className,
      )}
    >
      <h3 className="min-w-0 font-medium text-base">
        <Link
          href={href}
          data-tip={title.length > 40 ? title : undefined}
          className="block truncate outline-none after:absolute after:inset-0 after:rounded-md focus-visible:outline-none"
        >
          {title}
        </Link>
      </h3>
      {children}
    </article>
  );
}

/** A titled part of a page, without a frame: parts are separated by space. */
export function Section({
  title,
  description,
  action,
  children,
  className,
  id,
}: {
  title: string;
  description?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
  className?: string;
  id?: string;
}) {
  return (
    <section id={id} className={cx('min-w-0', className)}>
      {description || action ? (
        <header className="mb-3 flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
          <div className="min-w-0">
            <h2 className="font-semibold text-base">{title}</h2>
            {description ? <p className="mt-0.5 text-ink-soft text-sm">{description}</p> : null}
          </div>
          {action}
        </header>
      ) : (
        <h2 className="mb-3 font-semibold text-base">{title}</h2>
      )}
      {children}
    </section>
  );
}

/** Pairs of a name and a value that describe one thing. */
export function Facts({
  items,
  className,
}: {
  items: { label: string; value: ReactNode }[];
  className?: string;
}) {
  return (
    <dl className={cx('facts', className)}>
      {items.map((item) => (
        <div key={item.label}>
          <dt>{item.label}</dt>
          <dd>{item.value}</dd>
        </div>
      ))}
    </dl>
  );
}
