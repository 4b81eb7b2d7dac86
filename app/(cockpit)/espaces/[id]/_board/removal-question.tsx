import { useCallback, useEffect, useRef, useState } from 'react';
import { count } from '#app/_ui/format.ts';
import { Confirm } from '#app/_ui/overlay/dialog.tsx';
import type { PillarView } from '#lib/brain/queries/view-space.ts';
import { countWithin, isWithin, type RowIndex } from '../_tree/tree.ts';

/** The Memory whose deletion waits for a confirmation, with the number of Memories nested in it. */
type Asked = { id: string; title: string; within: number };

type Removal = {
  askRemoval: (id: string) => void;
  asked: Asked | null;
  close: () => void;
  /** A Memory was added, which the rows do not show before they are read again. */
  added: (id: string, parentId: string | null) => void;
};

/** A single Memory is deleted at once, with an undo. One with nested Memories, also just added ones, asks for confirmation first. */
export function useRemoval(
  pillars: readonly PillarView[],
  index: RowIndex,
  remove: (id: string) => void,
): Removal {
  const [asked, setAsked] = useState<Asked | null>(null);
  const unread = useRef<{ id: string; parentId: string | null }[]>([]);
  useEffect(() => {
    unread.current = unread.current.filter(({ id }) => !index.has(id));
  }, [index]);
  const askRemoval = useCallback(
    (id: string) => {
      const nested = unread.current.filter(({ parentId }) => isWithin(index, parentId, id));
      const within = countWithin(pillars, index, id) + nested.length;
      if (within === 0) remove(id);
      else setAsked({ id, title: index.get(id)?.row.title ?? '', within });
    },
    [index, pillars, remove],
  );
  return {
    askRemoval,
    asked,
    close: useCallback(() => setAsked(null), []),
    added: useCallback(
      (id: string, parentId: string | null) => void unread.current.push({ id, parentId }),
      [],
    ),
  };
}

/** Asks whether a Memory and all that is nested in it are to be deleted. Closed while `asked` is null. */
export function RemovalQuestion({
  asked,
  close,
  remove,
}: {
  asked: Asked | null;
  close: () => void;
  remove: (id: string) => void;
}) {
  // The dialog keeps its text while it closes.
  const last = useRef(asked);
  if (asked) last.current = asked;
  const within = last.current?.within ?? 0;
  return (
    <Confirm
      open={asked !== null}
      onOpenChange={(open) => {
        if (!open) close();
      }}
      title={`Supprimer «\u00a0${last.current?.title ?? ''}\u00a0»\u00a0?`}
      confirm={`Supprimer les ${within + 1} mémoires`}
      onConfirm={() => {
        if (asked) remove(asked.id);
      }}
    >
      {count(within, 'mémoire rangée dessous part', 'mémoires rangées dessous partent')} avec elle. Tout
      attend 30 jours dans la corbeille, d’où l’on peut le rétablir.
    </Confirm>
  );
}
