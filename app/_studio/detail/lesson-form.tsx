'use client';
import { useEffect, useRef, useState } from 'react';
import { ResumedNotice } from '#app/_cockpit/drafts/resumed-notice.tsx';
import { sayAside } from '#app/_cockpit/drafts/say-aside.ts';
import { ownDraft } from '#app/_cockpit/drafts/tab-drafts.ts';
import { noteLesson } from '#app/_studio/journal/actions.ts';
import { Field } from '#app/_ui/form/field.tsx';
import { Form, SubmitButton } from '#app/_ui/form/form.tsx';
import { Textarea } from '#app/_ui/form/input.tsx';
import { newKey } from '#app/_ui/new-key.ts';

/** The text of a lesson that was not saved, with the key under which it is saved only once. */
type Kept = { text: string; key: string };

/** The form of a lesson learnt from a file. The text is kept per file until it is saved. Loaded on demand. */
export default function LessonForm({ assetId, onDone }: { assetId: string; onDone: () => void }) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [draft] = useState(() => ownDraft(`lecon:${assetId}`));
  const [kept] = useState(() => draft.read() as Partial<Kept>);
  const [resumed, setResumed] = useState(Boolean(kept.text && kept.key));
  // One key per content, made in the browser: a lesson sent again after a lost answer or a reload is stored once.
  const [{ text, key }, setTyped] = useState<Kept>(() =>
    kept.text && kept.key ? { text: kept.text, key: kept.key } : { text: '', key: newKey() },
  );
  const latest = useRef(key);
  useEffect(() => {
    // Read again, because `read` makes the browser ask before the tab is closed, as long as the field is there.
    draft.read();
    return () => draft.letGo();
  }, [draft]);
  const put = (typed: Kept) => {
    latest.current = typed.key;
    setTyped(typed);
    draft.keep(typed.text === '' ? null : typed);
    if (typed.text === '') setResumed(false);
  };
  const type = (next: string) => put({ text: next, key: newKey() });
  const typedNow = useRef<Kept>({ text, key });
  typedNow.current = { text, key };
  // Sets the text aside and offers to bring it back under its own key; a text typed since is set aside in turn.
  const putAside = (mine: Kept): void =>
    sayAside(() => {
      const { current: since } = typedNow;
      if (since.text !== '' && since.text !== mine.text) putAside(since);
      put(mine);
      setResumed(true);
      // The form is closed: the text is kept for its next opening, and the tab may be closed without a question.
      if (!area.current) draft.letGo();
    });
  return (
    <Form
      action={noteLesson}
      onDone={() => {
        // A text typed while the answer was awaited is the next lesson, even if the dialog was closed and opened again.
        const { key: now = key } = draft.read() as Partial<Kept>;
        if (now !== key || latest.current !== key) return;
        type('');
        onDone();
      }}
      className="flex flex-col gap-4"
    >
      <input type="hidden" name="assetId" value={assetId} />
      <input type="hidden" name="key" value={key} />
      {resumed ? (
        <ResumedNotice
          onStartOver={() => {
            putAside({ text, key });
            type('');
            area.current?.focus();
          }}
        >
          Voici ce que vous aviez écrit ici sans l’envoyer.
        </ResumedNotice>
      ) : null}
      <Field label="Leçon" name="text" required>
        <Textarea
          ref={area}
          autoFocus
          maxLength={2000}
          value={text}
          onChange={(event) => type(event.currentTarget.value)}
        />
      </Field>
      <div className="flex justify-end">
        <SubmitButton>Retenir la leçon</SubmitButton>
      </div>
    </Form>
  );
}
