'use client';
import type { FormEvent } from 'react';
import { useAddress } from '#app/_cockpit/address/use-address.ts';
import { AUDIT_FILTERS } from '#app/_cockpit/audit-words.ts';
import { Button } from '#app/_ui/action/button.tsx';
import { DayInput } from '#app/_ui/form/day-input.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Select } from '#app/_ui/form/input.tsx';

const NAMES = ['action', 'membre', 'du', 'au'] as const;

/** Filters by action, member and period. Each choice has its own address. Without JavaScript, a button submits the form. */
export function FilterForm({ members }: { members: { id: string; name: string }[] }) {
  const { search, pending, ask } = useAddress();
  const put = (name: (typeof NAMES)[number], value: string) => ask({ [name]: value, apres: '' }, 'push');
  const asked = (name: (typeof NAMES)[number]) => search.get(name) ?? '';
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    ask(
      { ...Object.fromEntries(NAMES.map((name) => [name, String(typed.get(name) ?? '')])), apres: '' },
      'push',
    );
  };
  return (
    <form
      action="/audit"
      onSubmit={apply}
      aria-busy={pending}
      className="mb-6 grid grid-cols-2 items-end gap-3 lg:grid-cols-[1fr_1fr_11rem_11rem_auto]"
    >
      <Field label="Action" name="action" className="max-sm:col-span-2">
        <Select value={asked('action')} onChange={(event) => put('action', event.currentTarget.value)}>
          <option value="">Toutes</option>
          {AUDIT_FILTERS.map((filter) => (
            <option key={filter.value} value={filter.value}>
              {filter.label}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Membre" name="membre" className="max-sm:col-span-2">
        <Select value={asked('membre')} onChange={(event) => put('membre', event.currentTarget.value)}>
          <option value="">Tous</option>
          {members.map((member) => (
            <option key={member.id} value={member.id}>
              {member.name}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Du" name="du">
        <DayInput value={asked('du')} onDay={(day) => put('du', day)} />
      </Field>
      <Field label="Au" name="au">
        <DayInput value={asked('au')} onDay={(day) => put('au', day)} />
      </Field>
      <Button type="submit" pending={pending} className="max-lg:col-span-2">
        Filtrer
      </Button>
    </form>
  );
}
