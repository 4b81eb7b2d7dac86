'use client';
import { useRef, useState } from 'react';
import { act } from '#app/_cockpit/act.ts';
import { attachFile, listOlderConcepts } from '#app/_studio/journal/actions.ts';
import { Button } from '#app/_ui/action/button.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Form, SubmitButton } from '#app/_ui/form/form.tsx';
import { Input, Select } from '#app/_ui/form/input.tsx';
import { ShownInput } from '#app/_ui/form/shown-input.tsx';
import { number } from '#app/_ui/format.ts';

export type Concept = { id: string; name: string };
/** The newest concepts of a product, and whether there are older ones. */
export type Concepts = { concepts: Concept[]; hasOlder: boolean };

/** The form that attaches a file to a concept of its product, or to a new one. Older concepts are read when they are asked for. Loaded on demand. */
export default function AttachForm({
  assetId,
  productId,
  offered,
  onDone,
}: {
  assetId: string;
  productId: string;
  offered: Concepts;
  onDone: () => void;
}) {
  const [{ concepts, hasOlder }, setShown] = useState(offered);
  const [concept, setConcept] = useState(concepts[0]?.id ?? '');
  const [loading, setLoading] = useState(false);
  const list = useRef<HTMLSelectElement>(null);
  const showOlder = async () => {
    setLoading(true);
    const found = await act(listOlderConcepts({ productId, before: concepts.at(-1)?.id ?? '' }));
    setLoading(false);
    if (!found?.data) return;
    const { concepts: older, hasOlder: isMore } = found.data;
    setShown({ concepts: [...concepts, ...older], hasOlder: isMore });
    setConcept((before) => older[0]?.id ?? before);
    // The button disappears with the last of them.
    list.current?.focus();
  };
  return (
    <Form action={attachFile} onDone={onDone} className="flex flex-col gap-4">
      <input type="hidden" name="assetId" value={assetId} />
      <input type="hidden" name="productId" value={productId} />
      {/* Only offered for a file that is in no concept. */}
      <ShownInput shown={{ conceptId: '' }} />
      <Field
        label="Concept"
        name="conceptId"
        hint={
          hasOlder ? `Les ${number(concepts.length)} concepts les plus récents de ce produit.` : undefined
        }
      >
        <Select
          ref={list}
          autoFocus
          value={concept}
          onChange={(event) => setConcept(event.currentTarget.value)}
        >
          {concepts.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
          <option value="">Nouveau concept…</option>
        </Select>
      </Field>
      {hasOlder ? (
        <div>
          <Button size="sm" variant="quiet" pending={loading} onClick={showOlder}>
            Proposer aussi les plus anciens
          </Button>
        </div>
      ) : null}
      {concept === '' ? (
        <Field label="Nom du concept" name="name" required>
          <Input autoComplete="off" />
        </Field>
      ) : null}
      <div className="flex justify-end">
        <SubmitButton>Rattacher le fichier</SubmitButton>
      </div>
    </Form>
  );
}
