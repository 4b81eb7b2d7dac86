import { PageHeaderSkeleton, Skeleton } from '#app/_ui/state/skeleton.tsx';

export default function Loading() {
  return (
    <>
      <PageHeaderSkeleton />
      <div role="status" className="grid gap-8 lg:grid-cols-[18rem_1fr]">
        <span className="sr-only">Chargement…</span>
        <Skeleton className="h-96 w-full" />
        <Skeleton className="h-[36rem] w-full" />
      </div>
    </>
  );
}
