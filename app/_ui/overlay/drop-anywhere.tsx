'use client';
import { useEffect, useRef, useState } from 'react';
import { Icon, type IconDrawing } from '#app/_ui/icon.tsx';

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
export const isAbove = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[role=dialog], [role=alertdialog]') !== null;

/** Takes what is dropped anywhere on the page, under a veil that says so. What a dialog takes itself, and rows that are moved, are left alone. */
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
      window.addEventListener(
        type,
        (event) => {
          if (type === 'drop') leave();
          const { dataTransfer, target } = event;
          if (!dataTransfer || isAbove(target)) return;
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
