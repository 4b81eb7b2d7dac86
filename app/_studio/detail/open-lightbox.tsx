'use client';
import { Maximize2 } from 'lucide';
import { useRouter } from 'next/navigation';
import { type ReactNode, useRef, useState } from 'react';
import { act } from '#app/_cockpit/act.ts';
import { Icon } from '#app/_ui/icon.tsx';
import { lazyPart, preload } from '#app/_ui/lazy-part.ts';
import { mustStay } from '#app/_ui/must-stay.ts';
import { type JournalAddress, type Query, rowHref } from '../journal/filters/query.ts';
import { readNeighbours } from '../lightbox/actions.ts';
import type { Neighbours, Shown } from '../lightbox/shown.ts';

const load = () => import('../lightbox/lightbox.tsx');
const Lightbox = lazyPart(load, null, ({ onClose, start }) => onClose(start));

type Props = {
  row: Shown;
  /** The index of the file among those of the generation. */
  file: number;
  filters: JournalAddress['filters'];
  query: Query;
  /** The picture, which opens the lightbox when pressed. */
  children: ReactNode;
};

/** A file of a generation's page, which opens in the lightbox. If the lightbox is closed on another generation, the page of that one opens. */
export function OpenLightbox({ row, file, filters, query, children }: Props) {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const beside = async ({ id, createdAt }: Shown): Promise<Neighbours> => {
    const found = await act(readNeighbours({ generationId: id, createdAt, filters }));
    return found?.data ?? { newer: null, older: null };
  };
  const isImage = row.files[file]?.contentType.startsWith('image/');
  const label = row.files.length > 1 ? `Voir en grand le fichier ${file + 1}` : 'Voir en grand';
  return (
    <div className="group relative">
      {children}
      {isImage ? (
        // The picture is a larger target for the pointer; the keyboard and assistive technology get the button only.
        <button
          type="button"
          tabIndex={-1}
          aria-hidden
          onClick={() => setOpen(true)}
          className="absolute inset-0 cursor-zoom-in"
        />
      ) : null}
      <button
        ref={button}
        type="button"
        aria-label={label}
        data-tip={label}
        aria-haspopup="dialog"
        onPointerEnter={() => preload(load)}
        onFocus={() => preload(load)}
        onClick={() => setOpen(true)}
        className="touch absolute top-2 right-2 grid size-8 place-items-center rounded-md bg-surface/90 text-ink-soft shadow-raised hover:bg-hover hover:text-ink"
      >
        <Icon of={Maximize2} size={16} />
      </button>
      {open ? (
        <Lightbox
          start={row}
          file={file}
          beside={beside}
          onClose={(at) => {
            setOpen(false);
            if (at.id === row.id || mustStay(at.title)) button.current?.focus();
            else router.replace(rowHref(at.id, query));
          }}
        />
      ) : null}
    </div>
  );
}
