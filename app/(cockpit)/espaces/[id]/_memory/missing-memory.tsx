'use client';
import { FileX2, Undo2 } from 'lucide';
import { useEffect, useState } from 'react';
import { Button } from '#app/_ui/action/button.tsx';
import { EmptyState } from '#app/_ui/state/states.tsx';
import { Time } from '#app/_ui/text/time.tsx';
import type { DeletedMemory } from '#lib/brain/queries/find-deleted.ts';

type MissingMemoryProps = {
  /** The deletion; null if the Memory is erased, never existed or belongs to another Space, or if the page is older than the deletion. */
  deleted: DeletedMemory | null;
  now: Date;
  canEdit: boolean;
  /** Refreshes the page, which may have been rendered before the deletion. */
  onReload: () => void;
  onRestore: (deleted: DeletedMemory) => Promise<boolean>;
};

/** The panel of a Memory that no longer exists: what happened to it, and how to restore it. */
export function MissingMemory({ deleted, now, canEdit, onReload, onRestore }: MissingMemoryProps) {
  const [pending, setPending] = useState(false);
  const known = deleted !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once is enough
  useEffect(() => {
    if (!known) onReload();
  }, []);
  if (!deleted)
    return (
      <EmptyState icon={FileX2} title="Cette mémoire n’est pas dans cet espace">
        Elle a été supprimée ou déplacée, ou son adresse est incomplète.
      </EmptyState>
    );
  const restore = async () => {
    setPending(true);
    if (!(await onRestore(deleted))) setPending(false);
  };
  return (
    <EmptyState
      icon={FileX2}
      title="Cette mémoire a été supprimée"
      action={
        canEdit ? (
          <Button variant="primary" icon={Undo2} pending={pending} onClick={restore}>
            Rétablir la mémoire
          </Button>
        ) : undefined
      }
    >
      Supprimée <Time at={deleted.deletedAt} now={now} />. Son texte et son historique sont gardés 30 jours
      {canEdit
        ? '\u00a0: elle revient à sa place, avec ce qui a été supprimé en même temps qu’elle.'
        : '. Une personne qui peut écrire dans cet espace peut la rétablir ici.'}
    </EmptyState>
  );
}
