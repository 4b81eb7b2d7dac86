import { PageHeaderSkeleton, RowsSkeleton, Skeleton } from '#app/_ui/state/skeleton.tsx';

export default function Loading() {
  return (
    <>
      <PageHeaderSkeleton />
      <div className="grid gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Skeleton className="aspect-[4/3] w-full rounded-md" />
        <RowsSkeleton rows={8} />
      </div>
    </>
  );
}
