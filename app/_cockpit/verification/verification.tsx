'use client';
import type { ReactNode } from 'react';
import { VerificationContext } from '#app/_ui/form/verification.tsx';
import { lazyPart } from '#app/_ui/lazy-part.ts';

const VerificationDialog = lazyPart(
  () => import('./dialog.tsx'),
  null,
  ({ onEnd }) => onEnd(false),
);

/** Provides the pages inside it with the dialog that verifies the member before a sensitive action. */
export function Verification({ children }: { children: ReactNode }) {
  return <VerificationContext value={VerificationDialog}>{children}</VerificationContext>;
}
