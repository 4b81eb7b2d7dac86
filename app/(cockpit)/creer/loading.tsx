import { PageHeaderSkeleton, Skeleton } from '#app/_ui/state/skeleton.tsx';

/** The composer on its way: kind, product, demand on one side, what will be sent on the other. */
export default function Loading() {
  return (
    <div role="status">
      <span className="sr-only">Chargement…</span>
      <PageHeaderSkeleton action={false} />
      <div className="grid gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="flex flex-col gap-5">
          <Skeleton className="h-9 w-full max-w-xl" />
          <Skeleton className="h-9 w-full" />
          <Skeleton className="h-32 w-full" />
          <Skeleton className="h-24 w-full" />
        </div>
        <div className="flex flex-col gap-5">
          <Skeleton className="h-40 w-full" />
          <Skeleton className="h-56 w-full" />
        </div>
      </div>
    </div>
  );
}
