import { PageHeaderSkeleton, Skeleton } from '#app/_ui/state/skeleton.tsx';

export default function Loading() {
  return (
    <>
      <PageHeaderSkeleton />
      <div role="status" className="grid gap-x-5 gap-y-8 md:grid-cols-2 xl:grid-cols-5">
        <span className="sr-only">Chargement…</span>
        {['a', 'b', 'c', 'd', 'e'].map((key) => (
          <div key={key}>
            <Skeleton className="h-6 w-32" />
            <Skeleton className="mt-2 h-8 w-full" />
            {[0, 1, 2].map((row) => (
              <Skeleton key={row} className="mt-3 h-16 w-full" />
            ))}
          </div>
        ))}
      </div>
    </>
  );
}
