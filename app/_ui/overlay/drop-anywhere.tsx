'use client';
import { useEffect, useRef, useState } from 'react';
import { Icon, type IconDrawing } from '#app/_ui/icon.tsx';
import { toast } from '#app/_ui/toast.ts';

type DropAnywhereProps = {
  /** What a drag must hold to be taken: `Files`, `text/uri-list`. */
  types: readonly string[];
  /** Takes what was dropped. */
  onDrop: (dropped: DataTransfer) => void;
  icon: IconDrawing;
  /** Said on the veil while one drags above the page. */
  children: string;
};

/** Whether a press, a drop or a paste is for something above the page: a dialog that takes files itself. */
export const isAbove = (target: EventTarget | null) => {
  // Firefox tells of a drag that enters or leaves a text by the text itself.
  const place = target instanceof Text ? target.parentElement : target;
  return place instanceof Element && place.closest('[role=dialog], [role=alertdialog]') !== null;
};

/** Said of files that were dropped on what stands above the page, beside the place that takes them. */
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
 * Takes what is dropped anywhere on the page, under a veil that says so. What a dialog takes itself, and rows that are moved, are left alone;
 * files that a dialog does not take are refused in words.
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
      // Before the window, where what nobody takes is held (stray-drops.ts), and after what a part of the page takes itself.
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
