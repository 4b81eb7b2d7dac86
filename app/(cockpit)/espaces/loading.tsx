import { CardsSkeleton, PageHeaderSkeleton } from '#app/_ui/state/skeleton.tsx';

export default function Loading() {
  return (
    <>
      <PageHeaderSkeleton />
      <CardsSkeleton cards={3} />
    </>
  );
}
