'use client';
import { Trash2 } from 'lucide';
import { ConfirmDeletion } from '#app/_cockpit/dialogs/confirm-deletion.tsx';
import { restore } from '../corbeille/restore.ts';
import { deleteUploadAction } from './actions.ts';

/** Asks for confirmation, then moves the uploaded file to the bin. */
export function DeleteUpload({ uploadId, what }: { uploadId: string; what: string }) {
  return (
    <ConfirmDeletion
      icon={Trash2}
      label={`Supprimer cet envoi (${what})`}
      title="Supprimer cet envoi&nbsp;?"
      confirm="Supprimer le fichier"
      call={() => deleteUploadAction({ uploadId })}
      done={{
        title: 'Envoi supprimé',
        description: 'Il attend 30 jours dans la corbeille.',
        undo: { run: () => restore({ kind: 'upload', id: uploadId }) },
      }}
      refused="L’envoi n’a pas été supprimé"
    >
      <p>
        Le fichier attend 30 jours dans la corbeille, d’où l’on peut le rétablir, puis est effacé et rend sa
        place. Les générations faites avec lui restent dans le journal, mais ne pourront pas être reprises
        avec lui d’ici là.
      </p>
    </ConfirmDeletion>
  );
}
