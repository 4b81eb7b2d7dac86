'use client';
import { ImagePlus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { toast } from '#app/_ui/toast.ts';
import type { Bring } from './use-bring.ts';

const NONE = 'Ce type de génération ne prend pas de référence';

/** Whether a press or a drop is for something above the page. */
const isAbove = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[role=dialog], [role=alertdialog]') !== null;

/** Files dropped or pasted anywhere on the composer's page are references; text is pasted where it is pasted. */
export function BringAnywhere({ bring }: { bring: Bring | null }) {
  const [over, setOver] = useState(false);
  const latest = useRef(bring);
  latest.current = bring;
  useEffect(() => {
    let within = 0;
    const leave = () => {
      within = 0;
      setOver(false);
    };
    const take = (files: Iterable<File>) => {
      if (!latest.current) return toast({ title: NONE, description: 'Choisissez Image ou Vidéo d’abord.' });
      for (const file of files) void latest.current.bring(file);
    };
    const isOurs = ({ dataTransfer, target }: DragEvent) =>
      !isAbove(target) &&
      dataTransfer?.types.some((type) => type === 'Files' || type === 'text/uri-list') === true;
    const onEnter = (event: DragEvent) => {
      if (!isOurs(event)) return;
      within += 1;
      setOver(true);
    };
    const onLeave = (event: DragEvent) => {
      if (!isOurs(event)) return;
      within -= 1;
      if (within <= 0) leave();
    };
    const onOver = (event: DragEvent) => {
      if (isOurs(event)) event.preventDefault();
    };
    const onDrop = (event: DragEvent) => {
      leave();
      if (!isOurs(event) || !event.dataTransfer) return;
      event.preventDefault();
      const { files } = event.dataTransfer;
      const address = event.dataTransfer.getData('text/uri-list');
      if (files.length > 0) take(files);
      else if (address) latest.current?.addLink(address.split('\n', 1)[0]?.trim() ?? '');
    };
    const onPaste = (event: ClipboardEvent) => {
      const { clipboardData } = event;
      // A table copied from a word processor is text and picture: into a field, it is text.
      if (!clipboardData || clipboardData.files.length === 0 || isAbove(event.target)) return;
      if (clipboardData.types.includes('text/plain')) return;
      event.preventDefault();
      take(clipboardData.files);
    };
    window.addEventListener('dragenter', onEnter);
    window.addEventListener('dragleave', onLeave);
    window.addEventListener('dragover', onOver);
    window.addEventListener('drop', onDrop);
    window.addEventListener('paste', onPaste);
    return () => {
      window.removeEventListener('dragenter', onEnter);
      window.removeEventListener('dragleave', onLeave);
      window.removeEventListener('dragover', onOver);
      window.removeEventListener('drop', onDrop);
      window.removeEventListener('paste', onPaste);
    };
  }, []);
  if (!over) return null;
  return (
    <div
      aria-hidden
      className="pointer-events-none fixed inset-2 z-40 grid place-items-center rounded-md border-2 border-accent-ink border-dashed bg-accent-soft/90"
    >
      <span className="flex items-center gap-2 font-medium text-accent-ink">
        <ImagePlus size={20} strokeWidth={1.75} />
        {bring ? 'Déposez pour ajouter aux références' : NONE}
      </span>
    </div>
  );
}
