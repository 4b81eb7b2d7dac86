'use client';
import { useRouter } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { act } from '#app/_cockpit/act.ts';
import { count } from '#app/_ui/format.ts';
import { toast } from '#app/_ui/toast.ts';
import { reviewMany, undoReviewsAction } from './actions.ts';
import { RejectDialog } from './reject-dialog.tsx';

type Judged = { state: 'GENERATED' | 'REJECTED' | 'APPROVED' | 'DELIVERED' };

export type Reviewing = {
  approve: (generationIds: readonly string[]) => Promise<void>;
  /** Asks why first. */
  reject: (generationIds: readonly string[]) => void;
  pending: boolean;
  dialog: ReactNode;
};

/** Approves and rejects all files of some rows, with one undo for the gesture. */
export function useReview(
  filesOf: (generationId: string) => readonly Judged[],
  changed: (generationIds: readonly string[]) => void,
): Reviewing {
  const router = useRouter();
  const [asked, setAsked] = useState<readonly string[]>([]);
  const [open, setOpen] = useState(false);
  const [pending, setPending] = useState(false);
  const told = (ids: readonly string[]) => {
    changed(ids);
    // The count beside « À vérifier » is the server's.
    router.refresh();
  };
  const run = async (ids: readonly string[], review: 'approve' | 'reject', reason?: string) => {
    setPending(true);
    const done = await act(reviewMany({ generationIds: [...ids], review, ...(reason ? { reason } : {}) }));
    setPending(false);
    if (!done?.data) return false;
    const { assetIds, unchanged } = done.data;
    told(ids);
    toast({
      title: done.message ?? '',
      tone: 'ok',
      ...(unchanged > 0
        ? {
            description: `${count(unchanged, 'fichier reste', 'fichiers restent')} comme avant\u00a0: déjà décidé ou livré.`,
          }
        : {}),
      ...(assetIds.length > 0
        ? {
            undo: {
              run: async () => {
                const undone = await act(undoReviewsAction({ assetIds }));
                if (undone) told(ids);
                return undone !== null;
              },
            },
          }
        : {}),
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
    dialog: (
      <RejectDialog
        open={open}
        onOpenChange={setOpen}
        files={Math.max(files.length, asked.length)}
        approved={files.filter(({ state }) => state === 'APPROVED').length}
        onReject={(reason) => run(asked, 'reject', reason)}
      />
    ),
  };
}
