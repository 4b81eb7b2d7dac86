'use client';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { editableUsd } from '#app/_cockpit/money.ts';
import { Button } from '#app/_ui/action/button.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Form, SubmitButton } from '#app/_ui/form/form.tsx';
import { Input } from '#app/_ui/form/input.tsx';
import { ofName, usd } from '#app/_ui/format.ts';
import { Dialog, preloadDialog } from '#app/_ui/overlay/dialog.tsx';
import { changeCaps, giveCredit } from './actions.ts';
import { CreditForm } from './credit-form.tsx';

export type WalletMember = {
  memberId: string;
  name: string;
  balanceMicros: bigint;
  availableMicros: bigint;
  perGenerationCapMicros: bigint | null;
  monthlyCapMicros: bigint | null;
};

type WalletDialogsProps = {
  member: WalletMember;
  small?: boolean;
  /** What the account has left to share out; null where credit has no such limit (the operator's own account). */
  toShareMicros: bigint | null;
};

/** A founder's two acts on a wallet: give credit (asked twice: the line stays for ever), set the caps. */
export function WalletDialogs({ member, small, toShareMicros }: WalletDialogsProps) {
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
        description={`Solde actuel\u00a0: ${usd(member.balanceMicros)}, dont ${usd(member.availableMicros)} disponibles.${toShareMicros === null ? '' : ` Le compte a ${usd(toShareMicros)} à répartir.`}`}
      >
        <CreditForm
          action={giveCredit}
          field="memberId"
          id={member.memberId}
          balanceMicros={member.balanceMicros}
          what="Le solde"
          noteHint="Elle figure sur le relevé du membre."
          onDone={close}
        />
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
