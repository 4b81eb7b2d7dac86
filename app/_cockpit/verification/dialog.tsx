'use client';
import { useRef, useState } from 'react';
import { answerOf, sayRefusal } from '#app/_cockpit/act.ts';
import { Button } from '#app/_ui/action/button.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Form, SubmitButton } from '#app/_ui/form/form.tsx';
import { Input } from '#app/_ui/form/input.tsx';
import type { VerificationProps } from '#app/_ui/form/verification.tsx';
import { Dialog } from '#app/_ui/overlay/dialog.tsx';
import { mailCode, proveByCode } from './actions.ts';

/** Asks for a code sent by mail, then lets what was asked go on. */
export default function VerificationDialog({ onEnd }: VerificationProps) {
  const [pending, setPending] = useState(false);
  const [email, setEmail] = useState<string | null>(null);

  const send = async () => {
    setPending(true);
    const state = await answerOf(mailCode({}));
    setPending(false);
    if (state?.status === 'done') setEmail(state.data?.email ?? '');
    else if (state?.status === 'refused') sayRefusal(state);
  };

  return (
    <Dialog
      open
      onOpenChange={() => onEnd(false)}
      title="Confirmez que c’est bien vous"
      description="Cette action demande une preuve de moins de dix minutes. Elle se fera ensuite d’elle-même."
    >
      {email === null ? (
        <Button className="h-11 w-full" pending={pending} onClick={send}>
          Recevoir un code par e-mail
        </Button>
      ) : (
        <CodeForm email={email} onDone={() => onEnd(true)} />
      )}
    </Dialog>
  );
}

function CodeForm({ email, onDone }: { email: string; onDone: () => void }) {
  const box = useRef<HTMLDivElement>(null);
  const sent = useRef('');
  const onInput = (text: string) => {
    const digits = text.replace(/\D/g, '');
    if (digits.length !== 6 || digits === sent.current) return;
    sent.current = digits;
    box.current?.querySelector('form')?.requestSubmit();
  };
  return (
    <div ref={box}>
      <p className="wrap-anywhere mb-4 text-ink-soft">
        Un code vient d’être envoyé à <strong className="font-medium text-ink">{email}</strong>. Il est
        valable dix minutes.
      </p>
      <Form action={proveByCode} onDone={onDone} className="flex flex-col gap-4">
        <Field label="Code à six chiffres" name="code" required>
          <Input
            inputMode="numeric"
            autoComplete="one-time-code"
            placeholder="000 000"
            maxLength={12}
            mono
            autoFocus
            onInput={(event) => onInput(event.currentTarget.value)}
            className="h-14! text-center text-xl! tracking-[0.3em]"
          />
        </Field>
        <SubmitButton className="h-11 w-full">Confirmer</SubmitButton>
      </Form>
    </div>
  );
}
