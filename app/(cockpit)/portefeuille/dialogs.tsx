'use client';
import { Plus } from 'lucide';
import { editableUsd } from '#app/_cockpit/money.ts';
import { ofName, usd, usdThat } from '#app/_ui/format.ts';
import { DialogButton } from '#app/_ui/overlay/dialog.tsx';
import { changeCaps, giveCredit } from './actions.ts';
import { CreditForm } from './credit-form.tsx';
import { LimitsDialog } from './limits-dialog.tsx';

type WalletMember = {
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
  /** The credit that the account has left to distribute; null for the operator's account, which has no such limit. */
  toShareMicros: bigint | null;
};

/** A founder's dialogs for a member's wallet: set its caps, and give credit, whose amount must be confirmed. */
export function WalletDialogs({ member, small, toShareMicros }: WalletDialogsProps) {
  return (
    <>
      <LimitsDialog
        label="Plafonds"
        whose={ofName(member.name)}
        size={small ? 'sm' : 'md'}
        description="Une demande qui les dépasse est refusée avant tout appel&nbsp;; rien n’est débité."
        action={changeCaps}
        field="memberId"
        id={member.memberId}
        amounts={[
          {
            label: 'Par génération, en $US',
            name: 'perGenerationUsd',
            hint: 'Laissez vide pour n’en mettre aucun.',
            value: editableUsd(member.perGenerationCapMicros),
            stands: member.perGenerationCapMicros,
          },
          {
            label: 'Par mois, en $US',
            name: 'monthlyUsd',
            hint: 'Débité plus retenu, en mois UTC. Vide\u00a0: aucun.',
            value: editableUsd(member.monthlyCapMicros),
            stands: member.monthlyCapMicros,
          },
        ]}
      />
      <DialogButton
        label={
          small ? (
            <>
              Crédit<span className="sr-only"> à {member.name}</span>
            </>
          ) : (
            'Accorder un crédit'
          )
        }
        variant={small ? 'secondary' : 'primary'}
        size={small ? 'sm' : 'md'}
        icon={Plus}
        title={`Accorder un crédit à ${member.name}`}
        description={`Solde actuel\u00a0: ${usd(member.balanceMicros)}, dont ${usdThat(member.availableMicros, 'disponible')}.${toShareMicros === null ? '' : ` Le compte a ${usd(toShareMicros)} à répartir.`}`}
      >
        {(close) => (
          <CreditForm
            action={giveCredit}
            field="memberId"
            id={member.memberId}
            balanceMicros={member.balanceMicros}
            what="Le solde"
            availableMicros={toShareMicros}
            noteHint="Elle figure sur le relevé du membre."
            onDone={close}
          />
        )}
      </DialogButton>
    </>
  );
}
