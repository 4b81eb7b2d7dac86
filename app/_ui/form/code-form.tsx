'use client';
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react';
import { Field, useField } from './field.tsx';
import { Form, SubmitButton } from './form.tsx';
import { useForm } from './form-context.ts';
import { Input } from './input.tsx';

type Props = Pick<ComponentProps<typeof Form>, 'action' | 'onDone'> & {
  /** What the button says. */
  submit: string;
  /** Hidden fields. */
  children?: ReactNode;
};

/** Asks for the six digits of a mailed code: typed, pasted or filled in by the phone; sent by itself once whole, once a code. */
export function CodeForm({ submit, children, ...form }: Props) {
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
      <Form {...form} className="flex flex-col gap-4">
        {children}
        <Field label="Code à six chiffres" name="code" required>
          <CodeInput onInput={(event) => onInput(event.currentTarget.value)} />
        </Field>
        <SubmitButton className="h-11 w-full">{submit}</SubmitButton>
      </Form>
    </div>
  );
}

/** Selects a refused code, so that typing replaces it. */
function CodeInput({ onInput }: Pick<ComponentProps<typeof Input>, 'onInput'>) {
  const { state } = useForm();
  const id = useField()?.id;
  useEffect(() => {
    const input = id ? document.getElementById(id) : null;
    if (state.status === 'refused' && input instanceof HTMLInputElement) input.select();
  }, [state, id]);
  return (
    <Input
      inputMode="numeric"
      autoComplete="one-time-code"
      placeholder="000 000"
      maxLength={12}
      mono
      autoFocus
      onInput={onInput}
      className="h-14! text-center text-xl! tracking-[0.3em]"
    />
  );
}
