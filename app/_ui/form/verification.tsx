'use client';
import { type ComponentType, createContext, type ReactNode, useContext, useState } from 'react';
import type { ActionState } from '#lib/http/actions/action-state.ts';

export type VerificationProps = { onEnd: (verified: boolean) => void };

/** The component that asks a signed-in member to verify their identity. The cockpit provides it; public pages have none. */
export const VerificationContext = createContext<ComponentType<VerificationProps> | null>(null);

/** Whether an action was refused until the member verifies their identity. */
function isAsked(state: ActionState): boolean {
  return state.status === 'refused' && state.code === 'verification_required';
}

/**
 * For callers of server actions: if `isNeeded(answer)`, await `ask()` outside any transition, and repeat the call if it returns true. `dialog` is
 * rendered inside the open dialog, if there is one, and outside any form.
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
