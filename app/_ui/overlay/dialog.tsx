'use client';
import { type ReactNode, useRef, useState } from 'react';
import { Button, type ButtonSize, type ButtonVariant } from '../action/button.tsx';
import { lazyPart, preload } from '../lazy-part.ts';
import type { Control } from '../use-asked.ts';
import type { PanelShape } from './panel.tsx';

const load = () => import('./panel.tsx');
const Panel = lazyPart(load, null, ({ onOpenChange }) => onOpenChange(false));

type PanelProps = {
  title: string;
  description?: ReactNode;
  children: ReactNode;
  /** The buttons of the footer, the safest first. */
  footer?: ReactNode;
  /** Can only be closed through its footer, because what it shows cannot be shown again. */
  locked?: boolean | undefined;
  /** Beside the title: the links to the former and the next item. */
  tools?: ReactNode;
};

type ControlledProps = PanelProps & { open: boolean; onOpenChange: (open: boolean) => void };

function Controlled({ open, shape, ...rest }: ControlledProps & { shape: PanelShape }) {
  const [wanted, setWanted] = useState(open);
  if (open && !wanted) setWanted(true);
  if (!wanted) return null;
  return <Panel open={open} shape={shape} {...rest} />;
}

/** A short task above the page. Escape, a press outside and « Fermer » close it; the focus returns to where it was. */
export function Dialog({ wide, ...props }: ControlledProps & { wide?: boolean }) {
  return <Controlled shape={wide ? 'wide' : 'dialog'} {...props} />;
}

/**
 * A panel at the side of a wide screen, at the bottom of a phone: the detail of a row, without leaving the list. `beside`: from 1024 pixels on, the
 * list stays usable beside it.
 */
export function Sheet({ beside, ...props }: ControlledProps & { beside?: boolean }) {
  return <Controlled shape={beside ? 'beside' : 'sheet'} {...props} />;
}

/** Loads the code of dialogs ahead of a likely opening (hover, focus). */
export function preloadDialog(): void {
  preload(load);
}

type DialogButtonProps = Omit<PanelProps, 'children'> & {
  /** Label of the button. */
  label: ReactNode;
  variant?: ButtonVariant;
  size?: ButtonSize;
  icon?: Parameters<typeof Button>[0]['icon'];
  shape?: PanelShape;
  /** The state of the dialog, if the button is not the only thing that opens or closes it. */
  control?: Control;
  /** The content, or a function that gets a function to close the dialog. */
  children: ReactNode | ((close: () => void) => ReactNode);
};

/** A button and the dialog that it opens. */
export function DialogButton({
  label,
  variant,
  size,
  icon,
  shape = 'dialog',
  control,
  children,
  ...panel
}: DialogButtonProps) {
  const own = useState(false);
  const [open, setOpen] = control ?? own;
  const change = useRef<(open: boolean) => void>(setOpen);
  change.current = setOpen;
  const close = useRef(() => change.current(false));
  return (
    <>
      <Button
        {...(variant ? { variant } : {})}
        {...(size ? { size } : {})}
        {...(icon ? { icon } : {})}
        aria-haspopup="dialog"
        onPointerEnter={preloadDialog}
        onFocus={preloadDialog}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      <Controlled open={open} onOpenChange={setOpen} shape={shape} {...panel}>
        {typeof children === 'function' ? children(close.current) : children}
      </Controlled>
    </>
  );
}

type ConfirmProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** What will happen, and what cannot be undone. */
  children: ReactNode;
  /** The label of the button, a verb: « Révoquer la clé ». */
  confirm: string;
  tone?: 'danger' | 'primary';
  onConfirm: () => void | Promise<void>;
};

/** Asks for confirmation before what cannot be undone; the label of the button is the verb. What can be undone gets a toast with an undo instead. */
export function Confirm({
  confirm,
  tone = 'danger',
  onConfirm,
  onOpenChange,
  children,
  ...rest
}: ConfirmProps) {
  const [pending, setPending] = useState(false);
  const run = async () => {
    setPending(true);
    try {
      await onConfirm();
      onOpenChange(false);
    } finally {
      setPending(false);
    }
  };
  return (
    <Dialog
      {...rest}
      onOpenChange={onOpenChange}
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>Annuler</Button>
          <Button variant={tone} pending={pending} onClick={run}>
            {confirm}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
