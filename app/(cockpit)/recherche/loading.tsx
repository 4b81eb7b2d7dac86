import { PageHeaderSkeleton, RowsSkeleton, Skeleton } from '#app/_ui/state/skeleton.tsx';

export default function Loading() {
  return (
    <>
      <PageHeaderSkeleton action={false} />
      <Skeleton className="mb-3 h-12 w-full" />
      <Skeleton className="mb-6 h-9 w-96 max-w-full" />
      <RowsSkeleton rows={6} />
    </>
  );
}
