import { PageHeaderSkeleton, RowsSkeleton } from '#app/_ui/state/skeleton.tsx';

export default function Loading() {
  return (
    <>
      <PageHeaderSkeleton action={false} />
      <RowsSkeleton rows={3} />
    </>
  );
}
