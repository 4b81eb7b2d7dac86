'use client';
import { UserRoundX } from 'lucide-react';
import { ConfirmDeletion } from '#app/_cockpit/dialogs/confirm-deletion.tsx';
import { deleteAvatarAction } from './actions.ts';

/** Asks, then deletes the avatar: its file stays. */
export function DeleteAvatar({ avatarId, name }: { avatarId: string; name: string }) {
  return (
    <ConfirmDeletion
      icon={UserRoundX}
      label={`Oublier ${name}`}
      title={`Oublier «\u00a0${name}\u00a0»`}
      confirm="Oublier l’avatar"
      call={() => deleteAvatarAction({ avatarId })}
      done={{ title: `${name} est oublié`, description: 'Le fichier n’est pas supprimé.' }}
      refused="L’avatar n’a pas été oublié"
    >
      <p>
        Le fichier n’est pas supprimé et rien n’est débité. S’il n’est gardé par rien d’autre (approuvé,
        rattaché à un concept), il suivra la règle commune&nbsp;: supprimé 30 jours après sa création.
      </p>
      <p className="mt-2">Les générations qui l’ont utilisé ne changent pas.</p>
    </ConfirmDeletion>
  );
}
