import { CardsSkeleton, PageHeaderSkeleton } from '#app/_ui/state/skeleton.tsx';

export default function Loading() {
  return (
    <>
      <PageHeaderSkeleton action={false} />
      <CardsSkeleton className="[&>div]:h-88" />
    </>
  );
}
