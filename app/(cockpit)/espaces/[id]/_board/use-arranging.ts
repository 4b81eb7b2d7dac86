'use client';
import { useRouter } from 'next/navigation';
import { useCallback, useMemo, useOptimistic, useTransition } from 'react';
import { act } from '#app/_cockpit/act.ts';
import { toast } from '#app/_ui/overlay/toast.ts';
import type { PillarView } from '#lib/brain/cockpit/view-space.ts';
import { deleteMemory, moveMemory, undoDelete } from '../actions.ts';
import { indexRows, type PackedPillar, type Place, unpackPillars, withMoved } from './tree.ts';

type Told = {
  /** A row to focus once it is drawn. */
  focus: (id: string) => void;
  /** A Memory was deleted. */
  removed: (id: string) => void;
};

/**
 * The pillars of the page, and what changes them. A move shows at once, whichever gesture made it, and is taken back when the
 * server refuses; a deletion waits for the server. Both can be undone.
 */
export function useArranging(packed: readonly PackedPillar[], { focus, removed }: Told) {
  const router = useRouter();
  const [pending, start] = useTransition();
  const given = useMemo(() => unpackPillars(packed), [packed]);
  const [pillars, moveAhead] = useOptimistic(
    given,
    (now: PillarView[], { id, to }: { id: string; to: Place }) => withMoved(now, id, to),
  );
  const index = useMemo(() => indexRows(pillars), [pillars]);

  /** Moves, and draws the page again in the same transition: what was shown ahead stays until what is true comes. */
  const place = useCallback(
    (id: string, to: Place, done?: (before: Place) => void) =>
      start(async () => {
        moveAhead({ id, to });
        const moved = await act(moveMemory({ memoryId: id, ...to }));
        if (moved?.data) done?.(moved.data.before);
        else followFocus(id, focus);
        start(() => router.refresh());
      }),
    [focus, moveAhead, router],
  );

  const move = useCallback(
    (id: string, to: Place, refocus = false) => {
      const from = index.get(id);
      if (!from || (from.pillar === to.pillar && from.row.parentId === to.parentId)) return;
      if (refocus) focus(id);
      place(id, to, (before) => {
        const under = to.parentId === null ? null : index.get(to.parentId)?.row.title;
        const label = pillars.find(({ role }) => role === to.pillar)?.label;
        toast({
          title: under ? `Rangée sous «\u00a0${under}\u00a0»` : `Rangée à la racine de ${label}`,
          tone: 'ok',
          undo: { run: () => place(id, before) },
        });
      });
    },
    [focus, index, pillars, place],
  );

  const remove = useCallback(
    (id: string) => {
      start(async () => {
        const done = await act(deleteMemory({ memoryId: id }));
        if (!done?.data) return;
        const { deletionId, deleted, title } = done.data;
        removed(id);
        toast({
          title: deleted > 1 ? `${deleted} mémoires supprimées` : 'Mémoire supprimée',
          description: deleted > 1 ? `«\u00a0${title}\u00a0» et ce qu’elle contenait` : title,
          undo: {
            run: async () => {
              const undone = await act(undoDelete({ deletionId }));
              if (!undone?.data) return;
              toast({
                title:
                  undone.data.restored > 1
                    ? `${undone.data.restored} mémoires rétablies`
                    : 'Mémoire rétablie',
                ...(undone.data.atRoot
                  ? { description: 'À la racine de son pilier\u00a0: sa mémoire parente n’est plus là.' }
                  : {}),
                tone: 'ok',
              });
              focus(undone.data.memoryId);
              router.refresh();
            },
          },
        });
        router.refresh();
      });
    },
    [focus, removed, router],
  );

  const refresh = useCallback(() => start(() => router.refresh()), [router]);
  return { pillars, index, move, remove, refresh, pending };
}

/** A row that goes back to its place keeps the focus, unless it went elsewhere meanwhile. */
function followFocus(id: string, focus: (id: string) => void): void {
  const here = document.activeElement;
  if (here === document.body || here?.getAttribute('data-row') === id) focus(id);
}
