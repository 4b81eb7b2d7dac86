'use client';
import { type FormEvent, useState } from 'react';
import { Button } from '#app/_ui/action/button.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Select } from '#app/_ui/form/input.tsx';
import { cutShort } from '#app/_ui/text/cut-short.ts';
import { Kbd } from '#app/_ui/text/kbd.tsx';
import type { MemoryDetail } from '#lib/brain/queries/get-memory.ts';
import type { PillarView } from '#lib/brain/queries/view-space.ts';
import type { PillarRole } from '#lib/brain/templates.ts';
import { isWithin, type Place, type RowIndex } from '../_tree/tree.ts';

type PlaceFormProps = {
  memory: MemoryDetail;
  pillars: PillarView[];
  index: RowIndex;
  onMove: (to: Place) => void;
};

/** Moves and nests a Memory without a mouse: choices of pillar and parent. */
export function PlaceForm({ memory, pillars, index, onMove }: PlaceFormProps) {
  const [pillar, setPillar] = useState<PillarRole>(memory.pillar);
  const [parentId, setParentId] = useState(memory.parentId ?? '');
  const rows = pillars.find(({ role }) => role === pillar)?.memories ?? [];
  const possible = rows.filter(({ id }) => !isWithin(index, id, memory.id));
  const chosen = possible.some(({ id }) => id === parentId) ? parentId : '';
  const same = pillar === memory.pillar && (chosen || null) === memory.parentId;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!same) onMove({ pillar, parentId: chosen || null });
  };
  return (
    <form onSubmit={submit} className="space-y-4">
      <Field label="Pilier">
        <Select
          value={pillar}
          onChange={(event) => {
            setPillar(event.currentTarget.value as PillarRole);
            setParentId('');
          }}
        >
          {pillars.map(({ role, label }) => (
            <option key={role} value={role}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Rangée sous" hint="Ce qu’elle contient la suit.">
        <Select value={chosen} onChange={(event) => setParentId(event.currentTarget.value)}>
          <option value="">À la racine du pilier</option>
          {possible.map((row) => (
            <option key={row.id} value={row.id}>
              {'\u2003'.repeat(Math.min(row.depth, 8))}
              {cutShort(row.title, 80)}
            </option>
          ))}
        </Select>
      </Field>
      <Button type="submit" variant="primary" aria-disabled={same || undefined}>
        Déplacer la mémoire
      </Button>
      <p className="text-ink-faint text-xs">
        Dans la liste&nbsp;: glissez une ligne sur une autre, ou <Kbd keys="⇧ →" /> la range sous la
        précédente, <Kbd keys="⇧ ←" /> l’en sort, <Kbd keys="d" /> ouvre ce choix, <Kbd keys="Suppr" />{' '}
        supprime.
      </p>
    </form>
  );
}
