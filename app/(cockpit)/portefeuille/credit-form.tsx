'use client';
import { type KeyboardEvent, useRef, useState } from 'react';
import { Button } from '#app/_ui/action/button.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Form, SubmitButton } from '#app/_ui/form/form.tsx';
import { Input, Textarea } from '#app/_ui/form/input.tsx';
import { usd } from '#app/_ui/format.ts';
import { newKey } from '#app/_ui/new-key.ts';
import type { FormAction } from '#lib/http/actions/action-state.ts';

type CreditFormProps = {
  action: FormAction<never>;
  /** The hidden field that names the receiver; `id` is its value. */
  field: 'memberId' | 'accountId';
  id: string;
  balanceMicros: bigint;
  /** The name of the balance that changes, at the start of a sentence: « Le solde ». */
  what: string;
  /** The largest amount that may be given, in micro-dollars; null for the operator, who has no limit. */
  availableMicros: bigint | null;
  noteHint: string;
  onDone: () => void;
};

/** Gives credit. The first press shows the resulting balance, the second one confirms: the ledger line cannot be removed. */
export function CreditForm({
  action,
  field,
  id,
  balanceMicros,
  what,
  availableMicros,
  noteHint,
  onDone,
}: CreditFormProps) {
  const [amount, setAmount] = useState('');
  const [confirming, setConfirming] = useState(false);
  const grant = useRef<HTMLButtonElement>(null);
  const [key] = useState(newKey);
  const micros = typedMicros(amount);
  const isTooMuch = micros !== null && availableMicros !== null && micros > availableMicros;
  const asked = confirming && micros !== null && !isTooMuch;
  // The first press or Enter only shows the result. An amount that cannot be parsed is sent: the server names the problem.
  const review = () => {
    if (asked || micros === null) return false;
    setConfirming(true);
    return true;
  };
  // Enter held down, or pressed again in a field, does not confirm: it moves the focus to the button that shows the amount.
  const keys = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.target instanceof HTMLTextAreaElement) return;
    if (event.repeat) event.preventDefault();
    else if (asked && event.target instanceof HTMLInputElement) {
      event.preventDefault();
      grant.current?.focus();
    }
  };
  return (
    <Form action={action} onDone={onDone} holdBack={review} onKeyDown={keys}>
      <input type="hidden" name={field} value={id} />
      <input type="hidden" name="key" value={key} />
      {asked ? <input type="hidden" name="confirmed" value={String(micros)} /> : null}
      <div className="space-y-4">
        <Field label="Montant, en $US" name="amountUsd" required>
          <Input
            mono
            inputMode="decimal"
            autoComplete="off"
            placeholder="25"
            value={amount}
            onChange={(event) => {
              setAmount(event.currentTarget.value);
              setConfirming(false);
            }}
          />
        </Field>
        <Field label="Note" name="note" optional hint={noteHint}>
          <Textarea rows={2} maxLength={200} counter placeholder="Campagne d’hiver" />
        </Field>
        {/* Rendered before it has content: a live region added together with its text is not always announced. */}
        <div role="status" className="empty:mb-0">
          {asked ? (
            <p className="rounded-md bg-warn-soft px-3.5 py-2.5 text-sm">
              {what} passera de <b className="whitespace-nowrap">{usd(balanceMicros)}</b> à{' '}
              <b className="whitespace-nowrap">{usd(balanceMicros + micros)}</b>. La ligne ne pourra être ni
              modifiée ni effacée.
            </p>
          ) : null}
        </div>
        {confirming && isTooMuch ? (
          <p role="alert" className="rounded-md bg-fail-soft px-3.5 py-2.5 text-sm">
            Le compte n’a que <b className="whitespace-nowrap">{usd(availableMicros)}</b> à répartir&nbsp;:
            accordez moins, ou demandez davantage à l’exploitant du service.
          </p>
        ) : null}
        <div className="flex justify-end gap-2">
          <Button onClick={onDone}>Annuler</Button>
          <SubmitButton
            ref={grant}
            // The second click of a double click on « Vérifier » is not a confirmation.
            onClick={(event) => {
              if (event.detail > 1) event.preventDefault();
            }}
          >
            {asked ? `Accorder ${usd(micros)}` : 'Vérifier'}
          </SubmitButton>
        </div>
      </div>
    </Form>
  );
}

/** The typed amount in micro-dollars; null if it is not an amount above zero. The server parses it again. */
function typedMicros(text: string): bigint | null {
  const match = /^(\d{1,9})(?:[.,](\d{1,6}))?$/.exec(text.replace(/\s|\$\s?US|\$/gi, ''));
  if (!match) return null;
  const micros = BigInt(match[1] ?? '0') * 1_000_000n + BigInt((match[2] ?? '').padEnd(6, '0'));
  return micros > 0n ? micros : null;
}
