'use client';
import { useRouter } from 'next/navigation';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { ResumedNotice } from '#app/_cockpit/drafts/resumed-notice.tsx';
import { tooLarge } from '#app/_cockpit/sending/too-large.ts';
import { Button } from '#app/_ui/action/button.tsx';
import { CopyButton } from '#app/_ui/action/copy-button.tsx';
import { SegmentedControl } from '#app/_ui/form/choice.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Form, SubmitButton } from '#app/_ui/form/form.tsx';
import { Input, Textarea } from '#app/_ui/form/input.tsx';
import { lazyPart } from '#app/_ui/lazy-part.ts';
import { Notice } from '#app/_ui/state/notice.tsx';
import { Markdown } from '#app/_ui/text/markdown.tsx';
import type { Similar } from '#lib/brain/likeness/similar.ts';
import type { MemoryDetail } from '#lib/brain/queries/get-memory.ts';
import { InvisibleNotice } from '../_notices/invisible-notice.tsx';
import { saveMemory } from '../actions.ts';
import { type Draft, keepDraft, readDraft } from './draft.ts';
import { onTakenBack, setAside } from './set-aside.ts';
import { pasteMarkdown } from './writing/paste.ts';
import { SaveKey } from './writing/save-key.tsx';
import { Toolbar } from './writing/toolbar.tsx';
import { onWritingKey } from './writing/write-field.ts';

const Diff = lazyPart(
  () => import('#app/_ui/text/diff.tsx').then(({ Diff }) => ({ default: Diff })),
  <p role="status">Comparaison…</p>,
);

type Theirs = { version: number; title: string; body: string };

/** Text fields normalise line endings: texts that differ only in these are the same. */
const lines = (text: string) => text.replace(/\r\n?/g, '\n');
const sameText = (a: { title: string; body: string }, b: { title: string; body: string }) =>
  a.title === b.title && lines(a.body) === lines(b.body);

type EditorProps = {
  memberId: string;
  memory: MemoryDetail;
  mayGenerate: boolean;
  onSaved: (similar: Similar[]) => void;
  actions: ReactNode;
};

