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
  /** Who receives: the name of the hidden field, and its value. */
  field: 'memberId' | 'accountId';
  id: string;
  balanceMicros: bigint;
  /** « Le solde », « Ce qu’il reste à répartir »: what passes from one amount to the other. */
  what: string;
  /** What may be given at most, in micro-dollars; null when nothing but the operator's own decision limits it. */
  availableMicros: bigint | null;
  noteHint: string;
  onDone: () => void;
};

/** An amount of credit, asked twice: its line stays for ever. */
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
  // The first press or Enter only shows what would happen; an amount that cannot be read goes to the server, which says why.
  const review = () => {
    if (asked || micros === null) return false;
    setConfirming(true);
    return true;
  };
  // Enter held, or pressed again in the field, never grants: only the button that says the amount does.
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
        {/* There before its words: a region that comes with them is not always read out. */}
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
            // The second half of a double click on « Vérifier » falls on the same place.
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

/** What is typed, in micro-dollars, when it is an amount above zero; the server decides in the end. */
function typedMicros(text: string): bigint | null {
  const match = /^(\d{1,7})(?:[.,](\d{1,6}))?$/.exec(text.replace(/\s|\$\s?US|\$/gi, ''));
  if (!match) return null;
  const micros = BigInt(match[1] ?? '0') * 1_000_000n + BigInt((match[2] ?? '').padEnd(6, '0'));
  return micros > 0n ? micros : null;
}
