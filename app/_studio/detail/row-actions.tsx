'use client';
import { RefreshCw, Trash2, Undo2 } from 'lucide';
import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { act } from '#app/_cockpit/act.ts';
import { ConfirmCall } from '#app/_cockpit/dialogs/confirm-call.tsx';
import { focusBeside } from '#app/_cockpit/focus/focus-beside.ts';
import { deleteFilesAction } from '#app/_studio/journal/actions.ts';
import { Button } from '#app/_ui/action/button.tsx';

import { ApiError, failureOf } from '#app/_ui/api-error.ts';
import { newKey } from '#app/_ui/new-key.ts';

import { toast } from '#app/_ui/toast.ts';
import { useRefresh } from '#app/_ui/use-refresh.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';
import { post } from '../journal/api.ts';
import { restoreMany } from '../review/actions.ts';

/** Whether the refused request made a generation and so used up its key; a refusal by the ledger does not. */
const hasMadeRow = ({ refusal: { code, subject } }: ApiError) =>
  subject?.startsWith('gen_') && code !== 'balance' && code !== 'cap';

/** Starts a failed render again with the same request, and opens the new generation. `held`: the amount that it will hold, in words. */
export function Relaunch({ generationId, held }: { generationId: string; held: string }) {
  const router = useRouter();
  const [pending, setPending] = useState(false);
  // The same key until an attempt is known to have made a generation: a lost answer never starts two renders.
  const [key, setKey] = useState(newKey);
  const run = async () => {
    setPending(true);
    try {
      const row = await post<GenerationView>(
        `/api/generations/${generationId}/relaunch`,
        {},
        {
          headers: { 'Idempotency-Key': key },
        },
      );
      router.push(`/journal/${row.id}`);
      // The balance in the header changes, because this render holds an amount.
      router.refresh();
    } catch (error) {
      const { message, requestId } = failureOf(error, 'Le rendu n’a pas pu être relancé.');
      toast({ title: message, tone: 'fail', requestId });
      if (error instanceof ApiError && hasMadeRow(error)) setKey(newKey());
      setPending(false);
    }
  };
  return (
    <Button variant="primary" icon={RefreshCw} pending={pending} onClick={run}>
      Relancer ce rendu · retient {held}
    </Button>
  );
}

/** Restores the files of a generation from the bin. */
export function RestoreFiles({ generationId, files }: { generationId: string; files: number }) {
  const refresh = useRefresh();
  const [pending, start] = useTransition();
  const run = () =>
    start(async () => {
      const done = await act(restoreMany({ generationIds: [generationId] }));
      if (done?.data)
        toast(
          done.data.restored.length > 0
            ? { title: files > 1 ? 'Fichiers rétablis' : 'Fichier rétabli', tone: 'ok' }
            : {
                title: `${files > 1 ? 'Ces fichiers ne sont' : 'Ce fichier n’est'} plus dans la corbeille`,
                tone: 'fail',
              },
        );
      start(refresh);
    });
  return (
    <Button ref={focusBeside} size="sm" icon={Undo2} pending={pending} onClick={run}>
      Rétablir
    </Button>
  );
}

/** Moves the files of a generation to the bin, after a confirmation. */
export function DeleteFiles({ generationId, files }: { generationId: string; files: number }) {
  return (
    <ConfirmCall
      ref={focusBeside}
      label={files > 1 ? 'Supprimer les fichiers' : 'Supprimer le fichier'}
      title={files > 1 ? `Supprimer ces ${files} fichiers\u00a0?` : 'Supprimer ce fichier\u00a0?'}
      icon={Trash2}
      call={() => deleteFilesAction({ generationId })}
    >
      {files > 1 ? 'Ils attendent' : 'Il attend'} 30 jours dans la corbeille, d’où l’on peut{' '}
      {files > 1 ? 'les' : 'le'} rétablir. La ligne du journal, son coût et ses écritures restent. Un fichier
      approuvé, livré ou gardé n’est pas supprimé&nbsp;: retirez d’abord ce qui le garde.
    </ConfirmCall>
  );
}
