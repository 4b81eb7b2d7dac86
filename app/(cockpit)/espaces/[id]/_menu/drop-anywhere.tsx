'use client';
import { FileUp } from 'lucide-react';
import { useEffect, useState } from 'react';
import { toast } from '#app/_ui/toast.ts';
import { droppedFiles } from './dropped-files.ts';
import { askImport } from './import-event.ts';

/** Files or folders dropped anywhere on the Space's page open its import. A dialog that takes files itself, and rows that are moved, are left alone. */
export function DropAnywhere() {
  const [over, setOver] = useState(false);
  useEffect(() => {
    let within = 0;
    const leave = () => {
      within = 0;
      setOver(false);
    };
    const isOurs = (event: DragEvent) =>
      event.dataTransfer?.types.includes('Files') === true &&
      !(event.target instanceof Element && event.target.closest('[role=dialog], [role=alertdialog]'));
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
      droppedFiles(event.dataTransfer).then(
        (files) => {
          if (files.length > 0) askImport(files);
        },
        () => toast({ title: 'Ces fichiers n’ont pas pu être lus', tone: 'fail' }),
      );
    };
    window.addEventListener('dragenter', onEnter);
    window.addEventListener('dragleave', onLeave);
    window.addEventListener('dragover', onOver);
    window.addEventListener('drop', onDrop);
    return () => {
      window.removeEventListener('dragenter', onEnter);
      window.removeEventListener('dragleave', onLeave);
      window.removeEventListener('dragover', onOver);
      window.removeEventListener('drop', onDrop);
    };
  }, []);
  if (!over) return null;
  return (
    <div
      aria-hidden
      className="pointer-events-none fixed inset-2 z-40 grid place-items-center rounded-md border-2 border-accent-ink border-dashed bg-accent-soft/90"
    >
      <span className="flex items-center gap-2 font-medium text-accent-ink">
        <FileUp size={20} strokeWidth={1.75} />
        Déposez pour importer dans cet espace
      </span>
    </div>
  );
}
