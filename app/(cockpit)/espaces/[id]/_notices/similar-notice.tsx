import Link from 'next/link';
import { Button } from '#app/_ui/action/button.tsx';
import { Notice } from '#app/_ui/state/notice.tsx';
import type { Similar } from '#lib/brain/likeness/similar.ts';

/** The Memory that was just written, and the Memories similar to it. `added`: it is new, not edited. */
export type Doubles = { id: string; similar: Similar[]; added: boolean };

type SimilarNoticeProps = {
  spaceId: string;
  doubles: Doubles;
  onKeep: () => void;
  /** Deletes the Memory that was just added. */
  onDelete: () => void;
};

/** The Memories similar to the one just written. The member can keep all of them, open another, or delete the new one if it was added. */
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

/** A link to a similar Memory in its Space, with the similarity. */
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
