'use client';
import { type FormEvent, useId, useRef, useState } from 'react';
import { answerOf, sayRefusal } from '#app/_cockpit/act.ts';
import { ConfirmCall } from '#app/_cockpit/dialogs/confirm-call.tsx';
import { focusBeside } from '#app/_cockpit/focus/focus-beside.ts';
import { browserRefusal, loadPasskeys, passkeyProblem } from '#app/_cockpit/verification/use-passkey.ts';
import { Button } from '#app/_ui/action/button.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Input } from '#app/_ui/form/input.tsx';
import { useVerification } from '#app/_ui/form/verification.tsx';
import { Dialog } from '#app/_ui/overlay/dialog.tsx';
import { toast } from '#app/_ui/toast.ts';
import { useRefresh } from '#app/_ui/use-refresh.ts';
import { problemsOf } from '#lib/http/actions/action-state.ts';
import { deletePasskey, keepPasskey, startPasskey } from './actions.ts';

export function PasskeyEnd({ passkeyId, name }: { passkeyId: string; name: string }) {
  return (
    <ConfirmCall
      ref={focusBeside}
      label="Retirer"
      about={`«\u00a0${name}\u00a0»`}
      confirm="Retirer la clé d’accès"
      title={`Retirer «\u00a0${name}\u00a0»\u00a0?`}
      call={() => deletePasskey({ passkeyId })}
    >
      <p>
        Elle n’ouvrira plus Atelier. Vos sessions ouvertes le restent. Retirez-la aussi de votre appareil.
      </p>
    </ConfirmCall>
  );
}

/** Asks for the name of a passkey, then has the browser create it. */
export function AddPasskey({ suggestion }: { suggestion: string }) {
  const id = useId();
  const refresh = useRefresh();
  const verification = useVerification();
  const field = useRef<HTMLInputElement>(null);
  const [open, setOpen] = useState(false);
  const [pending, setPending] = useState(false);
  const [name, setName] = useState(suggestion);
  const [problem, setProblem] = useState('');

  const add = async (): Promise<void> => {
    setPending(true);
    setProblem('');
    void loadPasskeys();
    const begun = await answerOf(startPasskey({ name }));
    if (begun && verification.isNeeded(begun) && (await verification.ask())) return add();
    const kept = begun?.status === 'done' && begun.data ? await make(begun.data) : begun;
    setPending(false);
    if (kept?.status === 'refused') {
      const [sentence] = problemsOf(kept, 'name');
      if (!sentence) return sayRefusal(kept);
      setProblem(sentence);
      field.current?.focus();
      return;
    }
    if (kept?.status !== 'done') return;
    toast({ title: 'Clé d’accès ajoutée', tone: 'ok' });
    setOpen(false);
    refresh();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!pending) void add();
  };
  const make = async (
    optionsJSON: NonNullable<Awaited<ReturnType<typeof startPasskey>> & { status: 'done' }>['data'],
  ) => {
    if (!optionsJSON) return null;
    try {
      const { startRegistration } = await loadPasskeys();
      const made = await startRegistration({ optionsJSON });
      return await answerOf(keepPasskey({ name, made: made as never }));
    } catch (error) {
      const message = passkeyProblem(
        error,
        'Ce navigateur n’a pas pu faire de clé d’accès. Rien n’a été enregistré.',
      );
      return message === null ? null : browserRefusal(message);
    }
  };

  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Ajouter une clé d’accès
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Ajouter une clé d’accès"
        description="Votre appareil vous demandera ensuite votre empreinte, votre visage ou son code."
        footer={
          <>
            <Button onClick={() => setOpen(false)}>Annuler</Button>
            <Button variant="primary" type="submit" form={id} pending={pending}>
              Continuer
            </Button>
          </>
        }
      >
        <form id={id} onSubmit={submit} noValidate>
          <Field label="Nom" name="name" required hint="Pour la reconnaître ici." error={problem}>
            <Input
              ref={field}
              value={name}
              autoComplete="off"
              onChange={(event) => {
                setName(event.currentTarget.value);
                setProblem('');
              }}
            />
          </Field>
        </form>
        {verification.dialog}
      </Dialog>
    </>
  );
}
