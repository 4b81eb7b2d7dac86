'use client';
import type { Change } from '../draft/use-draft.ts';

/** Says that the request is a variant, and can make it independent. The focus then moves to the send button, because this button disappears. */
export default function AncestorNote({ change }: { change: Change }) {
  return (
    <p className="text-ink-soft text-sm">
      Cette génération est une variante d’une ligne du journal.{' '}
      <button
        type="button"
        onClick={({ currentTarget: { form } }) => {
          form?.querySelector<HTMLElement>('[type=submit], [data-lacks]')?.focus({ preventScroll: true });
          change({ ancestorId: '' });
        }}
        className="text-accent-ink underline"
      >
        En faire une génération à part
      </button>
    </p>
  );
}
