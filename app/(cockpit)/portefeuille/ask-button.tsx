'use client';
import { Send } from 'lucide';
import { useState } from 'react';
import { answerOf, sayRefusal } from '#app/_cockpit/act.ts';
import { Button } from '#app/_ui/action/button.tsx';
import { toast } from '#app/_ui/toast.ts';
import { askForCredit } from './actions.ts';

/** Asks the operator for more credit or a higher ceiling. `waits`: a request was sent less than a day ago, so that the button does nothing. */
export function AskButton({ waits }: { waits: boolean }) {
  const [pending, setPending] = useState(false);
  const ask = async () => {
    setPending(true);
    const state = await answerOf(askForCredit());
    setPending(false);
    // Null: the answer leads to another page, and there is nothing to show here.
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
      // Not `disabled`: the button would lose the focus right after it was pressed.
      aria-disabled={pending || waits || undefined}
      onClick={waits ? undefined : ask}
    >
      Demander davantage
    </Button>
  );
}
