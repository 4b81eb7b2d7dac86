'use client';
import { useRouter } from 'next/navigation';
import { type FormEvent, useTransition } from 'react';
import { Button } from '#app/_ui/action/button.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Input, Select } from '#app/_ui/form/input.tsx';
import { AUDIT_FAMILIES } from '../../_cockpit/audit-words.ts';
import { auditHref } from './filters.ts';

type Props = {
  query: Record<string, string | undefined>;
  members: { id: string; name: string }[];
};

/** Action, member and period; each change is an address of its own. Without JavaScript the button sends them. */
export function FilterForm({ query, members }: Props) {
  const router = useRouter();
  const [pending, start] = useTransition();
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = Object.fromEntries(
      [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)]),
    );
    start(() => router.push(auditHref(typed), { scroll: false }));
  };
  return (
    <form
      action="/audit"
      onSubmit={apply}
      onChange={(event) => event.currentTarget.requestSubmit()}
      aria-busy={pending}
      className="mb-6 grid grid-cols-2 items-end gap-3 lg:grid-cols-[1fr_1fr_11rem_11rem_auto]"
    >
      <Field label="Action" name="action" className="max-sm:col-span-2">
        <Select defaultValue={query.action ?? ''}>
          <option value="">Toutes</option>
          {AUDIT_FAMILIES.map((family) => (
            <option key={family.value} value={family.value}>
              {family.label}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Membre" name="membre" className="max-sm:col-span-2">
        <Select defaultValue={query.membre ?? ''}>
          <option value="">Tous</option>
          {members.map((member) => (
            <option key={member.id} value={member.id}>
              {member.name}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Du" name="du">
        <Input type="date" defaultValue={query.du ?? ''} />
      </Field>
      <Field label="Au" name="au">
        <Input type="date" defaultValue={query.au ?? ''} />
      </Field>
      <Button type="submit" pending={pending} className="max-lg:col-span-2">
        Filtrer
      </Button>
    </form>
  );
}
