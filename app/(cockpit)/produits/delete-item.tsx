'use client';
import { Unlink } from 'lucide';
import { ConfirmDeletion } from '#app/_cockpit/dialogs/confirm-deletion.tsx';
import { nbsp } from '#app/_ui/format.ts';
import { cutShort } from '#app/_ui/text/cut-short.ts';
import { restore } from '../corbeille/restore.ts';
import { deleteConceptAction, deleteLessonAction, releaseRush } from './actions.ts';

const KINDS = {
  concept: {
    verb: 'Supprimer le concept',
    done: 'Concept supprimé',
    call: (conceptId: string) => deleteConceptAction({ conceptId }),
    undo: (id: string) => restore({ kind: 'concept', id }),
  },
  lesson: {
    verb: 'Oublier la leçon',
    done: 'Leçon oubliée',
    call: (lessonId: string) => deleteLessonAction({ lessonId }),
    undo: null,
  },
  rush: {
    verb: 'Ne plus garder le rush',
    done: 'Rush rendu à la règle commune',
    call: (rushId: string) => releaseRush({ rushId }),
    undo: null,
  },
};

/** Asks for confirmation, then deletes a concept or a lesson, or stops keeping a rush. No file is deleted. */
export function DeleteItem({ what, id, name }: { what: keyof typeof KINDS; id: string; name: string }) {
  const { verb, done, call, undo } = KINDS[what];
  const title = nbsp(`${verb} «\u00a0${cutShort(name, 60)}\u00a0»`);
  return (
    <ConfirmDeletion
      icon={Unlink}
      label={title}
      title={`${title}\u00a0?`}
      confirm={verb}
      call={() => call(id)}
      done={{
        title: done,
        description: 'Aucun fichier n’est supprimé.',
        ...(undo ? { undo: { run: () => undo(id) } } : {}),
      }}
    >
      <p>
        Aucun fichier n’est supprimé et rien n’est débité.
        {undo ? ' Le concept attend 30 jours dans la corbeille et garde ses fichiers jusque-là.' : null} Ce
        que rien d’autre ne garde suivra ensuite la règle commune&nbsp;: supprimé au bout de 30 jours.
      </p>
    </ConfirmDeletion>
  );
}
