'use client';
import { Field } from '#app/_ui/form/field.tsx';
import { Form, SubmitButton } from '#app/_ui/form/form.tsx';
import { Input } from '#app/_ui/form/input.tsx';
import { askForCode } from './actions.ts';
import { PasskeyStep } from './passkey-step.tsx';

/** The first step: where to send the code. */
export function AddressStep({ back, passkeys }: { back: string; passkeys: boolean }) {
  return (
    <section>
      <h1 className="font-semibold text-xl tracking-tight">Connexion</h1>
      <p className="mt-1 mb-6 text-ink-soft">
        Un code à six chiffres vous est envoyé par e-mail. Il n’y a pas de mot de passe.
      </p>
      <Form action={askForCode} className="flex flex-col gap-4">
        <input type="hidden" name="retour" value={back} />
        <Field label="Adresse e-mail" name="email" required>
          <Input
            type="email"
            inputMode="email"
            autoComplete={passkeys ? 'username webauthn' : 'username'}
            autoCapitalize="none"
            spellCheck={false}
            placeholder="camille@exemple.fr"
            autoFocus
            className="h-11"
          />
        </Field>
        <SubmitButton className="h-11 w-full">Recevoir un code</SubmitButton>
      </Form>
      {passkeys ? (
        <div className="mt-3">
          <PasskeyStep back={back} />
        </div>
      ) : null}
    </section>
  );
}
