'use client';
import { AtSign, Send } from 'lucide';
import { useEffect, useRef, useState } from 'react';
import { Menu } from '#app/_ui/action/menu.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Form, SubmitButton } from '#app/_ui/form/form.tsx';
import { Textarea } from '#app/_ui/form/input.tsx';
import { Icon } from '#app/_ui/icon.tsx';
import { newKey } from '#app/_ui/new-key.ts';
import { addCommentAction } from './actions.ts';

type Props = { generationId: string; mentionable: readonly { id: string; name: string }[] };

/** One's own word on a generation; a member who is named after an @ hears of it. */
export function CommentForm({ generationId, mentionable }: Props) {
  const place = useRef<HTMLDivElement>(null);
  // A field of its own for each comment: an emptied one would go on counting what it held.
  const [published, setPublished] = useState(0);
  // One key for one content, made in the browser: sent twice after a lost answer, it is written once.
  const [key, setKey] = useState('');
  const renew = () => setKey(newKey());
  useEffect(() => setKey(newKey()), []);
  const name = (who: string) => {
    const field = place.current?.querySelector('textarea');
    if (!field) return;
    const { value, selectionStart: at } = field;
    const space = at > 0 && !/\s/.test(value[at - 1] ?? '') ? ' ' : '';
    // As if it had been typed: the browser's own undo takes it back.
    field.focus();
    field.setRangeText(`${space}@${who} `, at, field.selectionEnd, 'end');
    field.dispatchEvent(new Event('input', { bubbles: true }));
    // The menu, closing, gives the focus back to its button: one goes on typing.
    const back = (tries: number) => {
      if (document.activeElement !== field) field.focus();
      if (tries > 0) requestAnimationFrame(() => back(tries - 1));
    };
    back(30);
  };
  return (
    <Form
      action={addCommentAction}
      resetOnDone
      onInput={renew}
      onDone={() => {
        setPublished((before) => before + 1);
        renew();
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