/** Title and text of a Memory, with a preview. The draft is kept until it is saved; another author's text is never overwritten silently. */
export function Editor({ memberId, memory, mayGenerate, onSaved, actions }: EditorProps) {
  const router = useRouter();
  const [kept] = useState(() => {
    const draft = readDraft(memberId, memory.id);
    // A draft equal to the stored text is dropped: the answer to its saving was lost.
    return draft && sameText(draft, memory) ? null : draft;
  });
  const [opened, setOpened] = useState(kept?.version ?? memory.version);
  const [title, setTitle] = useState(kept?.title ?? memory.title);
  const [body, setBody] = useState(kept?.body ?? memory.body);
  const [resumed, setResumed] = useState(kept !== null);
  const [preview, setPreview] = useState(false);
  const [theirs, setTheirs] = useState<Theirs | null>(null);
  // The version being edited. As long as nothing was typed, a newer version replaces it.
  const [base, setBase] = useState({ title: memory.title, body: memory.body, version: memory.version });
  const typed = useRef({ title, body });
  useEffect(() => {
    typed.current = { title, body };
  }, [title, body]);
  // The other author's text that replaced a draft set aside.
  const taken = useRef<Theirs | null>(null);
  const dirty = !sameText({ title, body }, base);
  const isSaved = !dirty && !theirs;
  // A layout effect: a later effect could run after the next keystroke, and remove the draft that it stored.
  useLayoutEffect(() => {
    if (!dirty) keepDraft(memberId, memory.id, null);
  }, [dirty, memberId, memory.id]);
  // A refresh after a save may still return the previous version.
  if (memory.version > base.version) {
    setBase({ title: memory.title, body: memory.body, version: memory.version });
    if (!dirty || sameText({ title, body }, memory)) {
      setTitle(memory.title);
      setBody(memory.body);
      setOpened(memory.version);
    }
  }

  const area = useRef<HTMLTextAreaElement>(null);
  const save = useRef<HTMLSpanElement>(null);

  const type = (next: { title: string; body: string }) => {
    setTitle(next.title);
    setBody(next.body);
    keepDraft(memberId, memory.id, sameText(next, base) ? null : { version: opened, ...next });
  };
  const putAside = (mine: Draft) =>
    setAside<Draft>(memory.id, mine, (back) => {
      const later = readDraft(memberId, memory.id);
      if (later && !sameText(later, back)) putAside(later);
      keepDraft(memberId, memory.id, back);
    });
  // Replaces the text of the fields; the former text can be restored.
  const take = (text: Theirs) => {
    putAside({ version: opened, title, body });
    taken.current = text;
    setTitle(text.title);
    setBody(text.body);
    setOpened(text.version);
    setTheirs(null);
    setResumed(false);
    keepDraft(memberId, memory.id, null);
  };

  const saved = (text: Theirs) => {
    setBase(text);
    setOpened(text.version);
    setTheirs(null);
    setResumed(false);
    // Text typed while the save was pending is a draft of the version just written: in these fields, or in those of the Memory opened again
    // since.
    const elsewhere = save.current ? null : readDraft(memberId, memory.id);
    const now = elsewhere ?? typed.current;
    if (now.title.trim() === text.title) setTitle(text.title);
    keepDraft(
      memberId,
      memory.id,
      sameText({ ...now, title: now.title.trim() }, text) ? null : { ...now, version: text.version },
    );
  };

  const resume = useRef<(draft: Draft) => void>(() => {});
  resume.current = (draft) => {
    const now: Draft = { version: opened, title, body };
    const isKnown = [base, taken.current, draft].some((text) => text && sameText(now, text));
    if (!isKnown) putAside(now);
    keepDraft(memberId, memory.id, draft);
    setTitle(draft.title);
    setBody(draft.body);
    setOpened(draft.version);
    setResumed(true);
  };
  useEffect(() => onTakenBack<Draft>(memory.id, (draft) => resume.current(draft)), [memory.id]);

  const problem = tooLarge(body);
  return (
    <Form
      action={saveMemory}
      holdBack={() => isSaved || problem !== undefined}
      onDone={({ data }) => {
        if (data?.outcome === 'conflict') {
          setTheirs(data);
          setPreview(false);
          return;
        }
        if (data) saved(data);
        onSaved(data?.similar ?? []);
      }}
    >
      <SaveKey save={save} />
      <input type="hidden" name="memoryId" value={memory.id} />
      <input type="hidden" name="openedVersion" value={theirs?.version ?? opened} />
      {resumed && dirty ? (
        <div className="mb-4">
          <ResumedNotice
            label="Revenir au texte enregistré"
            onStartOver={() => take({ version: memory.version, title: memory.title, body: memory.body })}
          >
            Voici ce que vous aviez écrit sans l’enregistrer.
          </ResumedNotice>
        </div>
      ) : null}
      {theirs ? <Conflict theirs={theirs} mine={{ title, body }} onTake={() => take(theirs)} /> : null}
      <div className="space-y-4">
        <Field label="Titre" name="title">
          <Input
            value={title}
            onChange={(event) => type({ title: event.currentTarget.value, body })}
            autoComplete="off"
          />
        </Field>
        <div>
          <div className="mb-1.5 flex items-end justify-between gap-3">
            <span className="font-medium text-sm">Texte</span>
            <SegmentedControl
              label="Écrire ou relire"
              name="mode"
              value={preview ? 'relire' : 'ecrire'}
              onChange={(mode) => setPreview(mode === 'relire')}
              options={[
                { value: 'ecrire', label: 'Écrire' },
                { value: 'relire', label: 'Relire' },
              ]}
            />
          </div>
          {preview ? (
            // Errors of the text are shown in the preview too.
            <Field label="Texte" name="body" hideLabel>
              <input type="hidden" name="body" value={body} />
              <div className="min-h-60 rounded-md border border-line px-3 py-2">
                <Markdown text={body} baseLevel={3} />
              </div>
            </Field>
          ) : (
            <>
              <Toolbar area={area} />
              <Field label="Texte" name="body" hideLabel>
                <Textarea
                  ref={area}
                  counter
                  className="min-h-60 lg:min-h-[45vh]"
                  onKeyDown={onWritingKey}
                  value={body}
                  onPaste={(event) => pasteMarkdown(event, mayGenerate ? router.push : null)}
                  onChange={(event) => type({ title, body: event.currentTarget.value })}
                />
              </Field>
            </>
          )}
        </div>
        <InvisibleNotice title={title} body={body} onRemove={type} />
        {problem ? (
          <Notice tone="fail" role="alert">
            {problem}
          </Notice>
        ) : null}
        <div className="sticky bottom-0 -mx-5 -mb-5 flex flex-wrap items-center gap-2 border-line border-t bg-raised px-5 py-3">
          {actions}
          <span ref={save} className="ml-auto flex items-center gap-3">
            <span aria-live="polite" className="text-ink-faint text-xs">
              {dirty ? 'Non enregistré' : ''}
            </span>
            <SubmitButton
              // Not `disabled`: the button would lose the focus right after it was pressed.
              {...(isSaved ? { 'aria-disabled': true } : {})}
              aria-keyshortcuts="Control+S Meta+S"
            >
              {theirs ? 'Enregistrer ma version' : 'Enregistrer'}
            </SubmitButton>
          </span>
        </div>
      </div>
    </Form>
  );
}

function Conflict({
  theirs,
  mine,
  onTake,
}: {
  theirs: Theirs;
  mine: { title: string; body: string };
  onTake: () => void;
}) {
  return (
    <section aria-label="Deux versions" className="mb-4">
      <Notice tone="warn" role="alert">
        <p className="font-medium">Quelqu’un a modifié cette mémoire pendant que vous écriviez.</p>
        <p>
          Rien n’est perdu&nbsp;: sa version est enregistrée, la vôtre est toujours ci-dessous. Comparez-les,
          puis choisissez&nbsp;: la sienne reste dans l’historique&nbsp;; la vôtre, mise de côté, se reprend
          d’un bouton aussitôt après, ou se copie ici.
        </p>
      </Notice>
      <h3 className="mt-3 mb-1.5 font-medium text-sm">De sa version à la vôtre</h3>
      {theirs.title === mine.title ? null : (
        <p className="wrap-anywhere mb-2 text-sm">
          Titre&nbsp;: <del className="bg-fail-soft no-underline">{theirs.title}</del> →{' '}
          <ins className="bg-ok-soft no-underline">{mine.title}</ins>
        </p>
      )}
      <Diff before={theirs.body} after={mine.body} />
      <div className="mt-3 flex flex-wrap gap-2">
        <Button size="sm" onClick={onTake}>
          Prendre sa version
        </Button>
        <CopyButton size="sm" text={mine.body} label="Copier la mienne" />
      </div>
    </section>
  );
}
