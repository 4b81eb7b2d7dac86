import { PageHeaderSkeleton, RowsSkeleton } from '#app/_ui/state/skeleton.tsx';

export default function Loading() {
  return (
    <>
      <PageHeaderSkeleton />
      <RowsSkeleton rows={8} />
    </>
  );
}
