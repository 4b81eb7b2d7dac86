'use client';
import { type FormEvent, useId, useState } from 'react';
import { Button } from '#app/_ui/action/button.tsx';
import { Textarea } from '#app/_ui/form/input.tsx';
import { Dialog } from '#app/_ui/overlay/dialog.tsx';
import { Notice } from '#app/_ui/state/notice.tsx';
import { focusWhenLost } from './use-handed-focus.ts';

/** Why files are rejected most often. */
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

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** How many files, and how many of them were approved. */
  files: number;
  approved: number;
  /** Whether it was done. */
  onReject: (reason: string) => Promise<boolean>;
};

/** A row of the list behind the dialog. */
const aRow = () => document.querySelector<HTMLElement>('[data-generation]');

/** Asks why before files are rejected, and says what approval they lose. */
export default function RejectDialog({ open, onOpenChange, files, approved, onReject }: Props) {
  const id = useId();
  const [chosen, setChosen] = useState('');
  const [text, setText] = useState('');
  const [problem, setProblem] = useState('');
  const [pending, setPending] = useState(false);
  /** Closed, it forgets what was chosen: the next file is asked of anew. */
  const close = () => {
    setChosen('');
    setText('');
    setProblem('');
    onOpenChange(false);
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
    setPending(true);
    const isOverList = aRow() !== null;
    const done = await onReject(reason);
    setPending(false);
    if (!done) return;
    close();
    // The last row of a list took along what the dialog would give the focus back to: it goes to the page.
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
            &nbsp;: rejeté, un fichier n’est plus gardé par son approbation et part 30&nbsp;jours après sa
            création.
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
                    setChosen(reason);
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
            onChange={(event) => setText(event.currentTarget.value)}
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
