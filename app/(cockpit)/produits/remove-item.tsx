'use client';
import { Unlink } from 'lucide-react';
import { ConfirmRemoval } from '#app/_cockpit/confirm-removal.tsx';
import { nbsp } from '#app/_ui/format.ts';
import { releaseRush, removeConcept, removeLesson } from './actions.ts';

const KINDS = {
  concept: {
    verb: 'Supprimer le concept',
    done: 'Concept supprimé',
    call: (conceptId: string) => removeConcept({ conceptId }),
  },
  lesson: {
    verb: 'Oublier la leçon',
    done: 'Leçon oubliée',
    call: (lessonId: string) => removeLesson({ lessonId }),
  },
  rush: {
    verb: 'Ne plus garder le rush',
    done: 'Rush rendu à la règle commune',
    call: (rushId: string) => releaseRush({ rushId }),
  },
};

/** Asks, then removes what kept a file: no file is deleted by it. */
export function RemoveItem({ what, id, name }: { what: keyof typeof KINDS; id: string; name: string }) {
  const { verb, done, call } = KINDS[what];
  const title = nbsp(`${verb} «\u00a0${name.length > 60 ? `${name.slice(0, 59)}…` : name}\u00a0»`);
  return (
    <ConfirmRemoval
      icon={Unlink}
      label={title}
      title={title}
      confirm={verb}
      call={() => call(id)}
      done={{ title: done, description: 'Aucun fichier n’est supprimé.' }}
    >
      <p>
        Aucun fichier n’est supprimé et rien n’est débité. Ce que rien d’autre ne garde suivra la règle
        commune&nbsp;: supprimé au bout de 30 jours.
      </p>
    </ConfirmRemoval>
  );
}
