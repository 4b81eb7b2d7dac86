'use client';
import { type FormEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { ownDraft } from '#app/_cockpit/drafts/tab-drafts.ts';
import { Button } from '#app/_ui/action/button.tsx';
import { Textarea } from '#app/_ui/form/input.tsx';
import { Dialog } from '#app/_ui/overlay/dialog.tsx';
import { Notice } from '#app/_ui/state/notice.tsx';
import { focusWhenLost } from './use-handed-focus.ts';

/** The most frequent reasons to reject a file. */
const REJECT_REASONS = [
  'Hors charte',
  'Sujet ou produit infidèle',
  'Défaut visible (main, texte, logo)',
  'Cadrage ou format inadapté',
  'Texte ou promesse inexacte',
  'Doublon',
];
const OTHER = 'autre';
const MOST = 400;

/** The chosen reason, and the text beside it. */
type Reason = { chosen: string; text: string };
const NONE: Reason = { chosen: '', text: '' };

const draftOf = (about: string) => ownDraft(`rejet:${about}`);

type Props = {
  open: boolean;
  /** Identifies the files: their reason is kept under this name until their rejection is confirmed. */
  about: string;
  onOpenChange: (open: boolean) => void;
  /** The number of files, and of approved ones among them. */
  files: number;
  approved: number;
  /** Resolves to whether the files were rejected. */
  onReject: (reason: string) => Promise<boolean>;
};

/** A generation of the list behind the dialog. */
const aRow = () => document.querySelector<HTMLElement>('[data-generation]');

/** Asks for a reason before files are rejected, and warns about approvals that are lost. */
export default function RejectDialog({ open, about, onOpenChange, files, approved, onReject }: Props) {
  const id = useId();
  const [{ chosen, text }, setReason] = useState(NONE);
  const [problem, setProblem] = useState('');
  /** The files (`about`) whose answer is awaited. */
  const [awaited, setAwaited] = useState<string | null>(null);
  const pending = awaited === about;
  const isSent = useRef(false);
  const shown = useRef<string | null>(null);
  shown.current = open ? about : null;
  useLayoutEffect(() => {
    if (!open) return;
    const draft = draftOf(about);
    isSent.current = false;
    setReason({ ...NONE, ...draft.read() });
    return () => draft.letGo();
  }, [open, about]);
  const write = (next: Reason) => {
    setReason(next);
    draftOf(about).keep(next.chosen === '' && next.text === '' ? null : next);
  };
  const shut = () => {
    setReason(NONE);
    setProblem('');
    onOpenChange(false);
  };
  /** Closing before sending discards the reason; after sending, the reason is kept until the answer confirms the rejection. */
  const close = () => {
    if (!isSent.current && !pending) draftOf(about).keep(null);
    shut();
  };
  const refuse = (sentence: string) => {
    setProblem(sentence);
    document.getElementById(`${id}-text`)?.focus();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (pending) return;
    const more = text.trim();
    const reason = chosen === OTHER || chosen === '' ? more : more ? `${chosen}\u00a0: ${more}` : chosen;
    if (reason === '') return refuse('Dites pourquoi, en choisissant une raison ou en l’écrivant.');
    if (more.length > MOST) return refuse(`Écrivez au plus ${MOST} caractères.`);
    setAwaited(about);
    isSent.current = true;
    const draft = draftOf(about);
    const isOverList = aRow() !== null;
    const done = await onReject(reason);
    setAwaited((now) => (now === about ? null : now));
    if (!done) return;
    draft.keep(null);
    // The dialog may have been closed and opened for other files meanwhile.
    if (shown.current === about) shut();
    // The last generation of the list is gone with the element that would get the focus back: the page gets it.
    if (isOverList) focusWhenLost(() => (aRow() ? null : document.querySelector<HTMLElement>('main')));
  };
  const several = files > 1;
  const title =
    approved > 0 && !several
      ? 'Rejeter un fichier approuvé'
      : several
        ? `Rejeter ${files} fichiers`
        : 'Rejeter ce fichier';
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => (next ? onOpenChange(true) : close())}
      title={title}
      footer={
        <>
          <Button onClick={close}>Ne rien changer</Button>
          <Button variant="danger" type="submit" form={id} pending={pending}>
            {several ? 'Rejeter les fichiers' : 'Rejeter le fichier'}
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={submit} className="flex flex-col gap-4">
        {approved > 0 ? (
          <Notice tone="warn">
            {approved === 1
              ? several
                ? 'L’un d’eux est approuvé'
                : 'Ce fichier est approuvé'
              : `${approved} d’entre eux sont approuvés`}
            &nbsp;: rejeté, un fichier est supprimé 30&nbsp;jours après sa création si rien d’autre ne le
            garde.
          </Notice>
        ) : null}
        <fieldset>
          <legend className="mb-2 font-medium text-sm">Pourquoi</legend>
          <div className="flex flex-wrap gap-1.5">
            {[...REJECT_REASONS, OTHER].map((reason) => (
              <label
                key={reason}
                className="touch relative inline-flex h-8 cursor-pointer items-center rounded-full border border-line px-3 text-sm hover:bg-hover has-checked:border-accent-ink has-checked:bg-accent-soft has-checked:font-medium has-checked:text-accent-ink has-focus-visible:outline-2 has-focus-visible:outline-accent-ink"
              >
                <input
                  type="radio"
                  name={`${id}-reason`}
                  value={reason}
                  checked={chosen === reason}
                  onChange={() => {
                    write({ chosen: reason, text });
                    setProblem('');
                  }}
                  className="absolute inset-0 cursor-[inherit] opacity-0"
                />
                {reason === OTHER ? 'Autre raison' : reason}
              </label>
            ))}
          </div>
        </fieldset>
        <div className="text-sm">
          <label htmlFor={`${id}-text`} className="mb-1.5 block font-medium">
            Précision
            {chosen !== '' && chosen !== OTHER ? (
              <span className="font-normal text-ink-faint"> (facultatif)</span>
            ) : null}
          </label>
          <Textarea
            id={`${id}-text`}
            rows={3}
            maxLength={MOST}
            value={text}
            aria-invalid={problem !== ''}
            aria-describedby={problem ? `${id}-problem` : undefined}
            onChange={(event) => write({ chosen, text: event.currentTarget.value })}
          />
        </div>
        {problem ? (
          <p id={`${id}-problem`} role="alert" className="text-fail text-sm">
            {problem}
          </p>
        ) : null}
      </form>
    </Dialog>
  );
}
