'use client';
import { Send } from 'lucide';
import { useState } from 'react';
import { Button } from '#app/_ui/action/button.tsx';
import { toast } from '#app/_ui/toast.ts';
import { askForCredit } from './actions.ts';

/** Asks the operator for more credit or a higher ceiling, once a day. */
export function AskButton({ waits }: { waits: boolean }) {
  const [pending, setPending] = useState(false);
  const ask = async () => {
    setPending(true);
    const state = await askForCredit().catch(() => null);
    setPending(false);
    if (state?.status === 'done')
      return toast({
        title: 'Demande envoyée',
        description: 'L’exploitant du service a reçu un message.',
        tone: 'ok',
      });
    toast({
      title: 'La demande n’est pas partie',
      description: state?.status === 'refused' ? state.message : 'Réessayez dans un instant.',
      tone: 'fail',
      requestId: state?.status === 'refused' ? state.requestId : undefined,
    });
  };
  return (
    <Button
      icon={Send}
      pending={pending}
      // Never disabled: it would lose the focus of who has just asked.
      aria-disabled={pending || waits || undefined}
      onClick={waits ? undefined : ask}
    >
      Demander davantage
    </Button>
  );
}
