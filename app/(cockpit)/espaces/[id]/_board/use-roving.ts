'use client';
import { useCallback, useState } from 'react';
import type { PillarView } from '#lib/brain/queries/view-space.ts';
import type { PillarRole } from '#lib/brain/templates.ts';
import type { RowIndex } from '../_tree/tree.ts';

const rowsOf = (pillar: PillarRole) => [
  ...document.querySelectorAll<HTMLElement>(`#${pillar.toLowerCase()} [data-row]`),
];
const centre = (element: HTMLElement) => {
  const { top, height } = element.getBoundingClientRect();
  return top + height / 2;
};

/**
 * One tab stop per pillar: the row last focused there, else the first. Up and down move within a pillar; left and right move to the row at the
 * nearest height on the screen in the next pillar that has rows.
 */
export function useRoving(pillars: readonly PillarView[], index: RowIndex) {
  const [last, setLast] = useState<Partial<Record<PillarRole, string>>>({});
  const stopOf = (pillar: PillarView): string | undefined => {
    const id = last[pillar.role];
    return id !== undefined && index.get(id)?.pillar === pillar.role ? id : pillar.memories[0]?.id;
  };
  const onFocus = useCallback(
    (id: string) => {
      const pillar = index.get(id)?.pillar;
      if (pillar) setLast((before) => (before[pillar] === id ? before : { ...before, [pillar]: id }));
    },
    [index],
  );
  const step = useCallback(
    (id: string, key: string): boolean => {
      const here = index.get(id);
      const at = pillars.findIndex(({ role }) => role === here?.pillar);
      const from = document.querySelector<HTMLElement>(`[data-row="${id}"]`);
      if (!here || !from) return false;
      if (key === 'ArrowDown' || key === 'ArrowUp') {
        const next = pillars[at]?.memories[here.at + (key === 'ArrowDown' ? 1 : -1)];
        if (next) document.querySelector<HTMLElement>(`[data-row="${next.id}"]`)?.focus();
        return true;
      }
      if (key !== 'ArrowLeft' && key !== 'ArrowRight') return false;
      const beyond = key === 'ArrowRight' ? pillars.slice(at + 1) : pillars.slice(0, at).reverse();
      const pillar = beyond.find(({ memories }) => memories.length > 0);
      const height = centre(from);
      const [beside] = pillar
        ? rowsOf(pillar.role).sort((a, b) => Math.abs(centre(a) - height) - Math.abs(centre(b) - height))
        : [];
      beside?.focus();
      return true;
    },
    [index, pillars],
  );
  return { stopOf, onFocus, step };
}
