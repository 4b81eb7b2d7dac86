'use client';
import type { ReactNode } from 'react';
import { VerificationContext } from '#app/_ui/form/verification.tsx';
import { lazyPart } from '#app/_ui/lazy-part.ts';

const VerificationDialog = lazyPart(
  () => import('./dialog.tsx'),
  null,
  ({ onEnd }) => onEnd(false),
);

/** Gives the pages inside what asks, before a grave action, for a proof that it is them. */
export function Verification({ children }: { children: ReactNode }) {
  return <VerificationContext value={VerificationDialog}>{children}</VerificationContext>;
}
