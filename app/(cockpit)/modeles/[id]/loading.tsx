import { PageHeaderSkeleton, Skeleton } from '#app/_ui/state/skeleton.tsx';

export default function Loading() {
  return (
    <>
      <PageHeaderSkeleton />
      <div role="status" className="grid gap-x-8 gap-y-6 lg:grid-cols-2">
        <span className="sr-only">Chargement…</span>
        <div>
          {['a', 'b', 'c', 'd', 'e'].map((key) => (
            <div key={key} className="mb-4">
              <Skeleton className="h-5 w-28" />
              <Skeleton className="mt-1.5 h-9 w-full" />
            </div>
          ))}
        </div>
        <Skeleton className="h-112 w-full" />
      </div>
    </>
  );
}
