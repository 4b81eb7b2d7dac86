'use client';
import { useCallback, useMemo, useOptimistic, useRef, useTransition } from 'react';
import { act, answerOf, sayRefusal } from '#app/_cockpit/act.ts';
import { toast } from '#app/_ui/toast.ts';
import { useRefresh } from '#app/_ui/use-refresh.ts';
import type { PillarView } from '#lib/brain/queries/view-space.ts';
import type { PillarRole } from '#lib/brain/templates.ts';
import { dropAhead } from '../_memory/read-ahead.ts';
import {
  indexRows,
  type PackedPillar,
  type Place,
  rowAfter,
  unpackPillars,
  withMoved,
} from '../_tree/tree.ts';
import { deleteMemory, moveMemory, undoDelete } from '../actions.ts';

type Deletion = { deletionId: string; deleted: number; title: string };

/** Called after a deletion. `next` is the row to focus, from `rowAfter`; null if there is none. */
export type Removed = (id: string, next: string | null, pillar: PillarRole | undefined) => void;

type Callbacks = {
  /** Focuses a row once it is drawn. */
  focus: (id: string) => void;
  removed: Removed;
};

/**
 * The pillars of the page and the changes to them. A move is shown at once and undone if the server refuses it; a deletion waits for the server.
 * Both can be undone.
 */
export function useArranging(packed: readonly PackedPillar[], { focus, removed }: Callbacks) {
  const read = useRefresh();
  const [, start] = useTransition();
  const given = useMemo(() => unpackPillars(packed), [packed]);
  const [pillars, moveAhead] = useOptimistic(
    given,
    (now: PillarView[], { id, to }: { id: string; to: Place }) => withMoved(now, id, to),
  );
  const index = useMemo(() => indexRows(pillars), [pillars]);
  const refresh = useCallback(() => start(read), [read]);

  /**
   * Moves a row, and refreshes the page in the same transition, so that the optimistic state stays until the new one arrives. Returns whether it
   * moved.
   */
  const place = useCallback(
    (id: string, { from, to }: { from: Place; to: Place }, done?: (before: Place) => void) =>
      new Promise<boolean>((answer) => {
        start(async () => {
          moveAhead({ id, to });
          const moved = await act(moveMemory({ memoryId: id, ...to, shown: from }));
          if (moved?.data) done?.(moved.data.before);
          else followFocus(id, focus);
          refresh();
          answer(moved !== null);
        });
      }),
    [focus, moveAhead, refresh],
  );

  const move = useCallback(
    (id: string, to: Place, refocus = false) => {
      const from = index.get(id);
      if (!from || (from.pillar === to.pillar && from.row.parentId === to.parentId)) return;
      if (refocus) focus(id);
      const shown = { pillar: from.pillar, parentId: from.row.parentId };
      void place(id, { from: shown, to }, (before) => {
        const under = to.parentId === null ? null : index.get(to.parentId)?.row.title;
        const label = pillars.find(({ role }) => role === to.pillar)?.label;
        toast({
          title: under ? `Rangée sous «\u00a0${under}\u00a0»` : `Rangée à la racine du pilier ${label}`,
          tone: 'ok',
          undo: { run: () => place(id, { from: to, to: before }) },
        });
      });
    },
    [focus, index, pillars, place],
  );

  // The deletions that can still be undone, announced in one message.
  const deletions = useRef<Deletion[]>([]);
  const offerUndo = useCallback(() => {
    toast({
      name: 'deletions',
      ...saidOf(deletions.current),
      undo: {
        run: async () => {
          const taken = deletions.current.splice(0);
          const restored = await takeBack(taken);
          if (restored.length > 0) focus(restored.at(-1) ?? '');
          refresh();
          if (taken.length > 0) {
            deletions.current.unshift(...taken);
            offerUndo();
          }
        },
      },
      onGone: () => {
        deletions.current = [];
      },
    });
  }, [focus, refresh]);

  // Rows whose deletion was requested, by object: a second press is ignored. After a refresh the rows are new objects.
  const leaving = useRef(new WeakSet<object>());
  const remove = useCallback(
    (id: string) => {
      const here = index.get(id);
      if (here && leaving.current.has(here.row)) return;
      if (here) leaving.current.add(here.row);
      dropAhead(id);
      // Computed before the deletion, so that the focus moves to a neighbour.
      const next = rowAfter(pillars, index, id);
      start(async () => {
        const done = await act(deleteMemory({ memoryId: id }));
        if (!done?.data) {
          if (here) leaving.current.delete(here.row);
          return;
        }
        removed(id, next, here?.pillar);
        deletions.current.push(done.data);
        offerUndo();
        refresh();
      });
    },
    [index, offerUndo, pillars, refresh, removed],
  );

  /** Whether the deletion of a row, or of one that contains it, was requested. */
  const isLeaving = useCallback(
    (id: string) => {
      for (let here = index.get(id); here; here = index.get(here.row.parentId ?? ''))
        if (leaving.current.has(here.row)) return true;
      return false;
    },
    [index],
  );

  /** Restores a Memory that was deleted earlier, with what it contained. */
  const restore = useCallback(
    async (deletion: { deletionId: string }) => {
      const [root] = await takeBack([deletion]);
      if (root !== undefined) refresh();
      return root !== undefined;
    },
    [refresh],
  );

  return { pillars, index, move, remove, isLeaving, restore, refresh };
}

/** Keeps the focus on a row that moves back, unless the focus has moved elsewhere. */
function followFocus(id: string, focus: (id: string) => void): void {
  const here = document.activeElement;
  if (here === document.body || here?.getAttribute('data-row') === id) focus(id);
}

/**
 * Undoes deletions, latest first. Removes from the list those that were restored now or before, and stops at any other refusal. Returns, for
 * each deletion restored now, the identifier of the Memory that was deleted, without its descendants.
 */
async function takeBack(deletions: Pick<Deletion, 'deletionId'>[]): Promise<string[]> {
  const roots: string[] = [];
  let memories = 0;
  let atRoot = false;
  for (let last = deletions.at(-1); last; last = deletions.at(-1)) {
    const undone = await answerOf(undoDelete({ deletionId: last.deletionId }));
    if (undone?.status === 'done' && undone.data) {
      roots.push(undone.data.memoryId);
      memories += undone.data.restored;
      atRoot ||= undone.data.atRoot;
    } else {
      if (undone?.status === 'refused') sayRefusal(undone);
      // Not found: it was restored elsewhere, or by an undo whose answer was lost. The earlier ones can go on.
      if (undone?.status !== 'refused' || undone.code !== 'not_found') break;
    }
    deletions.pop();
  }
  if (memories > 0)
    toast({
      title: memories > 1 ? `${memories} mémoires rétablies` : 'Mémoire rétablie',
      ...(atRoot
        ? { description: 'À la racine de son pilier\u00a0: sa mémoire parente n’est plus là.' }
        : {}),
      tone: 'ok',
    });
  return roots;
}

/** The deletions since the last message was closed, summed up in one message. */
function saidOf(deletions: readonly Deletion[]): { title: string; description: string } {
  const deleted = deletions.reduce((sum, { deleted }) => sum + deleted, 0);
  const [only] = deletions;
  return {
    title: deleted > 1 ? `${deleted} mémoires supprimées` : 'Mémoire supprimée',
    description:
      only && deletions.length === 1
        ? only.deleted > 1
          ? `«\u00a0${only.title}\u00a0» et ce qu’elle contenait`
          : only.title
        : `${deletions.map(({ title }) => `«\u00a0${title}\u00a0»`).join(', ')}\u00a0: rétablies ensemble`,
  };
}
