'use client';
import { UserRoundX } from 'lucide';
import { ConfirmDeletion } from '#app/_cockpit/dialogs/confirm-deletion.tsx';
import { restore } from '../corbeille/restore.ts';
import { deleteAvatarAction } from './actions.ts';

/** Asks for confirmation, then moves the avatar to the bin. Its file is kept. */
export function DeleteAvatar({ avatarId, name }: { avatarId: string; name: string }) {
  return (
    <ConfirmDeletion
      icon={UserRoundX}
      label={`Oublier ${name}`}
      title={`Oublier «\u00a0${name}\u00a0»\u00a0?`}
      confirm="Oublier l’avatar"
      call={() => deleteAvatarAction({ avatarId })}
      done={{
        title: `Avatar «\u00a0${name}\u00a0» oublié`,
        description: 'L’avatar attend 30 jours dans la corbeille.',
        undo: { run: () => restore({ kind: 'avatar', id: avatarId }) },
      }}
      refused="L’avatar n’a pas été oublié"
    >
      <p>
        Le fichier n’est pas supprimé et rien n’est débité. L’avatar attend 30 jours dans la corbeille, et son
        image avec lui&nbsp;; ensuite, si rien d’autre ne la garde, elle suit la règle commune&nbsp;:
        supprimée 30 jours après sa création.
      </p>
      <p className="mt-2">Les générations qui l’ont utilisé ne changent pas.</p>
    </ConfirmDeletion>
  );
}
