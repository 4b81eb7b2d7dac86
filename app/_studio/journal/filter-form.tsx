'use client';
import { Search, SlidersHorizontal } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useRef, useState } from 'react';
import { Button } from '#app/_ui/action/button.tsx';
import { cx } from '#app/_ui/cx.ts';
import { Input, Select } from '#app/_ui/form/input.tsx';
import { CASE_LABELS } from '../words.ts';
import { journalHref, type Query } from './query.ts';

/** Cases that say more than the type does. */
const CASES = Object.keys(CASE_LABELS).filter((id) => !['vector', 'voice', 'render'].includes(id));

type Named = { id: string; name: string };

/** The filters that have too many values for chips. Each applies at once; the text when the typing pauses. */
export function FilterForm({
  query,
  products,
  members,
}: {
  query: Query;
  products: Named[];
  members: Named[];
}) {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const apply = (name: string, value: string) =>
    router.replace(journalHref(query, { [name]: value.trim() || null, comparer: null }), { scroll: false });
  const select = (name: string, label: string, every: string, options: Named[]) => (
    <Select
      aria-label={label}
      name={name}
      defaultValue={query[name] ?? ''}
      onChange={(event) => apply(name, event.currentTarget.value)}
      className="max-w-44"
    >
      <option value="">{every}</option>
      {options.map((one) => (
        <option key={one.id} value={one.id}>
          {one.name}
        </option>
      ))}
    </Select>
  );
  return (
    <search>
      <form
        action="/journal"
        onSubmit={(event) => {
          event.preventDefault();
          clearTimeout(timer.current);
          apply('q', String(new FormData(event.currentTarget).get('q') ?? ''));
        }}
        className="flex flex-wrap items-center gap-2"
      >
        <span className="relative min-w-44 grow sm:max-w-72">
          <Search
            aria-hidden
            size={16}
            className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-ink-faint"
          />
          <Input
            type="search"
            name="q"
            data-search
            aria-label="Chercher dans les demandes"
            placeholder="Chercher dans les demandes"
            defaultValue={query.q ?? ''}
            maxLength={200}
            className="pl-9"
            onInput={(event) => {
              const { value } = event.currentTarget;
              clearTimeout(timer.current);
              timer.current = setTimeout(() => apply('q', value), 500);
            }}
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
          <span className="flex items-center gap-1.5 text-ink-soft text-sm">
            du
            <Input
              type="date"
              name="from"
              aria-label="Depuis le"
              defaultValue={query.from?.slice(0, 10) ?? ''}
              onChange={(event) => apply('from', event.currentTarget.value)}
              className="w-36"
            />
            au
            <Input
              type="date"
              name="to"
              aria-label="Jusqu’au"
              defaultValue={query.to?.slice(0, 10) ?? ''}
              onChange={(event) => apply('to', event.currentTarget.value)}
              className="w-36"
            />
          </span>
        </div>
      </form>
    </search>
  );
}
