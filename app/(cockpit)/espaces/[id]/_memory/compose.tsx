'use client';
import { useRouter } from 'next/navigation';
import { useCallback, useEffect, useRef, useState } from 'react';
import { answerOf } from '#app/_cockpit/act.ts';
import { ResumedNotice } from '#app/_cockpit/drafts/resumed-notice.tsx';
import { tooLarge } from '#app/_cockpit/sending/too-large.ts';
import { Button } from '#app/_ui/action/button.tsx';
import { Checkbox } from '#app/_ui/form/choice.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Form, SubmitButton } from '#app/_ui/form/form.tsx';
import { Input, Select, Textarea } from '#app/_ui/form/input.tsx';
import { count } from '#app/_ui/format.ts';
import { newKey } from '#app/_ui/new-key.ts';
import { Dialog } from '#app/_ui/overlay/dialog.tsx';
import { Notice } from '#app/_ui/state/notice.tsx';
import type { Similar } from '#lib/brain/likeness/similar.ts';
import type { PillarView } from '#lib/brain/queries/view-space.ts';
import type { PillarRole } from '#lib/brain/templates.ts';
import { InvisibleNotice } from '../_notices/invisible-notice.tsx';
import type { Place } from '../_tree/tree.ts';
import { addMemory, previewParts } from '../actions.ts';
import { keepDraft, keepNewDraft, type NewDraft, readNewDraft } from './draft.ts';
import { onTakenBack, setAside } from './set-aside.ts';
import { pasteMarkdown } from './writing/paste.ts';
import { Toolbar } from './writing/toolbar.tsx';
import { onWritingKey } from './writing/write-field.ts';

/** In characters: from this length on, the form offers to divide the text. */
const LONG_TEXT = 3_000;
/** In milliseconds: how long typing must pause before a long text is examined. */
const REST_MS = 800;
/** In milliseconds: after this delay, pasted text is in the field. */
const PASTED_MS = 30;

const isSame = (a: NewDraft, b: NewDraft) => a.title === b.title && a.body === b.body;

type Offer = { titles: string[]; headed: boolean };

type ComposeProps = {
  memberId: string;
  spaceId: string;
  place: Place;
  pillars: PillarView[];
  parentTitle: string | null;
  mayGenerate: boolean;
  onClose: () => void;
  onAdded: (id: string, similar: Similar[]) => void;
};

