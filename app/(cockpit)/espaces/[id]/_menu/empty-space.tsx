'use client';
import { FileUp } from 'lucide-react';
import { Button } from '#app/_ui/action/button.tsx';
import { EmptyState } from '#app/_ui/state/states.tsx';
import { askImport } from './import-event.ts';

/** The first view of a Space without any Memory: bring what exists first, write second. */
export function EmptySpace() {
  return (
    <EmptyState
      icon={FileUp}
      title="Apportez ce que vous avez déjà écrit"
      className="mb-8 rounded-md border border-line-strong border-dashed py-10"
      action={
        <Button variant="primary" icon={FileUp} onClick={() => askImport()}>
          Importer des documents
        </Button>
      }
    >
      Documents Word, exports de Google Docs ou de Notion, PDF, Markdown&nbsp;: déposez-les n’importe où sur
      cette page. Un dossier qui porte le nom d’un pilier y est rangé.
    </EmptyState>
  );
}
