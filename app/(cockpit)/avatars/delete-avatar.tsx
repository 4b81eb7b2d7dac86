'use client';
import { UserRoundX } from 'lucide-react';
import { useState } from 'react';
import { answerOf, sayRefusal } from '#app/_cockpit/act.ts';
import { IconButton } from '#app/_ui/action/icon-button.tsx';
import { Confirm, preloadDialog } from '#app/_ui/overlay/dialog.tsx';
import { toast } from '#app/_ui/toast.ts';
import { deleteAvatarAction } from './actions.ts';

/** Asks, then deletes the avatar: its file stays. */
export function DeleteAvatar({ avatarId, name }: { avatarId: string; name: string }) {
  const [open, setOpen] = useState(false);
  const remove = async () => {
    const state = await answerOf(deleteAvatarAction({ avatarId }));
    if (state?.status === 'done')
      toast({ title: `${name} est oublié`, description: 'Le fichier n’est pas supprimé.', tone: 'ok' });
    else if (state?.status === 'refused') sayRefusal(state, 'L’avatar n’a pas été oublié');
  };
  return (
    <>
      <IconButton
        icon={UserRoundX}
        label={`Oublier ${name}`}
        aria-haspopup="dialog"
        onPointerEnter={preloadDialog}
        onFocus={preloadDialog}
        onClick={() => setOpen(true)}
        className="relative"
      />
      <Confirm
        open={open}
        onOpenChange={setOpen}
        title={`Oublier «\u00a0${name}\u00a0»`}
        confirm="Oublier l’avatar"
        onConfirm={remove}
      >
        <p>
          Le fichier n’est pas supprimé et rien n’est débité. S’il n’est gardé par rien d’autre (approuvé,
          rattaché à un concept), il suivra la règle commune&nbsp;: supprimé 30 jours après sa création.
        </p>
        <p className="mt-2">Les générations qui l’ont utilisé ne changent pas.</p>
      </Confirm>
    </>
  );
}
