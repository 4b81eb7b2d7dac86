'use client';
import { useState } from 'react';
import { answerOf, sayRefusal } from '#app/_cockpit/act.ts';
import { Button } from '#app/_ui/action/button.tsx';
import { CodeForm } from '#app/_ui/form/code-form.tsx';
import type { VerificationProps } from '#app/_ui/form/verification.tsx';
import { Dialog } from '#app/_ui/overlay/dialog.tsx';
import { mailCode, passkeyProofOptions, proveByCode, proveByPasskey } from './actions.ts';
import { browserRefusal, loadPasskeys, passkeyProblem } from './use-passkey.ts';

/** Asks for a passkey or a mailed code. `onEnd(true)`: verified, the action continues. */
export default function VerificationDialog({ onEnd }: VerificationProps) {
  const [pending, setPending] = useState<'code' | 'passkey' | null>(null);
  const [email, setEmail] = useState<string | null>(null);
  const [hasNone, setHasNone] = useState(false);

  const send = async () => {
    setPending('code');
    const state = await answerOf(mailCode({}));
    setPending(null);
    if (state?.status === 'done') setEmail(state.data?.email ?? '');
    else if (state?.status === 'refused') sayRefusal(state);
  };
  const touch = async () => {
    setPending('passkey');
    const verified = await touchPasskey(() => setHasNone(true));
    setPending(null);
    if (verified) onEnd(true);
  };

  return (
    <Dialog
      open
      onOpenChange={() => onEnd(false)}
      title="Confirmez que c’est bien vous"
      description="Cette action demande une preuve de moins de dix minutes. Elle se fera ensuite d’elle-même."
    >
      {email === null ? (
        <div className="flex flex-col gap-3">
          {hasNone ? (
            <p className="text-ink-soft">Vous n’avez pas de clé d’accès ici&nbsp;: demandez un code.</p>
          ) : (
            <Button
              variant="primary"
              className="h-11 w-full"
              pending={pending === 'passkey'}
              disabled={pending === 'code'}
              onClick={touch}
            >
              Utiliser une clé d’accès
            </Button>
          )}
          <Button
            className="h-11 w-full"
            pending={pending === 'code'}
            disabled={pending === 'passkey'}
            onClick={send}
          >
            Recevoir un code par e-mail
          </Button>
        </div>
      ) : (
        <>
          <p className="wrap-anywhere mb-4 text-ink-soft">
            Un code vient d’être envoyé à <strong className="font-medium text-ink">{email}</strong>. Il est
            valable dix minutes.
          </p>
          <CodeForm action={proveByCode} onDone={() => onEnd(true)} submit="Confirmer" />
        </>
      )}
    </Dialog>
  );
}

/** Whether a passkey verified the member; shows by itself what went wrong. `onNone`: the member has no passkey. */
async function touchPasskey(onNone: () => void): Promise<boolean> {
  const passkeys = loadPasskeys();
  const asked = await answerOf(passkeyProofOptions({}));
  if (asked?.status !== 'done') {
    if (asked?.status === 'refused') sayRefusal(asked);
    return false;
  }
  if (!asked.data) {
    onNone();
    return false;
  }
  try {
    const { startAuthentication } = await passkeys;
    const answer = await startAuthentication({ optionsJSON: asked.data });
    const proven = await answerOf(proveByPasskey({ answer: answer as never }));
    if (proven?.status === 'refused') sayRefusal(proven);
    return proven?.status === 'done';
  } catch (error) {
    const message = passkeyProblem(error);
    if (message) sayRefusal(browserRefusal(message));
    return false;
  }
}
