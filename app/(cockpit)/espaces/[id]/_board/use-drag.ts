'use client';
import { type DragEvent, useState } from 'react';
import type { PillarRole } from '#lib/brain/templates.ts';
import type { RowHandlers } from './row.tsx';
import { isWithin, type Place, type RowIndex } from './tree.ts';

/** A row held above another goes under it; above the foot of a pillar, to its root. Never into what it holds itself. */
export function useDrag(index: RowIndex, move: (id: string, to: Place) => void, canEdit: boolean) {
  const [held, setHeld] = useState<string | null>(null);
  const [target, setTarget] = useState<string | null>(null);
  const end = () => {
    setHeld(null);
    setTarget(null);
  };
  const drag: RowHandlers['drag'] = canEdit
    ? {
        start: (id, event) => {
          event.dataTransfer.setData('text/plain', index.get(id)?.row.title ?? '');
          event.dataTransfer.effectAllowed = 'move';
          setHeld(id);
        },
        over: (id, event) => {
          if (!held || isWithin(index, id, held)) return;
          event.preventDefault();
          event.dataTransfer.dropEffect = 'move';
          setTarget(id);
        },
        leave: (id) => setTarget((now) => (now === id ? null : now)),
        drop: (id, event) => {
          event.preventDefault();
          const pillar = index.get(id)?.pillar;
          if (held && pillar && !isWithin(index, id, held)) move(held, { pillar, parentId: id });
          end();
        },
        end,
      }
    : undefined;
  const toRoot = (pillar: PillarRole) => ({
    dragging: held !== null,
    over: (event: DragEvent) => {
      if (!held) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'move';
    },
    drop: (event: DragEvent) => {
      event.preventDefault();
      if (held) move(held, { pillar, parentId: null });
      end();
    },
  });
  return { held, target, drag, toRoot };
}
