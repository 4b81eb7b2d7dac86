'use client';
import { AtSign, Send } from 'lucide';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Menu } from '#app/_ui/action/menu.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Form, SubmitButton } from '#app/_ui/form/form.tsx';
import { Textarea } from '#app/_ui/form/input.tsx';
import { Icon } from '#app/_ui/icon.tsx';
import { newKey } from '#app/_ui/new-key.ts';
import { addCommentAction } from './actions.ts';

const loadDrafts = () => import('#app/_cockpit/drafts/tab-drafts.ts');
type OwnDraft = ReturnType<Awaited<ReturnType<typeof loadDrafts>>['ownDraft']>;
/** The text of an unpublished comment, with the key under which it is published only once. */
type Kept = { text: string; key: string };

type Props = { generationId: string; mentionable: readonly { id: string; name: string }[] };

/** The form of a new comment on a generation; a member named after an @ is notified. */
export function CommentForm({ generationId, mentionable }: Props) {
  const place = useRef<HTMLDivElement>(null);
  // A new field for each comment: an emptied one would still show the length of the former text.
  const [published, setPublished] = useState(0);
  // One key per content, made in the browser: a comment sent again after a lost answer or a reload is stored once.
  const [key, setKey] = useState('');
  /** Whether the kept draft was read. Before that, the browser may have restored the text without its key, so sending waits. */
  const [resumed, setResumed] = useState(false);
  const pressed = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (resumed) pressed.current?.requestSubmit();
  }, [resumed]);
  const draft = useRef<OwnDraft>(null);
  const sent = useRef('');
  const textNow = () => place.current?.querySelector('textarea')?.value ?? '';
  const put = useCallback(({ text, key: next }: Kept) => {
    setKey(next);
    draft.current?.keep(text === '' ? null : { text, key: next });
  }, []);
  const renew = () => put({ text: textNow(), key: newKey() });
  useEffect(() => {
    let isGone = false;
    setKey(newKey());
    const resume = ({ ownDraft }: Awaited<ReturnType<typeof loadDrafts>>) => {
      const area = place.current?.querySelector('textarea');
      if (isGone || !area) return;
      draft.current = ownDraft(`commentaire:${generationId}`);
      const kept = draft.current.read() as Partial<Kept>;
      // A text typed before hydration is newer than the draft; a text equal to the draft was restored by the browser.
      if (area.value !== '' && area.value !== kept.text) return put({ text: area.value, key: newKey() });
      if (!kept.text || !kept.key) return;
      area.value = kept.text;
      area.dispatchEvent(new Event('input', { bubbles: true }));
      // The event above made a new key, but this is still the same comment.
      put({ text: kept.text, key: kept.key });
    };
    const ready = () => setResumed(true);
    loadDrafts().then(resume).then(ready, ready);
    return () => {
      isGone = true;
      draft.current?.letGo();
      draft.current = null;
    };
  }, [generationId, put]);
  const name = (who: string) => {
    const field = place.current?.querySelector('textarea');
    if (!field) return;
    const { value, selectionStart: at } = field;
    const space = at > 0 && !/\s/.test(value[at - 1] ?? '') ? ' ' : '';
    // As an input event, so that the form, the counter and the draft notice the change.
    field.focus();
    field.setRangeText(`${space}@${who} `, at, field.selectionEnd, 'end');
    field.dispatchEvent(new Event('input', { bubbles: true }));
    // The menu, as it closes, returns the focus to its button; the member goes on typing in the field.
    const back = (tries: number) => {
      if (document.activeElement !== field) field.focus();
      if (tries > 0) requestAnimationFrame(() => back(tries - 1));
    };
    back(30);
  };
  return (
    <Form
      action={addCommentAction}
      holdBack={() => {
        sent.current = textNow();
        if (!resumed) pressed.current = place.current?.closest('form') ?? null;
        return !resumed;
      }}
      onInput={renew}
      onDone={() => {
        const text = textNow();
        // A text typed while the answer was awaited is the next comment.
        const isLater = text !== sent.current;
        if (!isLater) setPublished((before) => before + 1);
        put({ text: isLater ? text : '', key: newKey() });
      }}
      className="flex flex-col gap-2"
    >
      <input type="hidden" name="generationId" value={generationId} />
      {key ? <input type="hidden" name="key" value={key} /> : null}
      <div ref={place}>
        <Field label="Votre commentaire" name="text">
          <Textarea key={published} rows={2} maxLength={2_000} />
        </Field>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-2">
        {mentionable.length > 0 ? (
          <Menu
            label="Nommer un membre"
            align="start"
            items={mentionable.map((one) => ({ label: one.name, onSelect: () => name(one.name) }))}
            className="touch inline-flex h-8 items-center gap-1.5 rounded-md px-2 text-ink-soft text-sm hover:bg-hover hover:text-ink"
          >
            <Icon of={AtSign} size={16} />
            Nommer
          </Menu>
        ) : (
          <span />
        )}
        <SubmitButton variant="secondary" size="sm" icon={Send}>
          Publier
        </SubmitButton>
      </div>
    </Form>
  );
}
