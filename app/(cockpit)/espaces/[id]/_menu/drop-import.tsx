'use client';
import { FileUp } from 'lucide';
import { DropAnywhere } from '#app/_ui/overlay/drop-anywhere.tsx';
import { toast } from '#app/_ui/toast.ts';
import { droppedFiles } from './dropped-files.ts';
import { askImport } from './import-event.ts';

/** Files or folders dropped anywhere on the Space's page open the import dialog. */
export default function DropImport() {
  return (
    <DropAnywhere
      types={['Files']}
      icon={FileUp}
      onDrop={(dropped) =>
        droppedFiles(dropped).then(
          (files) => {
            if (files.length > 0) askImport(files);
          },
          () => toast({ title: 'Ces fichiers n’ont pas pu être lus', tone: 'fail' }),
        )
      }
    >
      Déposez pour importer dans cet espace
    </DropAnywhere>
  );
}
