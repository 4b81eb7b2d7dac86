'use client';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { act } from '#app/_cockpit/act.ts';
import { count } from '#app/_ui/format.ts';
import { lazyPart, preload } from '#app/_ui/lazy-part.ts';
import { toast } from '#app/_ui/toast.ts';
import { useRefresh } from '#app/_ui/use-refresh.ts';
import { reviewMany, undoReviewsAction } from './actions.ts';

const loadDialog = () => import('./reject-dialog.tsx');
const RejectDialog = lazyPart(loadDialog, null, ({ onOpenChange }) => onOpenChange(false));

type State = 'GENERATED' | 'REJECTED' | 'APPROVED' | 'DELIVERED';
type Judged = { id: string; state: State };

export type Reviewing = {
  approve: (generationIds: readonly string[]) => Promise<void>;
  /** Asks for the reason first. */
  reject: (generationIds: readonly string[]) => void;
  /** Undoes the last decision, then the one before it. */
  undo: () => Promise<void>;
  pending: boolean;
  dialog: ReactNode;
};

/** In milliseconds: several decisions in a row refresh the page once. */
const COUNT_AFTER_MS = 400;

type Decision = { assetIds: string[]; generationIds: readonly string[] };

/**
 * Approves and rejects all files of some generations, with one undo per action. `decided` shows a decision at once, and returns a function that
 * undoes that if the decision fails. `changed`: generations to read again. `queue`: the state of files that were not read yet, according to the list.
 * Decisions that colleagues made since stay, and are reported.
 */
export function useReview(
  filesOf: (generationId: string) => readonly Judged[],
  on: {
    decided: (generationIds: readonly string[], review: 'approve' | 'reject') => () => void;
    changed: (generationIds: readonly string[]) => void;
  },
  queue?: State | undefined,
): Reviewing {
  const refresh = useRefresh();
  const decisions = useRef<Decision[]>([]);
  const counting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [asked, setAsked] = useState<readonly string[]>([]);
  const [open, setOpen] = useState(false);
  const [pending, setPending] = useState(false);
  useEffect(() => preload(loadDialog), []);
  const judged = (ids: readonly string[]) => {
    on.changed(ids);
    // The server computes the count beside « À vérifier ».
    clearTimeout(counting.current);
    counting.current = setTimeout(() => refresh(), COUNT_AFTER_MS);
  };
  const takeBack = async (decision: Decision, isSaid = false) => {
    // Removed first, so that the next press undoes the decision before it instead of this one.
    decisions.current = decisions.current.filter((one) => one !== decision);
    const undone = await act(undoReviewsAction({ assetIds: decision.assetIds }));
    if (!undone?.data) {
      decisions.current.push(decision);
      return false;
    }
    judged(decision.generationIds);
    if (isSaid || undone.data.assetIds.length < decision.assetIds.length)
      toast({ name: 'review', title: undone.message ?? '' });
    return true;
  };
  const run = async (ids: readonly string[], review: 'approve' | 'reject', reason?: string) => {
    setPending(true);
    // Read before the decision is shown: the states on which the decision is based.
    const files = Object.fromEntries(
      ids.flatMap((one) => filesOf(one).map(({ id, state }) => [id, state] as const)),
    );
    const shown = { files, ...(queue ? { others: queue } : {}) };
    const asBefore = on.decided(ids, review);
    const done = await act(
      reviewMany({ generationIds: [...ids], review, shown, ...(reason ? { reason } : {}) }),
    );
    setPending(false);
    if (!done?.data) asBefore();
    judged(ids);
    if (!done?.data) return false;
    const { assetIds, unchanged, meanwhile } = done.data;
    const stays =
      unchanged > 0
        ? `${count(unchanged, 'fichier reste', 'fichiers restent')} comme avant\u00a0: déjà décidé ou livré.`
        : '';
    const description = [meanwhile?.sentence ?? '', stays].filter(Boolean).join(' ');
    const decision = { assetIds, generationIds: ids };
    if (assetIds.length > 0) decisions.current.push(decision);
    toast({
      // One name, because twenty decisions in a minute would cover the page; U undoes the earlier ones.
      name: 'review',
      title: done.message ?? '',
      tone: 'ok',
      ...(description ? { description } : {}),
      ...(assetIds.length > 0 ? { undo: { run: () => takeBack(decision) } } : {}),
    });
    return true;
  };
  const files = asked.flatMap((id) => [...filesOf(id)]);
  return {
    pending,
    approve: async (ids) => void (await run(ids, 'approve')),
    reject: (ids) => {
      setAsked(ids);
      setOpen(true);
    },
    undo: async () => {
      const decision = decisions.current.at(-1);
      if (!decision) return toast({ name: 'review', title: 'Aucune décision à annuler' });
      await takeBack(decision, true);
    },
    dialog:
      asked.length > 0 ? (
        <RejectDialog
          open={open}
          about={`${asked}`}
          onOpenChange={setOpen}
          files={Math.max(files.length, asked.length)}
          approved={files.filter(({ state }) => state === 'APPROVED').length}
          onReject={(reason) => run(asked, 'reject', reason)}
        />
      ) : null,
  };
}
