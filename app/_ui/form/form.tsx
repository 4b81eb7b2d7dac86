'use client';
import { unstable_rethrow } from 'next/navigation';
import {
  type ComponentProps,
  type FormEvent,
  type ReactNode,
  startTransition,
  useActionState,
  useEffect,
  useRef,
  useState,
  useTransition,
} from 'react';
import { type ActionState, type FormAction, IDLE } from '#lib/http/actions/action-state.ts';
import { Button, type ButtonVariant } from '../action/button.tsx';
import { lostWords } from '../lost-words.ts';
import { Notice } from '../state/notice.tsx';
import { toast } from '../toast.ts';
import { FormContext, useForm } from './form-context.ts';
import { useVerification } from './verification.tsx';

type FormProps<Data> = {
  action: FormAction<Data>;
  children: ReactNode;
  /** Empties the form after a success (for a form that adds several items); otherwise what was typed stays. */
  resetOnDone?: boolean;
  /** Called after each success. */
  onDone?: (state: Extract<ActionState<Data>, { status: 'done' }>) => void;
  /** Shows the message of a success in a toast; true by default. */
  announce?: boolean;
  /** Called before each submission, by a button or by Enter. Returning true cancels the submission. */
  holdBack?: () => boolean;
} & Omit<ComponentProps<'form'>, 'action' | 'children' | 'onSubmit'>;

/**
 * A form over a server action. What was typed survives a refusal, a lost network and a slow answer. A refusal is shown beside its field, and the
 * first refused field takes the focus. Without JavaScript the form posts and comes back filled in.
 */
export function Form<Data>({
  action,
  children,
  resetOnDone,
  onDone,
  announce = true,
  holdBack,
  ...rest
}: FormProps<Data>) {
  const [posted, post, posting] = useActionState(action, IDLE as ActionState<Data>);
  const [answered, setAnswered] = useState<ActionState<Data> | null>(null);
  const [running, start] = useTransition();
  const form = useRef<HTMLFormElement>(null);
  const verification = useVerification();
  const state = answered ?? posted;
  const pending = running || posting;

  // Submitted here, not through React's form action, which would reset the fields after each answer.
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (pending || holdBack?.()) return;
    const submitter = (event.nativeEvent as SubmitEvent).submitter;
    send(new FormData(event.currentTarget, submitter));
  };

  const send = (data: FormData) =>
    start(async () => {
      const next = await action(state, data).catch((error: unknown) => {
        unstable_rethrow(error);
        const message = lostWords(error, 'Ce que vous avez saisi est toujours là. ');
        return { status: 'refused', message } as ActionState<Data>;
      });
      // Asked outside this transition: the updates of the dialog would wait for its end.
      if (verification.isNeeded(next)) {
        void verification.ask().then((verified) => (verified ? send(data) : setAnswered(next)));
        return;
      }
      startTransition(() => setAnswered(next));
      if (next.status !== 'done') return;
      if (resetOnDone) form.current?.reset();
      if (announce && next.message) toast({ title: next.message, tone: 'ok' });
      onDone?.(next);
    });

  useEffect(() => {
    if (state.status !== 'refused') return;
    const first = form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-refused] input');
    if (first) first.focus();
    // A refusal about no field is shown at the top, which may be out of sight in a long form.
    else form.current?.querySelector('[role=alert]')?.scrollIntoView({ block: 'nearest' });
  }, [state]);

  return (
    <FormContext value={{ state, pending }}>
      <form ref={form} action={post} onSubmit={submit} noValidate {...rest}>
        {state.status === 'refused' && state.message ? (
          <Notice tone="fail" className="mb-4 scroll-mt-20" requestId={state.requestId} role="alert">
            {state.message}
          </Notice>
        ) : null}
        {children}
      </form>
      {verification.dialog}
    </FormContext>
  );
}

/** The buttons of a form in a dialog, cancel and submit, in sight however long the form is. */
export function FormFoot({ close, label }: { close: () => void; label: string }) {
  return (
    <div className="form-foot">
      <Button onClick={close}>Annuler</Button>
      <SubmitButton>{label}</SubmitButton>
    </div>
  );
}

/** The submit button of the surrounding form; shows that the answer is pending. */
export function SubmitButton({
  children,
  variant = 'primary',
  ...rest
}: { variant?: ButtonVariant; children: ReactNode } & Omit<ComponentProps<typeof Button>, 'type'>) {
  const { pending } = useForm();
  return (
    <Button type="submit" variant={variant} pending={pending} {...rest}>
      {children}
    </Button>
  );
}
