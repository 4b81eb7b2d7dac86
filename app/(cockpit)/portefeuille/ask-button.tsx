'use client';
import { Send } from 'lucide';
import { useState } from 'react';
import { answerOf, sayRefusal } from '#app/_cockpit/act.ts';
import { Button } from '#app/_ui/action/button.tsx';
import { toast } from '#app/_ui/toast.ts';
import { askForCredit } from './actions.ts';

/** Asks the operator for more credit or a higher ceiling, once a day. */
export function AskButton({ waits }: { waits: boolean }) {
  const [pending, setPending] = useState(false);
  const ask = async () => {
    setPending(true);
    const state = await answerOf(askForCredit());
    setPending(false);
    // Without an answer, nobody knows whether it left.
    if (state?.status === 'refused') sayRefusal(state, 'La demande n’a pas abouti');
    if (state?.status === 'done')
      toast({
        title: 'Demande envoyée',
        description: 'L’exploitant du service a reçu un message.',
        tone: 'ok',
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
