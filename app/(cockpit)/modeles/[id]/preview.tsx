// biome-ignore-all lint/performance/noImgElement: pictures of ours that only a signed-in member may read
'use client';
import { ChevronLeft, ChevronRight } from 'lucide';
import { IconButton } from '#app/_ui/action/icon-button.tsx';
import { cx } from '#app/_ui/cx.ts';
import type { RenderSize } from '#lib/studio/templates/drawing/types.ts';
import type { DrawingState } from './use-drawing.ts';

type PreviewProps = {
  name: string;
  size: RenderSize | undefined;
  picture: string | null;
  state: DrawingState;
  /** Why the service refused, if the state is `lost` and it answered. */
  refusal: string | null;
  pages: number;
  page: number;
  onPage: (page: number) => void;
};

const NOT_DRAWN = 'L’aperçu n’a pas pu être dessiné. Votre saisie est toujours là.';
const SAYS: Record<DrawingState, string> = {
  drawing: 'Aperçu en cours…',
  fresh: 'Aperçu à jour. Il ne débite rien.',
  stale: 'L’aperçu attend vos corrections\u00a0: il montre la version d’avant.',
  lost: 'L’aperçu n’a pas pu être dessiné. Votre saisie est toujours là\u00a0; il reviendra à la prochaine modification.',
};

/** The preview of a render, its state in words, and buttons for renders of several files. Its box has the render's proportions from the start. */
export function Preview({ name, size, picture, state, refusal, pages, page, onPage }: PreviewProps) {
  const shown = Math.min(page, Math.max(0, pages - 1));
  const { width = 1, height = 1 } = size ?? {};
  return (
    <figure>
      <div className="grid place-items-center rounded-md border border-line bg-sunken p-3">
        <div
          className="[--room:42vh] lg:[--room:60vh]"
          style={{
            aspectRatio: `${width} / ${height}`,
            width: `min(100%, calc(var(--room) * ${width / height}))`,
          }}
        >
          {picture ? (
            <img
              src={picture}
              alt={`Aperçu du gabarit ${name}, fichier ${shown + 1}`}
              className={cx(
                'size-full rounded-xs object-contain shadow-raised transition-opacity',
                state === 'drawing' && 'opacity-60',
                state === 'stale' && 'opacity-45',
              )}
            />
          ) : (
            <span aria-hidden className="skeleton block size-full" />
          )}
        </div>
      </div>
      <figcaption className="mt-2 flex min-h-8 items-center justify-between gap-3 text-ink-faint text-xs">
        <span aria-live="polite">
          {state === 'lost' && refusal ? `${NOT_DRAWN} ${refusal}` : SAYS[state]}
        </span>
        {pages > 1 ? (
          <span className="flex shrink-0 items-center gap-1">
            <IconButton
              icon={ChevronLeft}
              label="Fichier précédent"
              aria-disabled={shown === 0 || undefined}
              onClick={() => shown > 0 && onPage(shown - 1)}
              className="aria-disabled:opacity-55"
            />
            <span className="tabular text-ink-soft text-sm">
              {shown + 1} / {pages}
            </span>
            <IconButton
              icon={ChevronRight}
              label="Fichier suivant"
              aria-disabled={shown >= pages - 1 || undefined}
              onClick={() => shown < pages - 1 && onPage(shown + 1)}
              className="aria-disabled:opacity-55"
            />
          </span>
        ) : null}
      </figcaption>
    </figure>
  );
}
