import { PageHeaderSkeleton, Skeleton } from '#app/_ui/state/skeleton.tsx';

/** The contact sheet on its way: same tiles, same places. */
export default function Loading() {
  return (
    <div role="status">
      <span className="sr-only">Chargement…</span>
      <PageHeaderSkeleton />
      <div className="mb-5 flex flex-col gap-2.5">
        <Skeleton className="h-9 w-full max-w-2xl" />
        <Skeleton className="h-9 w-full max-w-xl" />
        <Skeleton className="h-9 w-full max-w-3xl" />
      </div>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-4 2xl:grid-cols-6">
        {Array.from({ length: 12 }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
          <div key={index} className="overflow-hidden rounded-md border border-line bg-surface">
            <Skeleton className="aspect-square w-full rounded-none" />
            <div className="flex flex-col gap-2 p-3">
              <Skeleton className="h-6 w-20" />
              <Skeleton className="h-5 w-full" />
              <Skeleton className="h-4 w-2/3" />
            </div>
          </div>
        ))}
      </div>
    </div>
  );
}
