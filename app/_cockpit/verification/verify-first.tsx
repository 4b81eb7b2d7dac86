'use client';
import { useState } from 'react';
import { Button } from '#app/_ui/action/button.tsx';
import VerificationDialog from './dialog.tsx';

/** Shown instead of a button that needs a recent verification: verifies the member, then reloads the page with that button. */
export function VerifyFirst() {
  const [open, setOpen] = useState(false);
  const end = (verified: boolean) => {
    setOpen(false);
    if (verified) window.location.reload();
  };
  return (
    <>
      <Button variant="primary" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Confirmer que c’est vous
      </Button>
      {open ? <VerificationDialog onEnd={end} /> : null}
    </>
  );
}
