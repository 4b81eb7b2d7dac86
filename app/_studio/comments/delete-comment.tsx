'use client';
import { Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { act } from '#app/_cockpit/act.ts';
import { IconButton } from '#app/_ui/action/icon-button.tsx';
import { Confirm } from '#app/_ui/overlay/dialog.tsx';
import { toast } from '#app/_ui/toast.ts';
import { unsay } from './actions.ts';

/** Deletes a comment, after asking: nothing gives it back. */
export function DeleteComment({ commentId, author }: { commentId: string; author: string }) {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  return (
    <>
      <IconButton
        icon={Trash2}
        label={author === 'Vous' ? 'Supprimer votre commentaire' : `Supprimer le commentaire de ${author}`}
        onClick={() => setOpen(true)}
      />
      <Confirm
        open={open}
        onOpenChange={setOpen}
        title="Supprimer ce commentaire"
        confirm="Supprimer le commentaire"
        onConfirm={async () => {
          const done = await act(unsay({ commentId }));
          if (done?.message) toast({ title: done.message, tone: 'ok' });
          router.refresh();
        }}
      >
        Il disparaît pour tout le compte, et ne se retrouve pas.
      </Confirm>
    </>
  );
}
