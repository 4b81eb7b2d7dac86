'use client';
import { Check, Pencil } from 'lucide';
import { useLayoutEffect, useRef, useState, useTransition } from 'react';
import { act } from '#app/_cockpit/act.ts';
import { ResumedNotice } from '#app/_cockpit/drafts/resumed-notice.tsx';
import { sayAside } from '#app/_cockpit/drafts/say-aside.ts';
import { ownDraft } from '#app/_cockpit/drafts/tab-drafts.ts';
import { tooLarge } from '#app/_cockpit/sending/too-large.ts';
import { Button } from '#app/_ui/action/button.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Form, FormFoot } from '#app/_ui/form/form.tsx';
import { Input, Textarea } from '#app/_ui/form/input.tsx';
import { DialogButton } from '#app/_ui/overlay/dialog.tsx';
import { Named } from '#app/_ui/text/named.tsx';
import { toast } from '#app/_ui/toast.ts';
import { useRefresh } from '#app/_ui/use-refresh.ts';
import { accept, acceptEdited, refuse } from './actions.ts';

type Props = { proposalId: string; title: string; seenVersion: number | null };

/** Accepts the proposal with its text unchanged. `seenVersion`: the version of the Memory shown to the member; null for a new Memory. */
export function Accept({ proposalId, title, seenVersion }: Props) {
  const refresh = useRefresh();
  const [pending, start] = useTransition();
  const run = () =>
    start(async () => {
      const done = await act(accept({ proposalId, seenVersion }));
      if (done?.message) toast({ title: done.message, tone: 'ok' });
      start(refresh);
    });
  return (
    <Button
      variant="primary"
      size="sm"
      icon={Check}
      pending={pending}
      onClick={run}
      aria-label={`Accepter «\u00a0${title}\u00a0»`}
    >
      Accepter
    </Button>
  );
}

type Rewritten = { title: string; body: string };

const isSame = (a: Rewritten, b: Rewritten) => a.title === b.title && a.body === b.body;

/** Accepts the proposal with the member's edits. What is typed is kept in this tab, when the dialog is closed and when the page is left. */
export function AcceptEdited({ proposalId, title, seenVersion, body }: Props & { body: string }) {
  const refresh = useRefresh();
  const [text, setText] = useState<Rewritten>({ title, body });
  const [resumed, setResumed] = useState(false);
  const draft = useRef<ReturnType<typeof ownDraft>>(null);
  const isLeft = useRef(false);
  // A layout effect: a later effect would overwrite what was typed before it.
  useLayoutEffect(() => {
    const own = ownDraft(`proposition:${proposalId}`);
    draft.current = own;
    const kept = own.read() as Partial<Rewritten>;
    if (typeof kept.title === 'string' && typeof kept.body === 'string') {
      setText({ title: kept.title, body: kept.body });
      setResumed(true);
    }
    isLeft.current = false;
    return () => {
      isLeft.current = true;
      own.letGo();
    };
  }, [proposalId]);
  const type = (next: Rewritten) => {
    setText(next);
    draft.current?.keep(isSame(next, { title, body }) ? null : next);
  };
  const latest = useRef(text);
  latest.current = text;
  // Offers to restore `mine`; what was typed since is then set aside in turn.
  const putAside = (mine: Rewritten): void =>
    sayAside(() => {
      const { current: now } = latest;
      if (![mine, { title, body }].some((one) => isSame(one, now))) putAside(now);
      type(mine);
      setResumed(true);
      // The page was left: the draft is kept for its next opening, and no longer makes the browser ask before the tab is closed.
      if (isLeft.current) draft.current?.letGo();
    });
  const area = useRef<HTMLTextAreaElement>(null);
  const [problem, setProblem] = useState<string>();
  const holdBack = () => {
    const found = tooLarge(text.body);
    setProblem(found);
    if (found) area.current?.focus();
    return found !== undefined;
  };
  const send: typeof acceptEdited = async (state, form) => {
    const answer = await acceptEdited(state, form);
    // Shows the difference with the new text of the Memory, so that the next press accepts what is shown.
    if (answer.status === 'refused' && answer.code === 'conflict') refresh();
    return answer;
  };
  return (
    <DialogButton
      label={<Named about={`«\u00a0${title}\u00a0»`}>Modifier avant d’accepter</Named>}
      size="sm"
      icon={Pencil}
      shape="wide"
      title="Modifier avant d’accepter"
      description="C’est votre texte qui sera écrit, sous votre nom."
    >
      {(close) => (
        <Form
          action={send}
          holdBack={holdBack}
          onDone={() => {
            draft.current?.keep(null);
            close();
            refresh();
          }}
        >
          <input type="hidden" name="proposalId" value={proposalId} />
          <input type="hidden" name="seenVersion" value={seenVersion ?? ''} />
          <div className="space-y-5">
            {resumed ? (
              <ResumedNotice
                label="Revenir au texte proposé"
                onStartOver={() => {
                  setResumed(false);
                  putAside(text);
                  type({ title, body });
                  area.current?.focus();
                }}
              >
                Voici ce que vous aviez écrit sans l’accepter.
              </ResumedNotice>
            ) : null}
            <Field label="Titre" name="title" required>
              <Input
                value={text.title}
                onChange={(event) => type({ ...text, title: event.currentTarget.value })}
                autoComplete="off"
              />
            </Field>
            <Field label="Texte" name="body" {...(problem ? { error: problem } : {})} required>
              <Textarea
                ref={area}
                rows={14}
                value={text.body}
                onChange={(event) => type({ ...text, body: event.currentTarget.value })}
              />
            </Field>
            <FormFoot close={close} label="Accepter ce texte" />
          </div>
        </Form>
      )}
    </DialogButton>
  );
}

/** Refuses the proposal, with an optional reason, which the assistant reads if it proposes the same text again. */
export function Refuse({ proposalId, title }: Omit<Props, 'seenVersion'>) {
  const refresh = useRefresh();
  return (
    <DialogButton
      label={<Named about={`«\u00a0${title}\u00a0»`}>Refuser</Named>}
      size="sm"
      variant="quiet"
      title={`Refuser «\u00a0${title}\u00a0»`}
      description="Le texte proposé est effacé. L’assistant qui le proposerait de nouveau lira votre raison."
    >
      {(close) => (
        <Form
          action={refuse}
          onDone={() => {
            close();
            refresh();
          }}
        >
          <input type="hidden" name="proposalId" value={proposalId} />
          <div className="space-y-5">
            <Field label="Raison" name="reason" optional>
              <Textarea rows={3} maxLength={500} counter />
            </Field>
            <FormFoot close={close} label="Refuser la proposition" />
          </div>
        </Form>
      )}
    </DialogButton>
  );
}
