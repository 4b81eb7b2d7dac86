'use client';
import { Dialog } from '@base-ui/react/dialog';
import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { number } from '#app/_ui/format.ts';
import { FullMedia } from '../full-media.tsx';
import { shortTitle } from '../title.ts';
import { BottomBar, TopBar } from './bars.tsx';
import { isSeen, type Neighbours, type Shown } from './shown.ts';
import { usePlace } from './use-place.ts';
import { useZoom } from './use-zoom.ts';

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
  const { place, leads, turn, skip } = usePlace({ row: start, file }, beside, () => whole());
  const { row } = place;
  last.current = row;
  const shown = row.files[place.file];
  const { zoom, larger, smaller, whole } = useZoom(stage, turn);
  const decisions = decide && {
    approve: () => {
      decide.approve(row.id);
      skip(true);
    },
    reject: () => decide.reject(row.id),
  };

  const keyed = (event: React.KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // In an enlarged picture the arrows scroll; in a video they seek.
    const isArrowTaken = zoom > 1 || event.target instanceof HTMLMediaElement;
    const verbs: Record<string, (() => void) | undefined> = {
      j: () => skip(true),
      k: () => skip(false),
      a: decisions?.approve,
      r: decisions?.reject,
      ArrowRight: isArrowTaken ? undefined : () => turn(true),
      ArrowLeft: isArrowTaken ? undefined : () => turn(false),
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
      <TopBar place={place} decide={row.files.length > 0 ? decisions : undefined} />
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
      <BottomBar
        isImage={shown?.contentType.startsWith('image/') ?? false}
        zoom={zoom}
        larger={larger}
        smaller={smaller}
        whole={whole}
        leads={leads}
        turn={turn}
      />
    </div>
  );
}
