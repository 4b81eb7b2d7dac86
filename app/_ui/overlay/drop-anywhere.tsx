'use client';
import { useEffect, useRef, useState } from 'react';
import { Icon, type IconDrawing } from '#app/_ui/icon.tsx';
import { toast } from '#app/_ui/toast.ts';

type DropAnywhereProps = {
  /** The types of drags that are accepted: `Files`, `text/uri-list`. */
  types: readonly string[];
  /** Gets what was dropped. */
  onDrop: (dropped: DataTransfer) => void;
  icon: IconDrawing;
  /** Shown over the page during a drag. */
  children: string;
};

/** Whether the target of an event is in a dialog above the page, which handles its own events. */
export const isAbove = (target: EventTarget | null) => {
  // Firefox gives a text node as the target of a drag that enters or leaves it.
  const place = target instanceof Text ? target.parentElement : target;
  return place instanceof Element && place.closest('[role=dialog], [role=alertdialog]') !== null;
};

/** Shown when files are dropped on a dialog, outside the place that takes them. */
const REFUSED = {
  name: 'drop',
  title: 'Ces fichiers n’ont pas été pris',
  description: 'Déposez-les dans le cadre prévu, ou fermez ce panneau et déposez-les sur la page.',
  tone: 'fail',
} as const;

function refuseAbove(event: DragEvent, { types }: DataTransfer): void {
  const isFileField = event.target instanceof Element && event.target.matches('input[type=file]');
  if (event.defaultPrevented || isFileField || !types.includes('Files')) return;
  if (event.type !== 'dragover' && event.type !== 'drop') return;
  event.preventDefault();
  if (event.type === 'drop') toast(REFUSED);
}

/**
 * Takes what is dropped anywhere on the page, under a veil that says so. What a dialog takes itself and drags of rows are left alone; files that a
 * dialog does not take are refused with a toast.
 */
export function DropAnywhere({ types, onDrop, icon, children }: DropAnywhereProps) {
  const [over, setOver] = useState(false);
  const latest = useRef({ types, onDrop });
  latest.current = { types, onDrop };
  useEffect(() => {
    const listening = new AbortController();
    let within = 0;
    const leave = () => {
      within = 0;
      setOver(false);
    };
    const listen = (
      type: 'dragenter' | 'dragleave' | 'dragover' | 'drop',
      take: (event: DragEvent, dropped: DataTransfer) => void,
    ) =>
      // On the document: after the listeners of the page's parts, and before that of the window, which blocks stray drops
      // (stray-drops.ts).
      document.addEventListener(
        type,
        (event) => {
          if (type === 'drop') leave();
          const { dataTransfer, target } = event;
          if (!dataTransfer) return;
          if (isAbove(target)) return refuseAbove(event, dataTransfer);
          if (dataTransfer.types.some((one) => latest.current.types.includes(one))) take(event, dataTransfer);
        },
        { signal: listening.signal },
      );
    listen('dragenter', () => {
      within += 1;
      setOver(true);
    });
    listen('dragleave', () => {
      within -= 1;
      if (within <= 0) leave();
    });
    listen('dragover', (event) => event.preventDefault());
    listen('drop', (event, dropped) => {
      event.preventDefault();
      latest.current.onDrop(dropped);
    });
    return () => listening.abort();
  }, []);
  if (!over) return null;
  return (
    <div
      aria-hidden
      className="pointer-events-none fixed inset-2 z-40 grid place-items-center rounded-md border-2 border-accent-ink border-dashed bg-accent-soft/90"
    >
      <span className="flex items-center gap-2 font-medium text-accent-ink">
        <Icon of={icon} size={20} strokeWidth={1.75} />
        {children}
      </span>
    </div>
  );
}
