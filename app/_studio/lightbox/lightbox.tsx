'use client';
import { Dialog } from '@base-ui/react/dialog';
import { Check, ChevronLeft, ChevronRight, CircleX, Download, Maximize, X, ZoomIn, ZoomOut } from 'lucide';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { AskedDownload } from '#app/_cockpit/downloads/asked-download.tsx';
import { IconButton } from '#app/_ui/action/icon-button.tsx';
import { number } from '#app/_ui/format.ts';
import { Icon } from '#app/_ui/icon.tsx';
import { FullMedia } from '../full-media.tsx';
import { shortTitle } from '../title.ts';
import { isSeen, type Neighbours, type Place, placeBeside, type Shown } from './shown.ts';
import { MOST_ZOOM, useZoom } from './use-zoom.ts';

export type LightboxProps = {
  start: Shown;
  /** The index of the file that is shown first. */
  file: number;
  /** The generations before and after one, in the order of the filtered journal. */
  beside: (of: Shown) => Promise<Neighbours>;
  /** Called with the generation that was shown last. */
  onClose: (at: Shown) => void;
  /** What A and R do to the generation that is shown; absent if the member may not decide here. */
  decide?: { approve: (generationId: string) => void; reject: (generationId: string) => void };
  /** Dialogs above the lightbox. */
  children?: ReactNode;
};

const NO_NEIGHBOURS: Neighbours = { newer: null, older: null };

/** Preloads the image that the next press shows. */
function warm(row: Shown | null, file: number): void {
  const next = row?.files.at(file);
  if (next?.contentType.startsWith('image/')) new Image().src = next.url;
}

/**
 * A file on the whole screen, and from there every file of the journal: arrows, zoom, and a description for assistive technology. Loaded on demand.
 */
