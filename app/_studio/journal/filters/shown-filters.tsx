'use client';
import { latePart } from '#app/_ui/late-part.tsx';

/** The filters, rendered by the server; their script loads after that of the list. */
export const ShownFilters = latePart(
  () => import('./filters.tsx'),
  <div className="skeleton mb-5 h-32 max-w-3xl" />,
);
