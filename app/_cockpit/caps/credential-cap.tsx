'use client';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { AmountField } from '#app/_ui/form/amount-field.tsx';
import { Form, FormFoot } from '#app/_ui/form/form.tsx';
import { ShownInput } from '#app/_ui/form/shown-input.tsx';
import { ofName } from '#app/_ui/format.ts';
import { DialogButton } from '#app/_ui/overlay/dialog.tsx';
import { shownAs } from '#lib/core/input/shown-as.ts';
import { editableUsd } from '../money.ts';

type CapDialogProps = {
  /** The name of the key or the application. */
  name: string;
  monthlyCapMicros: bigint;
  action: ComponentProps<typeof Form>['action'];
  /** The hidden fields that identify the key or the application. */
  children: ReactNode;
};

/** Changes the monthly cap of a key or an application. */
export function CapDialog({ name, monthlyCapMicros, action, children }: CapDialogProps) {
  return (
    <DialogButton
      label={
        <>
          Plafond<span className="sr-only"> {ofName(name)}</span>
        </>
      }
      variant="quiet"
      size="sm"
      title={`Plafond de «\u00a0${name}\u00a0»`}
      description="Une demande qui le dépasse est refusée avant tout appel&nbsp;; ce qui est en cours se termine."
    >
      {(close) => <CapForm {...{ monthlyCapMicros, action, close }}>{children}</CapForm>}
    </DialogButton>
  );
}

type CapFormProps = Omit<CapDialogProps, 'name'> & { close: () => void };

function CapForm({ monthlyCapMicros, action, close, children }: CapFormProps) {
  // As the dialog opened: the page behind it may be read again.
  const [shown] = useState(monthlyCapMicros);
  return (
    <Form action={action} onDone={close} className="space-y-4">
      {children}
      <ShownInput shown={{ monthlyCapMicros: shownAs(shown) }} />
      <AmountField
        label="Par mois, en $US"
        name="monthlyCapMicros"
        hint="Débité plus retenu, en mois UTC. 0 ne laisse rien passer."
        value={editableUsd(shown)}
      />
      <FormFoot close={close} label="Enregistrer le plafond" />
    </Form>
  );
}
