import { FileUp } from 'lucide';
import { EmptyState } from '#app/_ui/state/states.tsx';
import { ImportButton } from './import-button.tsx';

/** The first view of an empty Space: import first, write second. */
export function EmptySpace() {
  return (
    <EmptyState
      icon={FileUp}
      title="Apportez ce que vous avez déjà écrit"
      className="mb-8 rounded-md border border-line-strong border-dashed py-10"
      action={<ImportButton />}
    >
      Documents Word, exports de Google Docs ou de Notion, PDF, Markdown.{' '}
      <span className="pointer-coarse:hidden">Déposez-les n’importe où sur cette page. </span>
      Un dossier qui porte le nom d’un pilier y est rangé.
    </EmptyState>
  );
}
