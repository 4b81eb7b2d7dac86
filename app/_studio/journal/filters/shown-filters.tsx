'use client';
import { type ComponentProps, Suspense } from 'react';
import { lazyPart } from '#app/_ui/lazy-part.ts';

const Filters = lazyPart(() => import('./filters.tsx'));

/** The filters, drawn by the server; their script follows that of the list. */
export function ShownFilters(props: ComponentProps<typeof Filters>) {
  return (
    <Suspense fallback={<Waiting />}>
      <Filters {...props} />
    </Suspense>
  );
}

/** Their place, as the page on its way draws it. */
function Waiting() {
  return (
    <div className="mb-5 flex flex-col gap-2.5">
      <span className="skeleton h-9 w-full max-w-2xl" />
      <span className="skeleton h-9 w-full max-w-xl" />
      <span className="skeleton h-9 w-full max-w-3xl" />
    </div>
  );
}
