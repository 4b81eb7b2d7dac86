'use client';
import { latePart } from '#app/_ui/late-part.tsx';

/** The filters, drawn by the server; their script follows that of the list. */
export const ShownFilters = latePart(() => import('./filters.tsx'), <Waiting />);

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
