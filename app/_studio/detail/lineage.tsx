import Link from 'next/link';
import { cx } from '#app/_ui/cx.ts';
import { Picture } from '#app/_ui/state/picture.tsx';
import { Time } from '#app/_ui/text/time.tsx';
import type { LineageEntry, LineageRelation } from '#lib/storage/assets/read-lineage.ts';
import { fileUrl } from '#lib/studio/journal/view.ts';

const RELATIONS: Record<LineageRelation, string> = {
  self: 'Cette génération',
  ancestor: 'Origine',
  descendant: 'Dérivée',
  variant: 'Variante',
};

const SHOWN = 60;

/**
 * The origins and derivatives of a generation, as small linked tiles, oldest first. Of a long lineage only the first ones are shown, and this is
 * said.
 */
export function Lineage({ entries, now }: { entries: LineageEntry[]; now: Date }) {
  return (
    <>
      <ul role="list" className="flex flex-wrap gap-3">
        {entries.slice(0, SHOWN).map((entry) => (
          <li key={entry.generationId} className="w-28">
            <Link
              href={`/journal/${entry.generationId}`}
              prefetch={false}
              aria-current={entry.relation === 'self' ? 'true' : undefined}
              className={cx(
                'block overflow-hidden rounded-md border bg-surface hover:border-line-strong',
                entry.relation === 'self' ? 'border-accent-ink' : 'border-line',
              )}
            >
              <span className="grid aspect-square place-items-center overflow-hidden bg-sunken text-center text-ink-faint text-xs">
                {entry.pathname && (entry.type === 'IMAGE' || entry.type === 'VECTOR') ? (
                  <Picture
                    src={fileUrl(entry.pathname)}
                    alt=""
                    loading="lazy"
                    decoding="async"
                    className={cx(
                      'size-full',
                      entry.type === 'VECTOR' ? 'bg-paper object-contain p-3' : 'object-cover',
                    )}
                  />
                ) : entry.pathname ? (
                  'Vidéo ou son'
                ) : (
                  'Sans fichier'
                )}
              </span>
              <span className="block p-2 text-xs">
                <span className="block font-medium">{RELATIONS[entry.relation]}</span>
                <Time at={entry.createdAt} now={now} className="block truncate text-ink-faint" />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {entries.length > SHOWN ? (
        <p className="mt-3 text-ink-faint text-xs">
          Les {SHOWN} plus anciennes&nbsp;; d’autres les ont suivies, et se trouvent au journal.
        </p>
      ) : null}
    </>
  );
}
