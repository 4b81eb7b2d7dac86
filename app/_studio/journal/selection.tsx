'use client';
import { Check, CircleX, Columns2, Download, Trash2, X } from 'lucide';
import Link from 'next/link';
import { AskedDownload } from '#app/_cockpit/downloads/asked-download.tsx';
import { Button, buttonClass } from '#app/_ui/action/button.tsx';
import { number } from '#app/_ui/format.ts';
import { Icon } from '#app/_ui/icon.tsx';
import { toast } from '#app/_ui/toast.ts';
import { MAX_CHOSEN } from '#lib/storage/limits.ts';
import { useFocusAfterChoice } from '../review/use-handed-focus.ts';
import type { Reviewing } from '../review/use-review.tsx';
import { compareHref, MOST_COMPARED } from './filters/query.ts';

/** Says why no more generations can be chosen. */
export function refuseMore(): void {
  toast({
    name: 'chosen',
    title: `Pas plus de ${MAX_CHOSEN} générations à la fois`,
    description: 'Retirez-en une pour prendre celle-ci, ou traitez d’abord celles qui sont choisies.',
  });
}

/** The actions on the chosen generations. */
export default function Selection({
  selected,
  ids,
  onClear,
  decide,
}: {
  selected: readonly string[];
  /** The identifiers of the listed generations, in their order. */
  ids: readonly string[];
  onClear: () => void;
  /** Absent if the member may not decide. */
  decide?: { review: Reviewing; remove: (generationIds: readonly string[]) => void };
}) {
  useFocusAfterChoice(selected, ids);
  const label = (words: string) => <span className="max-sm:sr-only">{words}</span>;
  return (
    <div
      data-chosen
      className="fixed right-[calc(1rem+var(--safe-right))] bottom-[calc(1rem+var(--safe-bottom))] left-[calc(1rem+var(--safe-left))] z-30 mx-auto flex w-fit max-w-[calc(100vw-2rem)] items-center gap-1 rounded-md border border-line bg-raised py-2 pr-2 pl-4 text-sm shadow-raised max-lg:bottom-[calc(5rem+var(--safe-bottom))] sm:gap-2"
    >
      <span role="status" className="tabular mr-1 whitespace-nowrap">
        {number(selected.length)}
        {label(selected.length === 1 ? '\u00a0choisie' : '\u00a0choisies')}
        {selected.length < MAX_CHOSEN ? null : <span className="max-lg:sr-only">, le maximum</span>}
      </span>
      {selected.length >= 2 && selected.length <= MOST_COMPARED ? (
        <Link href={compareHref(selected)} className={buttonClass('primary', 'sm')}>
          <Icon of={Columns2} size={16} />
          {label('Comparer')}
        </Link>
      ) : null}
      {decide ? (
        <>
          <Button
            size="sm"
            icon={Check}
            pending={decide.review.pending}
            onClick={() => decide.review.approve(selected)}
          >
            {label('Approuver')}
          </Button>
          <Button size="sm" icon={CircleX} onClick={() => decide.review.reject(selected)}>
            {label('Rejeter')}
          </Button>
        </>
      ) : null}
      <AskedDownload
        href={`/api/generations/archive?ids=${selected.join(',')}`}
        className={buttonClass('secondary', 'sm')}
      >
        <Icon of={Download} size={16} />
        {label('Télécharger')}
      </AskedDownload>
      {decide ? (
        <Button
          size="sm"
          icon={Trash2}
          onClick={() => {
            decide.remove(selected);
            onClear();
          }}
        >
          {label('Supprimer')}
        </Button>
      ) : null}
      <Button size="sm" variant="quiet" icon={X} onClick={onClear}>
        {label('Ne plus choisir')}
      </Button>
    </div>
  );
}
