'use client';
import { RefreshCw, Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { ConfirmCall } from '#app/_cockpit/dialogs/confirm-call.tsx';
import { deleteRender } from '#app/_studio/journal/actions.ts';
import { Button } from '#app/_ui/action/button.tsx';
import { failureOf } from '#app/_ui/api-error.ts';
import { toast } from '#app/_ui/toast.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';
import { post } from '../journal/api.ts';

/** Starts a render that did not succeed again, under the same request; goes to the new row. */
export function Relaunch({ generationId }: { generationId: string }) {
  const router = useRouter();
  const [pending, setPending] = useState(false);
  // One key for every press: a lost answer never starts two renders.
  const [key] = useState(() => crypto.randomUUID());
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
      // The header's balance holds this render now.
      router.refresh();
    } catch (error) {
      const { message, requestId } = failureOf(error, 'Le rendu n’a pas pu être relancé.');
      toast({ title: message, tone: 'fail', requestId });
      setPending(false);
    }
  };
  return (
    <Button variant="primary" icon={RefreshCw} pending={pending} onClick={run}>
      Relancer ce rendu
    </Button>
  );
}

/** Deletes the files of a row, after asking. */
export function DeleteFiles({ generationId, files }: { generationId: string; files: number }) {
  return (
    <ConfirmCall
      label={files > 1 ? 'Supprimer les fichiers' : 'Supprimer le fichier'}
      title={files > 1 ? `Supprimer ces ${files} fichiers\u00a0?` : 'Supprimer ce fichier\u00a0?'}
      icon={Trash2}
      call={() => deleteRender({ generationId })}
    >
      La suppression est définitive. La ligne du journal, son coût et ses écritures restent. Un fichier
      approuvé, livré ou gardé n’est pas supprimé&nbsp;: retirez d’abord ce qui le garde.
    </ConfirmCall>
  );
}
