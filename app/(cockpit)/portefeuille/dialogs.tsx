'use client';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { editableUsd } from '#app/_cockpit/money.ts';
import { Button } from '#app/_ui/action/button.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Form, SubmitButton } from '#app/_ui/form/form.tsx';
import { Input, Textarea } from '#app/_ui/form/input.tsx';
import { usd } from '#app/_ui/format.ts';
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
        Plafonds<span className="sr-only"> de {member.name}</span>
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
        title={`Plafonds de ${member.name}`}
        description="Une demande qui les dépasse est refusée avant tout appel ; rien n’est débité."
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
              hint="Débité plus retenu, en mois UTC. Vide : aucun."
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
  const micros = typedMicros(amount);
  return (
    <Form action={giveCredit} onDone={onDone}>
      <input type="hidden" name="memberId" value={member.memberId} />
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
        {confirming && micros !== null ? (
          <p role="status" className="rounded-md bg-warn-soft px-3.5 py-2.5 text-sm">
            Le solde passera de <b className="whitespace-nowrap">{usd(member.balanceMicros)}</b> à{' '}
            <b className="whitespace-nowrap">{usd(member.balanceMicros + micros)}</b>. La ligne ne pourra être
            ni modifiée ni effacée.
          </p>
        ) : null}
        <div className="flex justify-end gap-2">
          <Button onClick={onDone}>Annuler</Button>
          {confirming && micros !== null ? (
            <SubmitButton>Accorder {usd(micros)}</SubmitButton>
          ) : micros === null ? (
            <SubmitButton>Vérifier</SubmitButton>
          ) : (
            <Button variant="primary" onClick={() => setConfirming(true)}>
              Vérifier
            </Button>
          )}
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
