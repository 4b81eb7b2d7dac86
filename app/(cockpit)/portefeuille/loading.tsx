import { PageHeaderSkeleton, RowsSkeleton, Skeleton } from '#app/_ui/state/skeleton.tsx';

/** The wallet's own shape while it comes. */
export default function Loading() {
  return (
    <>
      <PageHeaderSkeleton />
      <div className="grid gap-x-8 gap-y-5 sm:grid-cols-3">
        {['available', 'balance', 'held'].map((part) => (
          <div key={part}>
            <Skeleton className="h-5 w-20" />
            <Skeleton className="mt-1 h-8 w-36" />
            <Skeleton className="mt-1 h-4 w-44" />
          </div>
        ))}
      </div>
      <Skeleton className="mt-10 h-44 w-full" />
      <RowsSkeleton rows={8} className="mt-10" />
    </>
  );
}
