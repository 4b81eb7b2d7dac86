import type { ReactNode } from 'react';
import { buttonClass } from '#app/_ui/action/button.tsx';
import { cx } from '#app/_ui/cx.ts';
import type { ComposerKind } from '../draft/draft.ts';

type Kind = ComposerKind | 'together';

const JUDGE = ['Approuver et garder', 'Rejeter'];
const IMAGE = [...JUDGE, 'En faire une variante', 'Animer', 'Faire parler'];
const RETAKE = 'Reprendre ces réglages';
/** The labels of a delivered result's buttons, by kind and in order; `labelsOf` adds « Comparer » and « Télécharger ». */
const OFFERED: Record<ComposerKind, string[]> = {
  image: IMAGE,
  render: IMAGE,
  vector: [...JUDGE, RETAKE],
  voice: [...JUDGE, 'Faire parler un visage', RETAKE],
  video: [...JUDGE, 'Faire parler', RETAKE],
  lipsync: [...JUDGE, RETAKE],
};

function labelsOf(kind: Kind | undefined, several: boolean): string[] {
  if (kind === 'together') return ['Comparer', 'Tout télécharger'];
  return [...OFFERED[kind ?? 'image'], ...(several ? ['Comparer'] : []), 'Télécharger'];
}

/**
 * The room of a result's buttons: their outlines while the result is awaited, then the buttons in the same place, so that nothing below them moves.
 */
export function ActionRoom({
  kind,
  several,
  awaited,
  children,
}: {
  kind: Kind | undefined;
  several: boolean;
  awaited: boolean;
  children: ReactNode;
}) {
  const isBare = kind === 'together';
  return (
    <div className="grid grid-cols-1">
      <div
        aria-hidden
        className={cx('col-start-1 row-start-1 flex flex-wrap gap-2', !awaited && 'invisible')}
      >
        {labelsOf(kind, several).map((label) => (
          <span
            key={label}
            data-label={label}
            className={buttonClass(
              'secondary',
              'sm',
              'skeleton border-transparent bg-hover! text-transparent before:content-[attr(data-label)]',
            )}
          >
            {isBare ? null : <span className="order-first size-4 shrink-0" />}
          </span>
        ))}
      </div>
      <div className="col-start-1 row-start-1 min-w-0">{children}</div>
    </div>
  );
}
