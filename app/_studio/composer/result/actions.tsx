'use client';
import { Check, CircleX, Columns2, Download, Film, Mic, RotateCcw, Sparkles } from 'lucide';
import { AskedDownload } from '#app/_cockpit/downloads/asked-download.tsx';
import type { ShownFileRetention } from '#app/_studio/journal/rows/retention-words.ts';
import { leftFiles } from '#app/_studio/left-files.ts';
import type { Reviewing } from '#app/_studio/review/use-review.tsx';
import { Button, buttonClass, LinkButton } from '#app/_ui/action/button.tsx';
import { Icon } from '#app/_ui/icon.tsx';
import type { GenerationView } from '#lib/studio/journal/view.ts';

type Props = {
  row: GenerationView;
  /** The generation's files with their retention; empty until they are read. */
  files: readonly ShownFileRetention[];
  review: Reviewing;
  /** The generations to compare: this one, and others that were delivered. */
  compared: readonly string[];
};

function here(row: GenerationView, query: Record<string, string>): string {
  return `/creer?${new URLSearchParams({ ...query, ancetre: row.id, produit: row.productId, resultat: row.id })}`;
}

/** The actions on a result: judge it, continue from it, compare it, download it; only those that its kind allows. */
export function ResultActions({ row, files, review, compared }: Props) {
  const [file] = files;
  const image = file?.type === 'IMAGE' ? file.id : null;
  const canReview = (one: 'approve' | 'reject') => files.some(({ reviews }) => reviews.includes(one));
  return (
    <div className="flex min-h-10 flex-wrap gap-2">
      {canReview('approve') ? (
        <Button size="sm" icon={Check} pending={review.pending} onClick={() => void review.approve([row.id])}>
          Approuver et garder
        </Button>
      ) : null}
      {canReview('reject') ? (
        <Button
          size="sm"
          icon={CircleX}
          aria-haspopup="dialog"
          // The second click of two on « Approuver » falls on this button, which has taken its place.
          onClick={({ detail }) => (detail > 1 ? undefined : review.reject([row.id]))}
        >
          Rejeter
        </Button>
      ) : null}
      {image ? (
        <>
          <LinkButton
            size="sm"
            icon={Sparkles}
            scroll={false}
            href={here(row, { type: 'image', reference: image })}
          >
            En faire une variante
          </LinkButton>
          <LinkButton
            size="sm"
            icon={Film}
            scroll={false}
            href={here(row, { type: 'video', reference: image, role: 'startImage' })}
          >
            Animer
          </LinkButton>
          <LinkButton
            size="sm"
            icon={Mic}
            scroll={false}
            href={here(row, { type: 'lipsync', reference: image, role: 'character' })}
          >
            Faire parler
          </LinkButton>
        </>
      ) : null}
      {row.kind === 'VOICE' && file ? (
        <LinkButton size="sm" icon={Mic} scroll={false} href={here(row, { type: 'lipsync', parole: row.id })}>
          Faire parler un visage
        </LinkButton>
      ) : null}
      {row.kind === 'VIDEO' && file ? (
        <LinkButton
          size="sm"
          icon={Mic}
          scroll={false}
          href={here(row, { type: 'lipsync', reference: file.id, role: 'clip' })}
        >
          Faire parler
        </LinkButton>
      ) : null}
      {image ? null : (
        <LinkButton
          size="sm"
          icon={RotateCcw}
          scroll={false}
          href={`/creer?${new URLSearchParams({ reprendre: row.id, resultat: row.id })}`}
        >
          Reprendre ces réglages
        </LinkButton>
      )}
      {compared.length > 1 ? (
        <LinkButton size="sm" icon={Columns2} href={`/journal/comparer?ids=${compared.join(',')}`}>
          Comparer
        </LinkButton>
      ) : null}
      <Take row={row} />
    </div>
  );
}

function Take({ row }: { row: GenerationView }) {
  const left = leftFiles(row);
  const [file] = left;
  if (!file) return null;
  const several = left.length > 1;
  return (
    <AskedDownload
      href={several ? `/api/generations/archive?ids=${row.id}` : `${file.url}?download=1`}
      className={buttonClass('secondary', 'sm')}
    >
      <Icon of={Download} size={16} strokeWidth={1.75} />
      Télécharger
    </AskedDownload>
  );
}
