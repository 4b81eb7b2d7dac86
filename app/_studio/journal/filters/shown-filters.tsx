'use client';
import { type ComponentProps, Suspense } from 'react';
import { lazyPart } from '#app/_ui/lazy-part.ts';

const Filters = lazyPart(() => import('./filters.tsx'));

/** The filters, drawn by the server; their script follows that of the list. */
export function ShownFilters(props: ComponentProps<typeof Filters>) {
  return (
    <Suspense>
      <Filters {...props} />
    </Suspense>
  );
}
