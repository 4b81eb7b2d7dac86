'use client';
import { LoaderCircle, Search, SlidersHorizontal } from 'lucide';
import { useState } from 'react';
import { useTyped } from '#app/_cockpit/use-typed.ts';
import { Button } from '#app/_ui/action/button.tsx';
import { cx } from '#app/_ui/cx.ts';
import { DayInput } from '#app/_ui/form/day-input.tsx';
import { Input, Select } from '#app/_ui/form/input.tsx';
import { Icon } from '#app/_ui/icon.tsx';
import { withChosen } from '../../with-chosen.ts';
import { CASE_LABELS } from '../../words.ts';
import type { FilterName } from './query.ts';

/** The cases that say more than the kind does. */
const CASES = Object.keys(CASE_LABELS).filter((id) => !['vector', 'voice', 'render'].includes(id));

type Named = { id: string; name: string };

type FilterFormProps = {
  /** The value that the address asks for, or is about to ask for. */
  asked: (name: FilterName) => string;
  ask: (name: FilterName, value: string) => void;
  pending: boolean;
  products: Named[];
  members: Named[];
};

/** The filters with too many values for chips. Each applies at once: the text when typing pauses, a date when it is complete. */
export function FilterForm({ asked, ask, pending, products, members }: FilterFormProps) {
  const [open, setOpen] = useState(false);
  const { text, setText, send } = useTyped(asked('q'), (q) => ask('q', q), 400);
  const select = (name: FilterName, label: string, every: string, options: Named[]) => (
    <Select
      aria-label={label}
      name={name}
      value={asked(name)}
      onChange={(event) => ask(name, event.currentTarget.value)}
      className="max-w-44"
    >
      <option value="">{every}</option>
      {/* A filter of the address that is not offered, as a product of a former registry: the field would say that there is none. */}
      {withChosen(options, asked(name), CASE_LABELS[asked(name)] ?? asked(name)).map((one) => (
        <option key={one.id} value={one.id}>
          {one.name}
        </option>
      ))}
    </Select>
  );
  const icon = pending ? LoaderCircle : Search;
  return (
    <search aria-busy={pending}>
      <form
        action="/journal"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
        className="flex flex-wrap items-center gap-2"
      >
        <span className="relative min-w-44 grow sm:max-w-72">
          <Icon
            of={icon}
            size={16}
            className={cx(
              'pointer-events-none absolute top-1/2 left-3 -mt-2 text-ink-faint',
              pending && 'animate-turn',
            )}
          />
          <Input
            type="search"
            name="q"
            data-search
            aria-label="Chercher dans les demandes"
            placeholder="Chercher dans les demandes"
            value={text}
            // Above the searched length: the page says that a pasted text is too long; the browser would cut it silently.
            maxLength={2_000}
            className="pl-9"
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </span>
        <Button
          icon={SlidersHorizontal}
          aria-expanded={open}
          onClick={() => setOpen((now) => !now)}
          className="sm:hidden"
        >
          Filtres
        </Button>
        <div className={cx('flex flex-wrap items-center gap-2', !open && 'max-sm:hidden')}>
          {select(
            'case',
            'Cas',
            'Tous les cas',
            CASES.map((id) => ({ id, name: CASE_LABELS[id] ?? id })),
          )}
          {select('productId', 'Produit', 'Tous les produits', products)}
          {members.length > 1 ? select('memberId', 'Membre', 'Tous les membres', members) : null}
          <span className="flex flex-wrap items-center gap-1.5 text-ink-soft text-sm">
            du
            <DayInput
              name="from"
              aria-label="Depuis le"
              value={asked('from').slice(0, 10)}
              onDay={(day) => ask('from', day)}
              className="w-36!"
            />
            au
            <DayInput
              name="to"
              aria-label="Jusqu’au"
              value={asked('to').slice(0, 10)}
              onDay={(day) => ask('to', day)}
              className="w-36!"
            />
          </span>
        </div>
      </form>
    </search>
  );
}
