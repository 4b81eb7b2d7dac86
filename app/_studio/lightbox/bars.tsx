'use client';
import { Dialog } from '@base-ui/react/dialog';
import { Check, ChevronLeft, ChevronRight, CircleX, Download, Maximize, X, ZoomIn, ZoomOut } from 'lucide';
import { AskedDownload } from '#app/_cockpit/downloads/asked-download.tsx';
import { IconButton } from '#app/_ui/action/icon-button.tsx';
import { number } from '#app/_ui/format.ts';
import { Icon } from '#app/_ui/icon.tsx';
import { shortTitle } from '../title.ts';
import type { Place } from './shown.ts';
import { MOST_ZOOM } from './use-zoom.ts';

type TopBarProps = {
  place: Place;
  /** Absent if the member may not decide, or there is nothing left to judge. */
  decide: { approve: () => void; reject: () => void } | undefined;
};

/** The bar above the stage: title, place among the files, decisions, download and the way out. */
export function TopBar({ place: { row, file }, decide }: TopBarProps) {
  const shown = row.files[file];
  return (
    <header className="flex h-14 shrink-0 items-center gap-2 border-line border-b px-3 sm:px-5">
      <Dialog.Title className="min-w-0 grow truncate font-medium text-sm">
        {shortTitle(row.title, 200)}
      </Dialog.Title>
      {row.files.length > 1 ? (
        <span className="tabular shrink-0 text-ink-soft text-sm">
          {file + 1}/{row.files.length}
        </span>
      ) : null}
      {decide ? (
        <>
          <IconButton icon={Check} label="Approuver" keys="A" onClick={decide.approve} />
          <IconButton icon={CircleX} label="Rejeter" keys="R" onClick={decide.reject} />
        </>
      ) : null}
      {shown ? (
        <AskedDownload
          href={`${shown.url}?download=1`}
          aria-label="Télécharger"
          data-tip="Télécharger"
          className="touch grid size-8 shrink-0 place-items-center rounded-md text-ink-soft hover:bg-hover hover:text-ink"
        >
          <Icon of={Download} size={16} strokeWidth={1.75} />
        </AskedDownload>
      ) : null}
      <Dialog.Close
        aria-label="Fermer"
        data-tip="Fermer · Échap"
        className="touch grid size-8 shrink-0 place-items-center rounded-md text-ink-soft hover:bg-hover hover:text-ink"
      >
        <Icon of={X} size={20} />
      </Dialog.Close>
    </header>
  );
}

type BottomBarProps = {
  /** Only an image can be enlarged. */
  isImage: boolean;
  zoom: number;
  larger: () => void;
  smaller: () => void;
  whole: () => void;
  leads: (forward: boolean) => boolean;
  turn: (forward: boolean) => void;
};

/** The bar below the stage: the file before, the zoom, the file after. */
export function BottomBar({ isImage, zoom, larger, smaller, whole, leads, turn }: BottomBarProps) {
  return (
    <footer className="flex shrink-0 items-center justify-between gap-2 border-line border-t px-3 py-2 sm:px-5">
      <IconButton
        icon={ChevronLeft}
        size={20}
        label="Précédent"
        keys="←"
        aria-disabled={!leads(false)}
        onClick={() => turn(false)}
        className="aria-disabled:opacity-55"
      />
      <div className={isImage ? 'flex items-center gap-1' : 'invisible'}>
        {/* Not disabled: the focused button would lose the focus, and the keys with it. */}
        <IconButton
          icon={ZoomOut}
          label="Réduire"
          keys="-"
          onClick={smaller}
          aria-disabled={zoom === 1}
          className="aria-disabled:opacity-55"
        />
        <span aria-hidden className="tabular w-14 text-center text-ink-soft text-sm">
          {number(Math.round(zoom * 100))}&nbsp;%
        </span>
        <IconButton
          icon={ZoomIn}
          label="Agrandir"
          keys="+"
          onClick={larger}
          aria-disabled={zoom === MOST_ZOOM}
          className="aria-disabled:opacity-55"
        />
        <IconButton
          icon={Maximize}
          label="Image entière"
          keys="0"
          onClick={whole}
          aria-disabled={zoom === 1}
          className="aria-disabled:opacity-55"
        />
      </div>
      <IconButton
        icon={ChevronRight}
        size={20}
        label="Suivant"
        keys="→"
        aria-disabled={!leads(true)}
        onClick={() => turn(true)}
        className="aria-disabled:opacity-55"
      />
    </footer>
  );
}
