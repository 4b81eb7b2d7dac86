'use client';
import { type FormEvent, useTransition } from 'react';
import { act } from '#app/_cockpit/act.ts';
import { ConfirmCall } from '#app/_cockpit/dialogs/confirm-call.tsx';
import { focusBeside } from '#app/_cockpit/focus/focus-beside.ts';
import { leave } from '#app/_cockpit/leave.ts';
import { signOut } from '#app/_cockpit/sign-out.ts';
import { Button } from '#app/_ui/action/button.tsx';
import { ofName } from '#app/_ui/format.ts';
import { useRefresh } from '#app/_ui/use-refresh.ts';
import { accept, decline, enter } from './actions.ts';

type Account = { memberId: string; accountName: string };

/** A name may be longer than a phone is wide. */
const NAMING = 'h-auto! min-h-9 max-w-full shrink wrap-anywhere whitespace-normal! py-1.5 text-left';

/** Calls what leads into an account, and goes there; what is refused reads the page again. */
function useEntering(call: typeof accept, memberId: string): [pending: boolean, go: () => void] {
  const [pending, start] = useTransition();
  const refresh = useRefresh();
  const go = () =>
    start(async () => {
      if (await act(call({ memberId }))) window.location.assign('/espaces');
      else refresh();
    });
  return [pending, go];
}

/** The two answers to one invitation. */
export function Answers({ memberId, accountName }: Account) {
  const [pending, join] = useEntering(accept, memberId);
  return (
    <div className="flex flex-wrap gap-2">
      <Button variant="primary" pending={pending} onClick={join} className={NAMING}>
        Rejoindre {accountName}
      </Button>
      <ConfirmCall
        ref={focusBeside}
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

/** The way into an account that one belongs to already. */
export function Enter({ memberId, accountName }: Account) {
  const [pending, go] = useEntering(enter, memberId);
  return (
    <Button pending={pending} onClick={go} className={NAMING}>
      Continuer sur {accountName}
    </Button>
  );
}

/** Ends the session here, and what this tab kept of the person's texts; without JavaScript, the session alone. */
export function SignOut() {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    leave(signOut);
  };
  return (
    <form action={signOut} onSubmit={submit}>
      <Button type="submit" variant="quiet" size="sm" className="-mx-2.5">
        Se déconnecter
      </Button>
    </form>
  );
}
