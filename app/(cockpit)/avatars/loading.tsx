import { PageHeaderSkeleton, Skeleton } from '#app/_ui/state/skeleton.tsx';

const TILES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];

/** Tiles of avatars on their way. */
export default function Loading() {
  return (
    <>
      <PageHeaderSkeleton />
      <div className="grid grid-cols-2 gap-x-4 gap-y-6 sm:grid-cols-3 xl:grid-cols-4">
        {TILES.map((tile) => (
          <div key={tile}>
            <Skeleton className="aspect-square w-full" />
            <Skeleton className="mt-2 h-5 w-2/3" />
            <Skeleton className="mt-1 h-4 w-1/2" />
          </div>
        ))}
      </div>
    </>
  );
}
