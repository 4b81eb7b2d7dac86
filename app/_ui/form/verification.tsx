'use client';
import { type ComponentType, createContext, type ReactNode, useContext, useState } from 'react';
import type { ActionState } from '#lib/http/actions/action-state.ts';

export type VerificationProps = { onEnd: (verified: boolean) => void };

/** What asks somebody signed in to prove that it is them; the cockpit gives it, public pages have none. */
export const VerificationContext = createContext<ComponentType<VerificationProps> | null>(null);

/** Whether an action refused to go on until it is proved who is there. */
function isAsked(state: ActionState): boolean {
  return state.status === 'refused' && state.code === 'verification_required';
}

/**
 * For whatever calls server actions: `isNeeded(answer)`, then `await ask()` outside of any transition, and the same call again when it
 * gives true. `dialog` is drawn inside the dialog that is open, if one is, and outside of any form.
 */
export function useVerification(): {
  isNeeded: (state: ActionState) => boolean;
  ask: () => Promise<boolean>;
  dialog: ReactNode;
} {
  const Part = useContext(VerificationContext);
  const [end, setEnd] = useState<{ run: (verified: boolean) => void } | null>(null);
  return {
    isNeeded: (state) => Part !== null && isAsked(state),
    ask: () =>
      new Promise((resolve) => {
        setEnd({
          run: (verified) => {
            setEnd(null);
            resolve(verified);
          },
        });
      }),
    dialog: Part && end ? <Part onEnd={end.run} /> : null,
  };
}
