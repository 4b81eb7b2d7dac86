'use client';
import { Plus } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { editableUsd } from '#app/_cockpit/money.ts';
import { Button } from '#app/_ui/action/button.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Form, SubmitButton } from '#app/_ui/form/form.tsx';
import { Input, Textarea } from '#app/_ui/form/input.tsx';
import { ofName, usd } from '#app/_ui/format.ts';
import { Dialog, preloadDialog } from '#app/_ui/overlay/dialog.tsx';
import { changeCaps, giveCredit } from './actions.ts';

export type WalletMember = {
  memberId: string;
  name: string;
  balanceMicros: bigint;
  availableMicros: bigint;
  perGenerationCapMicros: bigint | null;
  monthlyCapMicros: bigint | null;
};

/** A founder's two acts on a wallet: give credit (asked twice: the line stays for ever), set the caps. */
export function WalletDialogs({ member, small }: { member: WalletMember; small?: boolean }) {
  const [open, setOpen] = useState<'credit' | 'caps' | null>(null);
  const near = { onPointerEnter: preloadDialog, onFocus: preloadDialog, 'aria-haspopup': 'dialog' as const };
  const close = () => setOpen(null);
  return (
    <>
      <Button size={small ? 'sm' : 'md'} onClick={() => setOpen('caps')} {...near}>
        Plafonds<span className="sr-only"> {ofName(member.name)}</span>
      </Button>
      <Button
        variant={small ? 'secondary' : 'primary'}
        size={small ? 'sm' : 'md'}
        icon={Plus}
        onClick={() => setOpen('credit')}
        {...near}
      >
        {small ? 'Crédit' : 'Accorder un crédit'}
        {small ? <span className="sr-only"> à {member.name}</span> : null}
      </Button>
      <Dialog
        open={open === 'credit'}
        onOpenChange={(next) => setOpen(next ? 'credit' : null)}
        title={`Accorder un crédit à ${member.name}`}
        description={`Solde actuel\u00a0: ${usd(member.balanceMicros)}, dont ${usd(member.availableMicros)} disponibles.`}
      >
        <CreditForm member={member} onDone={close} />
      </Dialog>
      <Dialog
        open={open === 'caps'}
        onOpenChange={(next) => setOpen(next ? 'caps' : null)}
        title={`Plafonds ${ofName(member.name)}`}
        description="Une demande qui les dépasse est refusée avant tout appel&nbsp;; rien n’est débité."
      >
        <Form action={changeCaps} onDone={close}>
          <input type="hidden" name="memberId" value={member.memberId} />
          <div className="space-y-4">
            <Field
              label="Par génération, en $US"
              name="perGenerationUsd"
              hint="Laissez vide pour n’en mettre aucun."
            >
              <Input mono inputMode="decimal" defaultValue={editableUsd(member.perGenerationCapMicros)} />
            </Field>
            <Field
              label="Par mois, en $US"
              name="monthlyUsd"
              hint="Débité plus retenu, en mois UTC. Vide&nbsp;: aucun."
            >
              <Input mono inputMode="decimal" defaultValue={editableUsd(member.monthlyCapMicros)} />
            </Field>
            <div className="flex justify-end gap-2">
              <Button onClick={close}>Annuler</Button>
              <SubmitButton>Enregistrer les plafonds</SubmitButton>
            </div>
          </div>
        </Form>
      </Dialog>
    </>
  );
}

function CreditForm({ member, onDone }: { member: WalletMember; onDone: () => void }) {
  const [amount, setAmount] = useState('');
  const [confirming, setConfirming] = useState(false);
  const grant = useRef<HTMLButtonElement>(null);
  const [key] = useState(() => crypto.randomUUID());
  const micros = typedMicros(amount);
  const asked = confirming && micros !== null;
  // The first press or Enter only shows what would happen; an amount that cannot be read goes to the server, which says why.
  const look = () => {
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
    <Form action={giveCredit} onDone={onDone} holdBack={look} onKeyDown={keys}>
      <input type="hidden" name="memberId" value={member.memberId} />
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
        <Field label="Note" name="note" optional hint="Elle figure sur le relevé du membre.">
          <Textarea rows={2} maxLength={200} counter placeholder="Campagne d’hiver" />
        </Field>
        {asked ? (
          <p role="status" className="rounded-md bg-warn-soft px-3.5 py-2.5 text-sm">
            Le solde passera de <b className="whitespace-nowrap">{usd(member.balanceMicros)}</b> à{' '}
            <b className="whitespace-nowrap">{usd(member.balanceMicros + micros)}</b>. La ligne ne pourra être
            ni modifiée ni effacée.
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