export default function Lightbox({ onClose, children, ...room }: LightboxProps) {
  const [open, setOpen] = useState(true);
  const stage = useRef<HTMLElement>(null);
  const last = useRef(room.start);
  return (
    <Dialog.Root
      open={open}
      onOpenChange={setOpen}
      onOpenChangeComplete={(isOpen) => {
        if (!isOpen) onClose(last.current);
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-film/90" />
        <Dialog.Popup
          data-panel
          initialFocus={stage}
          className="fixed inset-0 z-40 bg-ground pt-(--safe-top) pr-(--safe-right) pb-(--safe-bottom) pl-(--safe-left) text-ink outline-none"
        >
          <Room stage={stage} last={last} {...room} />
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

type RoomProps = Omit<LightboxProps, 'onClose' | 'children'> & {
  stage: RefObject<HTMLElement | null>;
  /** The generation that is shown. */
  last: RefObject<Shown>;
};

/** The content of the dialog. Separate, because its gestures need the stage to be mounted. */
function Room({ start, file, beside, decide, stage, last }: RoomProps) {
  const [place, setPlace] = useState<Place>({ row: start, file });
  const [around, setAround] = useState<{ of: string; rows: Neighbours }>({ of: '', rows: NO_NEIGHBOURS });
  const { row } = place;
  last.current = row;
  const shown = row.files[place.file];
  const rows = around.of === row.id ? around.rows : NO_NEIGHBOURS;

  const ask = useRef(beside);
  ask.current = beside;
  useEffect(() => {
    let isGone = false;
    void ask.current(row).then((found) => {
      if (isGone) return;
      setAround({ of: row.id, rows: found });
      warm(found.older, 0);
      warm(found.newer, -1);
    });
    return () => {
      isGone = true;
    };
  }, [row]);

  const to = (forward: boolean) => placeBeside(place, rows, forward);
  const turn = (forward: boolean) => {
    const next = to(forward);
    if (!next) return;
    whole();
    setPlace(next);
  };
  const skip = (forward: boolean) => {
    const other = forward ? rows.older : rows.newer;
    if (!other) return;
    whole();
    setPlace({ row: other, file: 0 });
  };
  const { zoom, larger, smaller, whole } = useZoom(stage, turn);
  const isImage = shown?.contentType.startsWith('image/') ?? false;

  const keyed = (event: React.KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isMedia = event.target instanceof HTMLMediaElement;
    const verbs: Record<string, (() => void) | undefined> = {
      j: () => skip(true),
      k: () => skip(false),
      a:
        decide &&
        (() => {
          decide.approve(row.id);
          skip(true);
        }),
      r: decide && (() => decide.reject(row.id)),
      // In an enlarged picture the arrows scroll; in a video they seek.
      ArrowRight: zoom > 1 || isMedia ? undefined : () => turn(true),
      ArrowLeft: zoom > 1 || isMedia ? undefined : () => turn(false),
      '+': larger,
      '=': larger,
      '-': smaller,
      '0': whole,
    };
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const verb = verbs[key];
    // A key held down decides once: the next picture would be decided before it was seen.
    if (!verb || (event.repeat && (key === 'a' || key === 'r'))) return;
    event.preventDefault();
    verb();
  };
  // Shortened, because it is announced and labels the stage: a request has up to 8,000 characters, and its page shows all of
  // it.
  const words = [
    shortTitle(row.title),
    ...(row.files.length > 1 ? [`fichier ${place.file + 1} sur ${row.files.length}`] : []),
  ].join(', ');
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the whole dialog, each of which has its button
    <div data-lightbox={row.id} onKeyDown={keyed} className="flex size-full flex-col">
      <header className="flex h-14 shrink-0 items-center gap-2 border-line border-b px-3 sm:px-5">
        <Dialog.Title className="min-w-0 grow truncate font-medium text-sm">
          {shortTitle(row.title, 200)}
        </Dialog.Title>
        {row.files.length > 1 ? (
          <span className="tabular shrink-0 text-ink-soft text-sm">
            {place.file + 1}/{row.files.length}
          </span>
        ) : null}
        {decide && row.files.length > 0 ? (
          <>
            <IconButton
              icon={Check}
              label="Approuver"
              keys="A"
              onClick={() => {
                decide.approve(row.id);
                skip(true);
              }}
            />
            <IconButton icon={CircleX} label="Rejeter" keys="R" onClick={() => decide.reject(row.id)} />
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
      <p role="status" className="sr-only">
        {words}
        {zoom > 1 ? `, agrandi à ${number(Math.round(zoom * 100))}\u00a0%` : ''}
      </p>
      <section
        ref={stage}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a picture larger than the screen must be scrollable by keyboard
        tabIndex={0}
        aria-label={words}
        className="min-h-0 grow touch-pan-x touch-pan-y overflow-auto overscroll-contain bg-sunken focus-visible:-outline-offset-2"
      >
        {shown && isSeen(shown) ? (
          <div
            className="grid place-items-center [&>*]:size-full [&>*]:max-h-none"
            style={{ width: `${zoom * 100}%`, height: `${zoom * 100}%` }}
          >
            <FullMedia key={shown.pathname} file={shown} alt={words} className="object-contain" />
          </div>
        ) : (
          <div className="grid size-full place-items-center p-6 text-center text-ink-soft">
            {shown ? (
              <FullMedia key={shown.pathname} file={shown} alt={words} />
            ) : (
              <p className="max-w-prose">{row.message ?? row.label}</p>
            )}
          </div>
        )}
      </section>
      <footer className="flex shrink-0 items-center justify-between gap-2 border-line border-t px-3 py-2 sm:px-5">
        <IconButton
          icon={ChevronLeft}
          size={20}
          label="Précédent"
          keys="←"
          aria-disabled={to(false) === null}
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
          aria-disabled={to(true) === null}
          onClick={() => turn(true)}
          className="aria-disabled:opacity-55"
        />
      </footer>
    </div>
  );
}
