'use client';
import { Unlink } from 'lucide-react';
import { useState } from 'react';
import { answerOf, sayRefusal } from '#app/_cockpit/act.ts';
import { IconButton } from '#app/_ui/action/icon-button.tsx';
import { nbsp } from '#app/_ui/format.ts';
import { Confirm, preloadDialog } from '#app/_ui/overlay/dialog.tsx';
import { toast } from '#app/_ui/toast.ts';
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
  const [open, setOpen] = useState(false);
  const { verb, done, call } = KINDS[what];
  const short = name.length > 60 ? `${name.slice(0, 59)}…` : name;
  const confirm = async () => {
    const state = await answerOf(call(id));
    if (state?.status === 'done')
      toast({ title: done, description: 'Aucun fichier n’est supprimé.', tone: 'ok' });
    else if (state?.status === 'refused') sayRefusal(state);
  };
  return (
    <>
      <IconButton
        icon={Unlink}
        label={nbsp(`${verb} «\u00a0${short}\u00a0»`)}
        aria-haspopup="dialog"
        onPointerEnter={preloadDialog}
        onFocus={preloadDialog}
        onClick={() => setOpen(true)}
        className="relative"
      />
      <Confirm
        open={open}
        onOpenChange={setOpen}
        title={nbsp(`${verb} «\u00a0${short}\u00a0»`)}
        confirm={verb}
        onConfirm={confirm}
      >
        <p>
          Aucun fichier n’est supprimé et rien n’est débité. Ce que rien d’autre ne garde suivra la règle
          commune&nbsp;: supprimé au bout de 30 jours.
        </p>
      </Confirm>
    </>
  );
}
