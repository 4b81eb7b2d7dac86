import type { ReactNode } from 'react';
import { type Crumb, PageCrumbs } from './crumbs.tsx';

type PageHeaderProps = {
  title: string;
  /** One sentence, or facts about the subject of the page. */
  description?: ReactNode;
  /** Beside the title: a gauge, a status. */
  aside?: ReactNode;
  /** The one primary action of the page. */
  action?: ReactNode;
  /** The breadcrumb items after the section. */
  crumbs?: readonly Crumb[];
};

/** Title and primary action, at the same place on every page. */
export function PageHeader({ title, description, aside, action, crumbs }: PageHeaderProps) {
  const heading = <h1 className="wrap-anywhere min-w-0 font-semibold text-xl tracking-tight">{title}</h1>;
  return (
    <div className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
      {crumbs ? <PageCrumbs items={crumbs} /> : null}
      <div className="min-w-0 max-w-3xl">
        {aside ? (
          <div className="flex min-w-0 items-center gap-3">
            {heading}
            {aside}
          </div>
        ) : (
          heading
        )}
        {description ? <div className="mt-1 text-ink-soft">{description}</div> : null}
      </div>
      {action ? <div className="flex flex-wrap items-center gap-2 max-sm:w-full">{action}</div> : null}
    </div>
  );
}
