import { PageHeaderSkeleton, Skeleton } from '#app/_ui/state/skeleton.tsx';

/** Rows of files on their way. */
export default function Loading() {
  return (
    <>
      <PageHeaderSkeleton />
      <div role="status" className="space-y-6">
        <span className="sr-only">Chargement…</span>
        <Skeleton className="h-10 w-full max-w-md" />
        <Skeleton className="h-72 w-full" />
      </div>
    </>
  );
}
