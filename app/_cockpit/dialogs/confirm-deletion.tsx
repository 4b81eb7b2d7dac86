'use client';
import { type ReactNode, useState } from 'react';
import { IconButton } from '#app/_ui/action/icon-button.tsx';
import { useVerification } from '#app/_ui/form/verification.tsx';
import type { IconDrawing } from '#app/_ui/icon.tsx';
import { Confirm, preloadDialog } from '#app/_ui/overlay/dialog.tsx';
import { toast, type Undo } from '#app/_ui/toast.ts';
import { useRefresh } from '#app/_ui/use-refresh.ts';
import type { ActionState } from '#lib/http/actions/action-state.ts';
import { answerOf, sayRefusal } from '../act.ts';
import { focusBeside } from '../focus/focus-beside.ts';

type Props = {
  icon: IconDrawing;
  /** The accessible name and tooltip of the button. */
  label: string;
  title: string;
  /** The verb on the button of the dialog. */
  confirm: string;
  /** What will happen, and what cannot be undone. */
  children: ReactNode;
  call: () => Promise<ActionState>;
  /** The toast after a success. */
  done: { title: string; description: string; undo?: Undo };
  /** The title above the reason of a refusal. */
  refused?: string;
};

/**
 * A small button that asks for confirmation before it removes something, then says the outcome in a toast. It disappears with what it removed: the
 * focus moves to an element beside it.
 */
export function ConfirmDeletion({ icon, label, title, confirm, children, call, done, refused }: Props) {
  const [open, setOpen] = useState(false);
  const refresh = useRefresh();
  const verification = useVerification();
  const remove = async (): Promise<void> => {
    const state = await answerOf(call());
    if (state && verification.isNeeded(state) && (await verification.ask())) return remove();
    if (state?.status === 'done') toast({ ...done, tone: 'ok' });
    else if (state?.status === 'refused') {
      sayRefusal(state, refused);
      // The item may be gone, or no longer belong to the member: the page is read again.
      refresh();
    }
  };
  return (
    <>
      <IconButton
        ref={focusBeside}
        icon={icon}
        label={label}
        aria-haspopup="dialog"
        onPointerEnter={preloadDialog}
        onFocus={preloadDialog}
        onClick={() => setOpen(true)}
        className="relative"
      />
      <Confirm open={open} onOpenChange={setOpen} title={title} confirm={confirm} onConfirm={remove}>
        {children}
        {verification.dialog}
      </Confirm>
    </>
  );
}
