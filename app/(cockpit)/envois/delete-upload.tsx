'use client';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { answerOf, sayRefusal } from '#app/_cockpit/act.ts';
import { IconButton } from '#app/_ui/action/icon-button.tsx';
import { Confirm, preloadDialog } from '#app/_ui/overlay/dialog.tsx';
import { toast } from '#app/_ui/toast.ts';
import { deleteUploadAction } from './actions.ts';

/** Asks, then deletes the file that was sent: its bytes go too. */
export function DeleteUpload({ uploadId, what }: { uploadId: string; what: string }) {
  const [open, setOpen] = useState(false);
  const remove = async () => {
    const state = await answerOf(deleteUploadAction({ uploadId }));
    if (state?.status === 'done')
      toast({ title: 'Envoi supprimé', description: 'Les générations faites avec lui restent.', tone: 'ok' });
    else if (state?.status === 'refused') sayRefusal(state, 'L’envoi n’a pas été supprimé');
  };
  return (
    <>
      <IconButton
        icon={Trash2}
        label={`Supprimer cet envoi (${what})`}
        aria-haspopup="dialog"
        onPointerEnter={preloadDialog}
        onFocus={preloadDialog}
        onClick={() => setOpen(true)}
        className="relative"
      />
      <Confirm
        open={open}
        onOpenChange={setOpen}
        title="Supprimer cet envoi"
        confirm="Supprimer le fichier"
        onConfirm={remove}
      >
        <p>
          Le fichier est supprimé pour de bon, et sa place est rendue. Les générations faites avec lui restent
          dans le journal, mais ne pourront plus être reprises avec lui.
        </p>
      </Confirm>
    </>
  );
}
