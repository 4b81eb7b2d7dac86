'use client';
import { FileUp } from 'lucide';
import { Button } from '#app/_ui/action/button.tsx';
import { askImport } from './import-event.ts';

/** Opens the import dialog of the current Space. */
export function ImportButton() {
  return (
    <Button variant="primary" icon={FileUp} onClick={() => askImport()}>
      Importer des documents
    </Button>
  );
}
