'use client';
import { useState } from 'react';
import { onlyChanged } from '#app/_cockpit/only-changed.ts';
import { AmountField } from '#app/_ui/form/amount-field.tsx';
import { Form, FormFoot } from '#app/_ui/form/form.tsx';
import { DialogButton } from '#app/_ui/overlay/dialog.tsx';
import { type ShownValue, shownAs } from '#lib/core/input/shown-as.ts';
import type { FormAction } from '#lib/http/actions/action-state.ts';

type LimitsDialogProps = {
  /** The name of the limits, as « Plafonds », and their owner, as « d’Agnès ». */
  label: string;
  whose: string;
  description: string;
  size?: 'sm' | 'md';
  action: FormAction;
  /** The hidden field that names the owner; `id` is its value. */
  field: 'memberId' | 'accountId';
  id: string;
  /** The limits; an empty text means none. `stands` is the exact stored value, of which `value` may be a rounded text. */
  amounts: readonly { label: string; name: string; hint: string; value: string; stands: ShownValue }[];
};

/** A button and the dialog that changes the limits of a member or an account. Only changed fields are sent. */
export function LimitsDialog({
  label,
  whose,
  description,
  size = 'sm',
  action,
  field,
  id,
  amounts,
}: LimitsDialogProps) {
  return (
    <DialogButton
      label={
        <>
          {label}
          <span className="sr-only"> {whose}</span>
        </>
      }
      size={size}
      title={`${label} ${whose}`}
      description={description}
    >
      {(close) => <LimitsForm {...{ label, action, field, id, amounts }} close={close} />}
    </DialogButton>
  );
}

type LimitsFormProps = Pick<LimitsDialogProps, 'label' | 'action' | 'field' | 'id' | 'amounts'> & {
  close: () => void;
};

function LimitsForm({ label, action, field, id, amounts, close }: LimitsFormProps) {
  // The initial values: the page may be refreshed while the dialog is open.
  const [shown] = useState(amounts);
  const texts = Object.fromEntries(shown.map(({ name, value }) => [name, value]));
  const stood = Object.fromEntries(shown.map(({ name, stands }) => [name, shownAs(stands)]));
  return (
    <Form action={onlyChanged(action, texts, stood)} onDone={close} className="space-y-4">
      <input type="hidden" name={field} value={id} />
      {shown.map(({ stands: _, ...amount }) => (
        <AmountField key={amount.name} {...amount} />
      ))}
      <FormFoot close={close} label={`Enregistrer les ${label.toLowerCase()}`} />
    </Form>
  );
}
