'use client';
import { type ReactNode, useState } from 'react';
import { act } from '#app/_cockpit/act.ts';
import { lazyPart } from '#app/_ui/lazy-part.ts';
import type { JournalFilters } from '#lib/studio/journal/list-generations.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';
import { readNeighbours } from './actions.ts';
import type { LightboxProps } from './lightbox.tsx';
import { type Neighbours, type Shown, shownOf } from './shown.ts';

const Lightbox = lazyPart(
  () => import('./lightbox.tsx'),
  null,
  ({ onClose, start }) => onClose(start),
);

/**
 * Shows the list in the lightbox, from one of its generations. The neighbours are those in the list; beyond its ends, and for a generation that has
 * just left it, they are read from the database. `back` gets the last generation shown, to focus it.
 */
export function useWholeScreen(
  rows: readonly GenerationView[],
  filters: JournalFilters,
  back: (generationId: string) => void,
) {
  const [start, setStart] = useState<Shown | null>(null);
  const beside = async ({ id, createdAt }: Shown): Promise<Neighbours> => {
    const at = rows.findIndex((row) => row.id === id);
    const [newer, older] = [rows[at - 1], rows[at + 1]];
    if (at >= 0 && newer && older) return { newer: shownOf(newer), older: shownOf(older) };
    const found = await act(readNeighbours({ generationId: id, createdAt, filters }));
    return found?.data ?? { newer: null, older: null };
  };
  return {
    open: (id: string) => {
      const row = rows.find((one) => one.id === id);
      if (row) setStart(shownOf(row));
    },
    /** The lightbox, with the dialogs above it. */
    draw: (decide: LightboxProps['decide'], above: ReactNode): ReactNode =>
      start ? (
        <Lightbox
          start={start}
          file={0}
          beside={beside}
          {...(decide ? { decide } : {})}
          onClose={(at) => {
            setStart(null);
            back(at.id);
          }}
        >
          {above}
        </Lightbox>
      ) : (
        above
      ),
  };
}
