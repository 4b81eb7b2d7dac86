import { cx } from '../cx.ts';

/** A grey block of the size of what will come, so that nothing jumps. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cx('skeleton block', className)} />;
}

/** The title, description and action of a page that is loading. */
export function PageHeaderSkeleton({ action = true }: { action?: boolean }) {
  return (
    <div className="mb-6 flex items-start justify-between gap-4">
      <div>
        <Skeleton className="h-8.5 w-56 max-w-[60vw]" />
        <Skeleton className="mt-2 h-5 w-80 max-w-[70vw]" />
      </div>
      {action ? <Skeleton className="h-9 w-36 max-sm:hidden" /> : null}
    </div>
  );
}

/** The rows of a list or a table that is loading. */
export function RowsSkeleton({ rows = 8, className }: { rows?: number; className?: string }) {
  return (
    <div role="status" className={cx('divide-y divide-line', className)}>
      <span className="sr-only">Chargement…</span>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <div key={index} className="flex h-12 items-center gap-4">
          <Skeleton className={cx('h-4', ['w-2/5', 'w-1/3', 'w-1/2', 'w-1/4'][index % 4])} />
          <Skeleton className="ml-auto h-4 w-14" />
          <Skeleton className="h-4 w-20 max-sm:hidden" />
        </div>
      ))}
    </div>
  );
}

/** A grid of cards that is loading. */
export function CardsSkeleton({ cards = 6, className }: { cards?: number; className?: string }) {
  return (
    <div role="status" className={cx('grid gap-4 sm:grid-cols-2 xl:grid-cols-3', className)}>
      <span className="sr-only">Chargement…</span>
      {Array.from({ length: cards }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <div key={index} className="h-40 rounded-md border border-line bg-surface p-4">
          <Skeleton className="h-5 w-2/3" />
          <Skeleton className="mt-3 h-4 w-1/3" />
          <Skeleton className="mt-8 h-2 w-full" />
        </div>
      ))}
    </div>
  );
}
