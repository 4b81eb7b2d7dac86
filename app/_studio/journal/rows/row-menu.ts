import type { MenuItem } from '#app/_ui/action/menu-item.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';
import { leftFiles } from '../../left-files.ts';

type RowActions = {
  /** The address of the generation's page. */
  href: string;
  canGenerate: boolean;
  isBinned: boolean;
  /** The decisions that its one file allows. */
  reviews: readonly string[] | undefined;
  approve: (ids: readonly string[]) => unknown;
  reject: (ids: readonly string[]) => void;
  restore: (ids: readonly string[]) => unknown;
  show: (id: string) => void;
};

/** The menu of one generation of the journal: only what can be done with it now, by this member. */
export function rowMenu(row: GenerationView, on: RowActions): MenuItem[] {
  const left = leftFiles(row).length;
  const decisions = on.canGenerate && left === 1 ? on.reviews : undefined;
  const ids = [row.id];
  return [
    ...(on.canGenerate
      ? [
          {
            label: row.params.workflowRunId ? 'Refaire ce rendu' : 'Refaire avec les mêmes réglages',
            href: `/creer?reprendre=${row.id}`,
          },
        ]
      : []),
    ...(on.canGenerate && left > 1 ? [{ label: `Vérifier les ${left} fichiers`, href: on.href }] : []),
    ...(decisions?.includes('approve')
      ? [{ label: 'Approuver et garder', onSelect: () => void on.approve(ids) }]
      : []),
    ...(decisions?.includes('reject') ? [{ label: 'Rejeter', onSelect: () => on.reject(ids) }] : []),
    ...(left > 0 ? [{ label: 'Voir en grand', keys: 'V', onSelect: () => on.show(row.id) }] : []),
    ...(on.canGenerate && on.isBinned
      ? [{ label: 'Rétablir de la corbeille', onSelect: () => void on.restore(ids) }]
      : []),
    { label: 'Copier l’identifiant', copies: { text: row.id, done: 'Identifiant copié' } },
  ];
}
