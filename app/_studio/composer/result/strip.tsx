'use client';
import { CloudOff, LoaderCircle, TriangleAlert } from 'lucide';
import { KIND_ICONS } from '#app/_studio/kind-icons.ts';
import { leftFiles } from '#app/_studio/left-files.ts';
import { thumbnailUrl } from '#app/_studio/media.tsx';
import { shortTitle, titleOf } from '#app/_studio/title.ts';
import { LinkButton } from '#app/_ui/action/button.tsx';
import { cx } from '#app/_ui/cx.ts';
import { Icon } from '#app/_ui/icon.tsx';
import { Picture } from '#app/_ui/state/picture.tsx';
import type { GenerationView } from '#lib/studio/journal/view.ts';
import type { Sent } from '../sending/use-sending.ts';
import type { Results } from './use-results.ts';

const CELL =
  'relative grid size-16 shrink-0 place-items-center overflow-hidden rounded-xs border bg-sunken text-ink-faint hover:border-line-strong focus-visible:outline-2 focus-visible:outline-accent-ink';

type Place = { key: string; title: string; label: string; row: GenerationView | null; sent: Sent | null };

/** One place for each generation, from sending on: the other places do not move when it arrives. */
function placesOf({ strip, awaited }: Results, sent: readonly Sent[]): Place[] {
  const before = awaited.flatMap((one) =>
    Array.from({ length: one.variants }, (_, at) => ({
      key: `${one.key}:${at}`,
      title: one.title,
      label: one.variants > 1 ? `${at + 1} sur ${one.variants}` : '',
      row: null,
      sent: one,
    })),
  );
  const after = strip.map((row) => {
    const asked = sent.find(({ rows }) => rows.some(({ id }) => id === row.id));
    const at = asked?.rows.findIndex(({ id }) => id === row.id);
    const key = asked ? `${asked.key}:${at}` : row.id;
    return { key, title: titleOf(row), label: row.label, row, sent: asked ?? null };
  });
  return [...before, ...after];
}

/** The latest results, newest first; a press shows one in the tile. */
export function ResultStrip({ results, sent }: { results: Results; sent: readonly Sent[] }) {
  const { now, choose, follow } = results;
  const places = placesOf(results, sent);
  if (places.length === 0) return null;
  return (
    <section aria-label="Derniers résultats">
      <header className="mb-2 flex items-center justify-between gap-3">
        <h2 className="font-medium text-sm">Derniers résultats</h2>
        <LinkButton href="/journal" size="sm" variant="quiet">
          Tout le journal
        </LinkButton>
      </header>
      <ul role="list" className="flex gap-2 overflow-x-auto p-0.5 pb-2">
        {places.map(({ key, ...place }) => (
          <li key={key}>
            <Cell
              {...place}
              isShown={
                place.row
                  ? now.rows.some(({ id }) => id === place.row?.id)
                  : now.sent?.key === place.sent?.key
              }
              onPress={() =>
                place.row ? choose(place.row.id) : place.sent ? follow(place.sent.key) : undefined
              }
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

function iconOf({ row, sent }: Pick<Place, 'row' | 'sent'>) {
  if (!row) return sent?.waiting ? CloudOff : sent?.refusal ? TriangleAlert : LoaderCircle;
  if (row.status === 'running') return LoaderCircle;
  return row.files.length > 0 ? KIND_ICONS[row.kind] : TriangleAlert;
}

type CellProps = Omit<Place, 'key'> & { isShown: boolean; onPress: () => void };

/** The same button from sending to the file: a press that begins before the result arrives still counts. */
function Cell({ title, label, row, sent, isShown, onPress }: CellProps) {
  const file = row && leftFiles(row)[0];
  const icon = iconOf({ row, sent });
  return (
    <button
      type="button"
      {...(row ? { 'data-result': row.id, 'data-status': row.status } : {})}
      aria-pressed={isShown}
      aria-label={`Voir ${[shortTitle(title), label].filter(Boolean).join(', ')}`}
      data-tip={[shortTitle(title, 200), label].filter(Boolean).join('\n')}
      onClick={onPress}
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
        <Icon of={icon} size={20} strokeWidth={1.5} className={cx(icon === LoaderCircle && 'animate-turn')} />
      )}
    </button>
  );
}
