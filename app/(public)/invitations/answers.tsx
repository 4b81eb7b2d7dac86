'use client';
import { useRouter } from 'next/navigation';
import { useTransition } from 'react';
import { act } from '#app/_cockpit/act.ts';
import { ConfirmCall } from '#app/_cockpit/dialogs/confirm-call.tsx';
import { Button } from '#app/_ui/action/button.tsx';
import { ofName } from '#app/_ui/format.ts';
import { accept, decline } from './actions.ts';

/** The two answers to one invitation. */
export function Answers({ memberId, accountName }: { memberId: string; accountName: string }) {
  const [pending, start] = useTransition();
  const router = useRouter();
  const join = () =>
    start(async () => {
      if (await act(accept({ memberId }))) window.location.assign('/espaces');
      else router.refresh();
    });
  return (
    <div className="flex flex-wrap gap-2">
      <Button variant="primary" pending={pending} onClick={join}>
        Rejoindre {accountName}
      </Button>
      <ConfirmCall
        label="Refuser"
        confirm="Refuser l’invitation"
        title={`Refuser l’invitation ${ofName(accountName)}\u00a0?`}
        call={() => decline({ memberId })}
      >
        <p>Votre adresse n’est plus gardée dans ce compte. Il pourra vous inviter de nouveau.</p>
      </ConfirmCall>
    </div>
  );
}
