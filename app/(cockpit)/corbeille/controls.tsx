'use client';
import { Undo2 } from 'lucide';
import { useTransition } from 'react';
import { act, answerOf } from '#app/_cockpit/act.ts';
import { ConfirmCall } from '#app/_cockpit/dialogs/confirm-call.tsx';
import { Button } from '#app/_ui/action/button.tsx';
import { toast } from '#app/_ui/toast.ts';
import { useRefresh } from '#app/_ui/use-refresh.ts';
import type { ActionState } from '#lib/http/actions/action-state.ts';
import type { BinnedKind, BinnedRef } from '#lib/storage/bin/binned-kinds.ts';
import {
  eraseDeletion,
  eraseThing,
  restoreBin,
  restoreDeletion,
  restoreThing,
  restoreThings,
} from './actions.ts';

/** A line of the bin: the Memories deleted together, or one item of the studio. */
type Line = { deletionId: string } | BinnedRef;

const restore = (line: Line) => ('deletionId' in line ? restoreDeletion(line) : restoreThing(line));

/** Restores one line of the bin. */
export function Restore({ line, title }: { line: Line; title: string }) {
  const refresh = useRefresh();
  const [pending, start] = useTransition();
  const run = () =>
    start(async () => {
      const done = await act(restore(line));
      if (done?.message) toast({ title: done.message, tone: 'ok' });
      start(refresh);
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

/** Which of the two the member may restore, among what is shown. */
type Everything = { memories: boolean; things: boolean; kind?: BinnedKind };

async function restoreEvery({ memories, things, kind }: Everything): Promise<ActionState> {
  const first: ActionState = memories ? await restoreBin({}) : { status: 'idle' };
  if (first.status === 'refused' || !things) return first;
  const second = await answerOf(restoreThings(kind ? { kind } : {}));
  const said = [first, second].flatMap((one) => (one?.status === 'done' && one.message ? [one.message] : []));
  if (second?.status === 'done') return { ...second, message: said.join('. ') };
  // What was restored is announced even if a later part failed.
  for (const title of said) toast({ title, tone: 'ok' });
  return second ?? first;
}

/** Restores everything that is shown. */
export function RestoreAll({ said, of }: { said: string; of: Everything }) {
  return (
    <ConfirmCall
      label="Tout rétablir"
      title="Tout rétablir&nbsp;?"
      variant="secondary"
      tone="primary"
      icon={Undo2}
      call={() => restoreEvery(of)}
    >
      {said}
      {of.memories
        ? ' Les mémoires retrouvent leur place et leur historique, tant que la capacité du compte le permet.'
        : ''}
      {of.things ? ' Les fichiers ont de nouveau 30 jours devant eux.' : ''}
    </ConfirmCall>
  );
}

/** Founders only: erases immediately the Memories that were deleted together. */
export function EraseMemories({
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
      about={`«\u00a0${title}\u00a0»`}
      title={`Effacer «\u00a0${title}\u00a0»\u00a0?`}
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

const ERASED: Record<BinnedKind, string> = {
  files:
    'Les fichiers et leurs vignettes sont effacés tout de suite du magasin. La ligne du journal, son coût et ses écritures restent.',
  upload:
    'Le fichier est effacé tout de suite du magasin. Les générations faites avec lui restent, mais ne pourront plus être reprises avec lui.',
  avatar:
    'Le nom et l’avatar sont effacés tout de suite. Son image, elle, suit la règle commune des fichiers.',
  concept:
    'Le nom et la note du concept sont effacés tout de suite. Ses fichiers restent, et suivent la règle commune.',
};

/** Founders only: erases an item of the studio immediately. */
export function EraseThing({ thing, title }: { thing: BinnedRef; title: string }) {
  return (
    <ConfirmCall
      label="Effacer maintenant"
      about={`«\u00a0${title}\u00a0»`}
      title={`Effacer «\u00a0${title}\u00a0»\u00a0?`}
      confirm="Effacer pour toujours"
      tone="danger"
      call={() => eraseThing(thing)}
    >
      {ERASED[thing.kind]} Rien ne pourra rendre ce qui est effacé&nbsp;; l’audit garde que vous l’avez fait.
    </ConfirmCall>
  );
}
