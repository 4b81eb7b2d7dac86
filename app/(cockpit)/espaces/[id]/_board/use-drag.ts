'use client';
import { type DragEvent, useState } from 'react';
import type { PillarRole } from '#lib/brain/templates.ts';
import { isWithin, type Place, type RowIndex } from '../_tree/tree.ts';
import type { RowHandlers } from './row.tsx';

/** Drags rows: dropped on a row, a Memory is nested in it; dropped on the foot of a pillar, it moves to top level. Never into its own descendants. */
export function useDrag(index: RowIndex, move: (id: string, to: Place) => void, canEdit: boolean) {
  const [dragged, setDragged] = useState<string | null>(null);
  const [target, setTarget] = useState<string | null>(null);
  const end = () => {
    setDragged(null);
    setTarget(null);
  };
  const drag: RowHandlers['drag'] = canEdit
    ? {
        start: (id, event) => {
          event.dataTransfer.setData('text/plain', index.get(id)?.row.title ?? '');
          event.dataTransfer.effectAllowed = 'move';
          setDragged(id);
        },
        over: (id, event) => {
          if (!dragged || isWithin(index, id, dragged)) return;
          event.preventDefault();
          event.dataTransfer.dropEffect = 'move';
          setTarget(id);
        },
        leave: (id) => setTarget((now) => (now === id ? null : now)),
        drop: (id, event) => {
          event.preventDefault();
          const pillar = index.get(id)?.pillar;
          if (dragged && pillar && !isWithin(index, id, dragged)) move(dragged, { pillar, parentId: id });
          end();
        },
        end,
      }
    : undefined;
  const toRoot = (pillar: PillarRole) => ({
    dragging: dragged !== null,
    over: (event: DragEvent) => {
      if (!dragged) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'move';
    },
    drop: (event: DragEvent) => {
      event.preventDefault();
      if (dragged) move(dragged, { pillar, parentId: null });
      end();
    },
  });
  return { dragged, target, drag, toRoot };
}
