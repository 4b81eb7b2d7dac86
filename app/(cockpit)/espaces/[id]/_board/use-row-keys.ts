import { type KeyboardEvent, useCallback } from 'react';
import type { PillarView } from '#lib/brain/queries/view-space.ts';
import { neighbour, type Place, type RowIndex } from '../_tree/tree.ts';

type RowActions = {
  pillars: readonly PillarView[];
  index: RowIndex;
  canEdit: boolean;
  /** Moves the focus for an arrow key. Returns whether the key was one. */
  step: (id: string, key: string) => boolean;
  move: (id: string, to: Place, refocus: boolean) => void;
  /** Opens the tab of a Memory where its place is chosen. */
  openPlace: (id: string) => void;
  remove: (id: string) => void;
};

/**
 * The keys of a focused row: arrows move the focus, Shift with ← or → nests the row or takes it out, `d` opens its place, Delete and
 * Backspace delete it.
 */
export function useRowKeys({ pillars, index, canEdit, step, move, openPlace, remove }: RowActions) {
  return useCallback(
    (id: string, event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey) return;
      if (!event.shiftKey && step(id, event.key)) {
        event.preventDefault();
        return;
      }
      if (!canEdit) return;
      if (event.shiftKey && (event.key === 'ArrowRight' || event.key === 'ArrowLeft')) {
        event.preventDefault();
        const to = neighbour(pillars, index, id, event.key === 'ArrowRight' ? 'in' : 'out');
        if (to) move(id, to, true);
      } else if (event.key === 'd') {
        event.preventDefault();
        openPlace(id);
      } else if (event.key === 'Delete' || event.key === 'Backspace') {
        event.preventDefault();
        // A key held down acts once: repeated, it would delete the rows that follow.
        if (!event.repeat) remove(id);
      }
    },
    [canEdit, index, move, openPlace, pillars, remove, step],
  );
}