/** Adds a Memory; a long text may be divided into several. The draft is kept, per Space and place, until it is added. */
export default function Compose({
  memberId,
  spaceId,
  place,
  pillars,
  parentTitle,
  mayGenerate,
  onClose,
  onAdded,
}: ComposeProps) {
  const router = useRouter();
  const [kept] = useState(() => readNewDraft(memberId, spaceId, place));
  // The draft's key makes the request idempotent: sent again after a lost answer, it is written once.
  const [draft, setDraft] = useState<NewDraft>(() => kept ?? emptyDraft(place));
  const [resumed, setResumed] = useState(kept !== null);
  const { title, body } = draft;
  const [parts, setParts] = useState<Offer | null>(null);
  /** The author's choice about dividing, which later typing does not reset; null before a choice. */
  const [divides, setDivides] = useState<boolean | null>(null);
  const latest = useRef(body);
  latest.current = body;
  const area = useRef<HTMLTextAreaElement>(null);
  const problem = tooLarge(body);

  const put = (next: NewDraft) => {
    setDraft(next);
    keepNewDraft(memberId, spaceId, place, next.title === '' && next.body === '' ? null : next);
  };
  const type = (change: Partial<NewDraft>) => put({ ...draft, ...change, key: newKey() });
  const name = `${spaceId}:${place.parentId ?? place.pillar}`;
  const putAside = (mine: NewDraft) =>
    setAside<NewDraft>(name, mine, (back) => {
      const later = readNewDraft(memberId, spaceId, place);
      if (later && !isSame(later, back)) putAside(later);
      keepNewDraft(memberId, spaceId, place, back);
    });
  const startOver = () => {
    setResumed(false);
    putAside(draft);
    put(emptyDraft(place));
  };
  const resume = useRef<(back: NewDraft) => void>(() => {});
  resume.current = (back) => {
    if ((title !== '' || body !== '') && !isSame(draft, back)) putAside(draft);
    put(back);
  };
  useEffect(() => onTakenBack<NewDraft>(name, (back) => resume.current(back)), [name]);

  const offer = useCallback(async (text: string) => {
    if (text.length < LONG_TEXT || tooLarge(text)) return;
    // The author did not ask for it: if the text cannot be examined, nothing is offered and no error is shown.
    const preview = await answerOf(previewParts({ title: '', body: text }));
    const titles = preview?.status === 'done' ? (preview.data?.titles.slice(1) ?? []) : [];
    if (latest.current !== text) return;
    const headed = (text.match(/^#{1,6}\s/gm)?.length ?? 0) > 1;
    setParts(titles.length === 0 ? null : { titles, headed });
  }, []);
  useEffect(() => {
    if (body.length < LONG_TEXT || tooLarge(body)) {
      setParts(null);
      setDivides(null);
      return;
    }
    const timer = setTimeout(() => void offer(body), REST_MS);
    return () => clearTimeout(timer);
  }, [body, offer]);

  return (
    <Dialog
      wide
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={parentTitle ? `Ajouter sous «\u00a0${parentTitle}\u00a0»` : 'Ajouter une mémoire'}
    >
      <Form
        action={addMemory}
        holdBack={() => {
          if (problem) area.current?.focus();
          return problem !== undefined;
        }}
        onDone={({ data }) => {
          const now = readNewDraft(memberId, spaceId, place);
          // Text typed while the request was pending becomes a draft of the new Memory, or stays here if several were written.
          const isLater = now !== null && (now.title !== title || now.body !== body);
          if (isLater && data && !data.divided)
            keepDraft(memberId, data.id, { version: 1, title: now.title, body: now.body });
          if (!(isLater && data?.divided)) keepNewDraft(memberId, spaceId, place, null);
          onAdded(data?.id ?? '', data?.similar ?? []);
        }}
      >
        <input type="hidden" name="spaceId" value={spaceId} />
        <input type="hidden" name="parentId" value={place.parentId ?? ''} />
        <input type="hidden" name="key" value={draft.key} />
        <div className="space-y-4">
          {resumed ? (
            <ResumedNotice onStartOver={startOver}>
              Voici ce que vous aviez écrit ici sans l’ajouter.
            </ResumedNotice>
          ) : null}
          <Field label="Titre" name="title" required>
            <Input
              data-autofocus
              autoComplete="off"
              value={title}
              onChange={(event) => type({ title: event.currentTarget.value })}
            />
          </Field>
          <div>
            <span className="block font-medium text-sm">Texte</span>
            <Toolbar area={area} />
            <Field
              label="Texte"
              name="body"
              hint="Le Markdown est compris."
              {...(problem ? { error: problem } : {})}
              hideLabel
              required
            >
              <Textarea
                ref={area}
                onKeyDown={onWritingKey}
                counter
                rows={8}
                value={body}
                onChange={(event) => type({ body: event.currentTarget.value })}
                // Pasted text is complete: it is examined without waiting for a pause.
                onPaste={(event) => {
                  pasteMarkdown(event, mayGenerate ? router.push : null);
                  setTimeout(() => void offer(latest.current), PASTED_MS);
                }}
              />
            </Field>
          </div>
          <InvisibleNotice title={title} body={body} onRemove={type} />
          {place.parentId === null ? (
            <Field label="Pilier" name="pillar">
              <Select
                value={draft.pillar}
                onChange={(event) => type({ pillar: event.currentTarget.value as PillarRole })}
              >
                {pillars.map((pillar) => (
                  <option key={pillar.role} value={pillar.role}>
                    {pillar.label}
                  </option>
                ))}
              </Select>
            </Field>
          ) : (
            <input type="hidden" name="pillar" value={place.pillar} />
          )}
          <div className="form-foot">
            {parts ? (
              <Notice tone="info" role="status" className="basis-full">
                <Checkbox
                  name="split"
                  // Headings show where the author divides. Without them, dividing is off by default.
                  checked={divides ?? parts.headed}
                  onChange={(event) => {
                    setDivides(event.currentTarget.checked);
                    type({});
                  }}
                  label={`Diviser ce texte en ${parts.titles.length + 1} mémoires`}
                  hint={`${parts.headed ? 'L’introduction' : 'Le début'}, puis ${count(parts.titles.length, 'partie rangée', 'parties rangées')} sous ${parts.headed ? 'elle' : 'lui'}\u00a0: ${parts.titles.slice(0, 6).join(', ')}${parts.titles.length > 6 ? '…' : ''}`}
                />
              </Notice>
            ) : null}
            <Button onClick={onClose}>Annuler</Button>
            <SubmitButton>Ajouter la mémoire</SubmitButton>
          </div>
        </div>
      </Form>
    </Dialog>
  );
}

function emptyDraft(place: Place): NewDraft {
  return { key: newKey(), title: '', body: '', pillar: place.pillar };
}
