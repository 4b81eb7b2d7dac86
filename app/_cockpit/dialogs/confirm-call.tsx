'use client';
import { type ReactNode, type Ref, useState } from 'react';
import { Button, type ButtonVariant } from '#app/_ui/action/button.tsx';
import { useVerification } from '#app/_ui/form/verification.tsx';
import type { IconDrawing } from '#app/_ui/icon.tsx';
import { Confirm, preloadDialog } from '#app/_ui/overlay/dialog.tsx';
import { toast } from '#app/_ui/toast.ts';
import { useRefresh } from '#app/_ui/use-refresh.ts';
import type { ActionState } from '#lib/http/actions/action-state.ts';
import { answerOf, sayRefusal } from '../act.ts';

type Props = {
  /** The verb on the button, and in the dialog unless `confirm` is given: « Révoquer la clé ». */
  label: string;
  /** Follows the verb in the accessible name, to tell similar buttons apart: « Révoquer « Site » ». */
  about?: string;
  confirm?: string;
  /** `focusBeside`, for a button that disappears with its row. */
  ref?: Ref<HTMLButtonElement>;
  title: string;
  /** What will happen, and what cannot be undone. */
  children: ReactNode;
  call: () => Promise<ActionState>;
  variant?: ButtonVariant;
  tone?: 'danger' | 'primary';
  icon?: IconDrawing;
};

/** A button that asks for confirmation, acts, and says the outcome in a toast. It asks for a verification of the identity if the action needs one. */
export function ConfirmCall({
  label,
  about,
  confirm,
  title,
  children,
  call,
  variant = 'quiet',
  tone,
  icon,
  ref,
}: Props) {
  const refresh = useRefresh();
  const [open, setOpen] = useState(false);
  const verification = useVerification();
  const run = async (): Promise<void> => {
    const state = await answerOf(call());
    if (!state) return;
    if (verification.isNeeded(state) && (await verification.ask())) return run();
    if (state.status === 'refused') sayRefusal(state);
    else if (state.status === 'done' && state.message) toast({ title: state.message, tone: 'ok' });
    refresh();
  };
  return (
    <>
      <Button
        ref={ref}
        size="sm"
        variant={variant}
        {...(icon ? { icon } : {})}
        aria-label={about && `${label} ${about}`}
        aria-haspopup="dialog"
        onPointerEnter={preloadDialog}
        onFocus={preloadDialog}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      <Confirm
        open={open}
        onOpenChange={setOpen}
        title={title}
        confirm={confirm ?? label}
        {...(tone ? { tone } : {})}
        onConfirm={run}
      >
        {children}
        {verification.dialog}
      </Confirm>
    </>
  );
}
