'use client';
import { Undo2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTransition } from 'react';
import { act } from '#app/_cockpit/act.ts';
import { ConfirmCall } from '#app/_cockpit/dialogs/confirm-call.tsx';
import { Button } from '#app/_ui/action/button.tsx';
import { toast } from '#app/_ui/toast.ts';
import { eraseDeletion, restoreBin, restoreDeletion } from './actions.ts';

/** Brings back what one gesture deleted. */
export function Restore({ deletionId, title }: { deletionId: string; title: string }) {
  const router = useRouter();
  const [pending, start] = useTransition();
  const run = () =>
    start(async () => {
      const done = await act(restoreDeletion({ deletionId }));
      if (done?.message) toast({ title: done.message, tone: 'ok' });
      start(() => router.refresh());
    });
  return (
    <Button
      size="sm"
      icon={Undo2}
      pending={pending}
      onClick={run}
      aria-label={`Rétablir «\u00a0${title}\u00a0»`}
    >
      Rétablir
    </Button>
  );
}

/** Brings back everything that is in the bin. */
export function RestoreAll({ said }: { said: string }) {
  return (
    <ConfirmCall
      label="Tout rétablir"
      title="Tout rétablir"
      variant="secondary"
      tone="primary"
      icon={Undo2}
      call={() => restoreBin({})}
    >
      {said} reviennent à leur place, avec leur historique, tant que la capacité du compte le permet.
    </ConfirmCall>
  );
}

/** For founders: erases one deletion before its time. */
export function Erase({
  deletionId,
  title,
  memories,
}: {
  deletionId: string;
  title: string;
  memories: number;
}) {
  return (
    <ConfirmCall
      label="Effacer maintenant"
      title={`Effacer «\u00a0${title}\u00a0»`}
      confirm="Effacer pour toujours"
      tone="danger"
      call={() => eraseDeletion({ deletionId })}
    >
      {memories > 1
        ? `Les textes, les titres et l’historique de ces ${memories} mémoires sont effacés tout de suite`
        : 'Le texte, le titre et l’historique de cette mémoire sont effacés tout de suite'}
      , de la recherche aussi. Rien ne pourra les rendre&nbsp;; l’audit garde que vous l’avez fait.
    </ConfirmCall>
  );
}
