'use client';
import { useRef, useState, useTransition } from 'react';
import { act } from '#app/_cockpit/act.ts';
import { Button } from '#app/_ui/action/button.tsx';
import { Checkbox } from '#app/_ui/form/choice.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Form, SubmitButton } from '#app/_ui/form/form.tsx';
import { Input, Select, Textarea } from '#app/_ui/form/input.tsx';
import { Dialog } from '#app/_ui/overlay/dialog.tsx';
import { Notice } from '#app/_ui/state/notice.tsx';
import type { PillarView } from '#lib/brain/cockpit/view-space.ts';
import { addMemory, previewParts } from '../actions.ts';
import type { Place } from './tree.ts';

/** From this many characters on, a text with several headings is worth dividing. */
const LONG_TEXT = 3_000;

type ComposeProps = {
  spaceId: string;
  place: Place;
  pillars: PillarView[];
  parentTitle: string | null;
  onClose: () => void;
  onAdded: (id: string) => void;
};

/** Adds a Memory; a long text that has headings may be divided into several. */
export default function Compose({ spaceId, place, pillars, parentTitle, onClose, onAdded }: ComposeProps) {
  // One key for one content, whatever field makes it another: sent twice after a lost answer, it is written once.
  const [key, setKey] = useState(newKey);
  const [body, setBody] = useState('');
  const [parts, setParts] = useState<string[] | null>(null);
  const [, start] = useTransition();
  const title = useRef<HTMLInputElement>(null);

  const offer = (text: string) => {
    setParts(null);
    if (text.length < LONG_TEXT || (text.match(/^#{1,6}\s/gm)?.length ?? 0) < 2) return;
    start(async () => {
      const preview = await act(previewParts({ title: title.current?.value ?? '', body: text }));
      const titles = preview?.data?.titles.slice(1) ?? [];
      if (titles.length > 1) {
        setParts(titles);
        setKey(newKey());
      }
    });
  };
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
        onInput={() => setKey(newKey())}
        onDone={(state) => onAdded(state.data?.id ?? '')}
      >
        <input type="hidden" name="spaceId" value={spaceId} />
        <input type="hidden" name="parentId" value={place.parentId ?? ''} />
        <input type="hidden" name="key" value={key} />
        <div className="space-y-4">
          <Field label="Titre" name="title" required>
            <Input ref={title} data-autofocus autoComplete="off" />
          </Field>
          <Field label="Texte" name="body" hint="Le Markdown est compris." required>
            <Textarea
              counter
              rows={8}
              value={body}
              onChange={(event) => {
                setBody(event.currentTarget.value);
                if (parts) setParts(null);
              }}
              onPaste={(event) => {
                const area = event.currentTarget;
                // Once the paste is in the field.
                setTimeout(() => offer(area.value), 0);
              }}
            />
          </Field>
          {parts ? (
            <Notice tone="info" role="status">
              <Checkbox
                name="split"
                defaultChecked
                label={`Partager ce texte en ${parts.length + 1} mémoires`}
                hint={`L’introduction, puis ${parts.length} parties rangées sous elle\u00a0: ${parts.slice(0, 6).join(', ')}${parts.length > 6 ? '…' : ''}`}
              />
            </Notice>
          ) : null}
          {place.parentId === null ? (
            <Field label="Pilier" name="pillar">
              <Select defaultValue={place.pillar}>
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
          <div className="flex justify-end gap-2">
            <Button onClick={onClose}>Annuler</Button>
            <SubmitButton>Ajouter la mémoire</SubmitButton>
          </div>
        </div>
      </Form>
    </Dialog>
  );
}

function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}
