import { PageHeaderSkeleton, RowsSkeleton, Skeleton } from '#app/_ui/state/skeleton.tsx';

/** The voice desk while the provider answers. */
export default function Loading() {
  return (
    <>
      <PageHeaderSkeleton />
      <Skeleton className="h-5 w-full max-w-xl" />
      <Skeleton className="mt-2 h-1.5 w-full max-w-xl" />
      <RowsSkeleton rows={6} className="mt-10" />
    </>
  );
}
