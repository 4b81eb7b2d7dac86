'use client';
import { CloudOff, LoaderCircle, TriangleAlert } from 'lucide-react';
import { thumbnailUrl } from '#app/_studio/media.tsx';
import { titleOf } from '#app/_studio/title.ts';
import { KIND_ICONS } from '#app/_studio/words.ts';
import { LinkButton } from '#app/_ui/action/button.tsx';
import { cx } from '#app/_ui/cx.ts';
import { Picture } from '#app/_ui/state/picture.tsx';
import type { GenerationView } from '#lib/studio/journal/view.ts';
import type { Results } from './use-results.ts';

const CELL =
  'relative grid size-16 shrink-0 place-items-center overflow-hidden rounded-xs border bg-sunken text-ink-faint hover:border-line-strong focus-visible:outline-2 focus-visible:outline-accent-ink';

/** The last results, newest first; one press shows it large. */
export function ResultStrip({ results }: { results: Results }) {
  const { now, strip, awaited, choose, follow } = results;
  if (strip.length === 0 && awaited.length === 0) return null;
  return (
    <section aria-label="Derniers résultats">
      <header className="mb-2 flex items-center justify-between gap-3">
        <h2 className="font-medium text-sm">Derniers résultats</h2>
        <LinkButton href="/journal" size="sm" variant="quiet">
          Tout le journal
        </LinkButton>
      </header>
      <ul className="flex gap-2 overflow-x-auto p-0.5 pb-2">
        {awaited.map((one) => {
          const Icon = one.waiting ? CloudOff : one.refusal ? TriangleAlert : LoaderCircle;
          const isShown = now.sent?.key === one.key;
          return (
            <li key={one.key}>
              <button
                type="button"
                aria-pressed={isShown}
                aria-label={`Voir ${one.title.slice(0, 80)}`}
                data-tip={one.title.slice(0, 200)}
                onClick={() => follow(one.key)}
                className={cx(CELL, isShown ? 'border-accent-ink' : 'border-line')}
              >
                <Icon aria-hidden size={18} className={cx(Icon === LoaderCircle && 'animate-turn')} />
              </button>
            </li>
          );
        })}
        {strip.map((row) => (
          <li key={row.id}>
            <Cell
              row={row}
              isShown={now.rows.some(({ id }) => id === row.id)}
              onChoose={() => choose(row.id)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Cell({ row, isShown, onChoose }: { row: GenerationView; isShown: boolean; onChoose: () => void }) {
  const [file] = row.files;
  const title = titleOf(row);
  const Icon =
    row.status === 'running' ? LoaderCircle : row.files.length > 0 ? KIND_ICONS[row.kind] : TriangleAlert;
  return (
    <button
      type="button"
      data-result={row.id}
      data-status={row.status}
      aria-pressed={isShown}
      aria-label={`Voir ${title.slice(0, 80)}, ${row.label}`}
      data-tip={`${title.slice(0, 200)}\n${row.label}`}
      onClick={onChoose}
      className={cx(CELL, isShown ? 'border-accent-ink outline-1 outline-accent-ink' : 'border-line')}
    >
      {file?.contentType.startsWith('image/') ? (
        <Picture
          src={thumbnailUrl(file)}
          alt=""
          width={64}
          height={64}
          loading="lazy"
          className={cx(
            'size-full',
            file.contentType === 'image/svg+xml' ? 'bg-paper object-contain p-1.5' : 'object-cover',
          )}
        />
      ) : (
        <Icon
          aria-hidden
          size={20}
          strokeWidth={1.5}
          className={cx(row.status === 'running' && 'animate-turn')}
        />
      )}
    </button>
  );
}
