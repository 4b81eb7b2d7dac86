'use client';
import { useEffect } from 'react';
import { ConfirmCall } from '#app/_cockpit/dialogs/confirm-call.tsx';
import { focusBeside } from '#app/_cockpit/focus/focus-beside.ts';
import { Button } from '#app/_ui/action/button.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Form, SubmitButton } from '#app/_ui/form/form.tsx';
import { Input } from '#app/_ui/form/input.tsx';
import { DialogButton } from '#app/_ui/overlay/dialog.tsx';
import { pollEvery } from '#app/_ui/poll-every.ts';
import { useRefresh } from '#app/_ui/use-refresh.ts';
import { closeAccount, exportAccount, reopenAccount } from './actions.ts';

const ASK_EVERY_MS = 2_000;

export function ExportAccount() {
  return (
    <ConfirmCall
      ref={focusBeside}
      label="Exporter le compte"
      confirm="Préparer l’export"
      title="Exporter le compte entier&nbsp;?"
      variant="secondary"
      tone="primary"
      call={() => exportAccount({})}
    >
      <p>
        Le zip contient tous les textes et tous les fichiers du compte, les adresses des membres et l’audit.
        Gardez-le en lieu sûr.
      </p>
    </ConfirmCall>
  );
}

/** Refreshes the page while an export is being made and the page is visible. */
export function Follow() {
  const refresh = useRefresh();
  useEffect(() => pollEvery(ASK_EVERY_MS, refresh), [refresh]);
  return null;
}

export function CloseAccount({ name }: { name: string }) {
  return (
    <span ref={focusBeside}>
      <DialogButton
        label="Fermer le compte"
        variant="danger"
        title="Fermer le compte&nbsp;?"
        description="Dès maintenant, plus rien n’y changera. Dans 30 jours, tout sera effacé."
      >
        {(close) => (
          <Form action={closeAccount} onDone={close} className="flex flex-col gap-4">
            <p>
              Les clés et les applications ne pourront plus que lire. Un fondateur peut rouvrir le compte
              d’ici là.
            </p>
            <Field label={`Pour confirmer, tapez ${name}`} name="name" required>
              <Input autoComplete="off" autoCapitalize="off" spellCheck={false} />
            </Field>
            <div className="mt-2 flex flex-wrap justify-end gap-2">
              <Button onClick={close}>Annuler</Button>
              <SubmitButton variant="danger">Fermer le compte</SubmitButton>
            </div>
          </Form>
        )}
      </DialogButton>
    </span>
  );
}

export function Reopen() {
  return (
    <ConfirmCall
      ref={focusBeside}
      label="Rouvrir"
      confirm="Rouvrir le compte"
      title="Rouvrir le compte&nbsp;?"
      variant="secondary"
      tone="primary"
      call={() => reopenAccount({})}
    >
      <p>
        Tout redevient comme avant la fermeture&nbsp;: membres, clés et applications retrouvent leurs droits.
      </p>
    </ConfirmCall>
  );
}
