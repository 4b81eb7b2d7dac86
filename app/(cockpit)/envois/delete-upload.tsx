'use client';
import { Trash2 } from 'lucide-react';
import { ConfirmDeletion } from '#app/_cockpit/dialogs/confirm-deletion.tsx';
import { deleteUploadAction } from './actions.ts';

/** Asks, then deletes the file that was sent: its bytes go too. */
export function DeleteUpload({ uploadId, what }: { uploadId: string; what: string }) {
  return (
    <ConfirmDeletion
      icon={Trash2}
      label={`Supprimer cet envoi (${what})`}
      title="Supprimer cet envoi"
      confirm="Supprimer le fichier"
      call={() => deleteUploadAction({ uploadId })}
      done={{ title: 'Envoi supprimé', description: 'Les générations faites avec lui restent.' }}
      refused="L’envoi n’a pas été supprimé"
    >
      <p>
        Le fichier est supprimé pour de bon, et sa place est rendue. Les générations faites avec lui restent
        dans le journal, mais ne pourront plus être reprises avec lui.
      </p>
    </ConfirmDeletion>
  );
}
