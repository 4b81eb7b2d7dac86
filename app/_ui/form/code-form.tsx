'use client';
import { type ComponentProps, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { Field } from './field.tsx';
import { Form, SubmitButton } from './form.tsx';
import { useForm } from './form-context.ts';
import { Input } from './input.tsx';

type Props = Pick<ComponentProps<typeof Form>, 'action' | 'onDone'> & {
  /** Label of the button. */
  submit: string;
  /** Hidden fields. */
  children?: ReactNode;
};

/** A form for the six digits of a mailed code: typed, pasted or filled in by the phone. It submits by itself at the sixth digit, once per code. */
export function CodeForm({ submit, children, ...form }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const sent = useRef('');
  const note = () => {
    sent.current = digitsOf(input.current);
    return false;
  };
  return (
    <Form {...form} holdBack={note} className="flex flex-col gap-4">
      {children}
      <Field label="Code à six chiffres" name="code" hint="Il part de lui-même au sixième chiffre." required>
        <CodeInput input={input} sent={sent} />
      </Field>
      <SubmitButton className="h-11 w-full">{submit}</SubmitButton>
    </Form>
  );
}

const digitsOf = (input: HTMLInputElement | null) => input?.value.replace(/\D/g, '') ?? '';

/** Submits a complete code that differs from the last one sent. Returns whether it did. */
function sendWhole(input: HTMLInputElement | null, sent: string): boolean {
  const digits = digitsOf(input);
  if (digits.length !== 6 || digits === sent) return false;
  input?.form?.requestSubmit();
  return true;
}

type CodeInputProps = {
  input: RefObject<HTMLInputElement | null>;
  /** The digits that were sent last. */
  sent: RefObject<string>;
};

/** The field of the code. Selects a refused code, so that typing replaces it; a code completed while another was being checked is submitted then. */
function CodeInput({ input, sent }: CodeInputProps) {
  const { state, pending } = useForm();
  useEffect(() => {
    if (pending || state.status !== 'refused') return;
    if (!sendWhole(input.current, sent.current)) input.current?.select();
  }, [state, pending, input, sent]);
  return (
    <Input
      ref={input}
      inputMode="numeric"
      autoComplete="one-time-code"
      placeholder="000 000"
      mono
      autoFocus
      onInput={() => sendWhole(input.current, sent.current)}
      className="h-14! text-center text-xl! tracking-[0.3em]"
    />
  );
}
