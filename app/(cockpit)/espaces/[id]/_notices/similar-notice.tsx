import Link from 'next/link';
import { Button } from '#app/_ui/action/button.tsx';
import { Notice } from '#app/_ui/state/notice.tsx';
import type { Similar } from '#lib/brain/likeness/similar.ts';

/** A Memory just written, and those that say nearly the same. */
export type Doubles = { id: string; similar: Similar[]; added: boolean };

type SimilarNoticeProps = {
  spaceId: string;
  doubles: Doubles;
  onKeep: () => void;
  /** Deletes the one that was just added. */
  onDelete: () => void;
};

/** Says of what was just written what it repeats: both may stay, the other can be opened, the new one can go. */
export function SimilarNotice({ spaceId, doubles, onKeep, onDelete }: SimilarNoticeProps) {
  const { similar, added } = doubles;
  return (
    <Notice
      tone="info"
      role="status"
      className="mt-4"
      action={
        <span className="flex flex-wrap gap-2">
          <Button size="sm" onClick={onKeep}>
            {similar.length > 1 ? 'Tout garder' : 'Garder les deux'}
          </Button>
          {added ? (
            <Button size="sm" variant="quiet" onClick={onDelete}>
              Supprimer la nouvelle
            </Button>
          ) : null}
        </span>
      }
    >
      {added ? 'Ajoutée. Elle' : 'Enregistrée. Elle'} ressemble à&nbsp;:
      <ul role="list">
        {similar.map((other) => (
          <li key={other.id} className="wrap-anywhere">
            <SimilarLink other={other} spaceId={spaceId} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** Opens a Memory that is much like another, in its Space, and says how much they share. */
export function SimilarLink({ other, spaceId }: { other: Similar; spaceId: string }) {
  const percent = Math.round(other.similarity * 100);
  return (
    <>
      <Link
        href={`/espaces/${other.spaceId}?memoire=${other.id}`}
        prefetch={false}
        className="font-medium underline"
      >
        {`«\u00a0${other.title}\u00a0»`}
      </Link>{' '}
      <span className="text-ink-soft">
        {percent === 100 ? 'même texte' : `${percent}\u00a0% en commun`}
        {other.spaceId === spaceId ? '' : ', dans un autre espace'}
      </span>
    </>
  );
}
