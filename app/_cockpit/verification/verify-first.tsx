'use client';
import { useState } from 'react';
import { Button } from '#app/_ui/action/button.tsx';
import VerificationDialog from './dialog.tsx';

/** In the place of a button that asks for a recent proof: gives it, then draws the page again with that button. */
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
