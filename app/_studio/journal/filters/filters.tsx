'use client';
import { X } from 'lucide';
import Link from 'next/link';
import { useAddress } from '#app/_cockpit/address/use-address.ts';
import { focusBeside } from '#app/_cockpit/focus/focus-beside.ts';
import { FilterChip } from '#app/_ui/data/filter-chip.tsx';
import { date } from '#app/_ui/format.ts';
import { Icon } from '#app/_ui/icon.tsx';
import { FILE_STATE_LABELS } from '#lib/messages/storage.ts';
import { KIND_LABELS } from '#lib/messages/studio.ts';
import { DISPLAYED_STATUSES, STATUS_LABELS } from '#lib/studio/generation/status-labels.ts';
import type { SavedFilter } from '#lib/studio/saved-filters/saved-filters.ts';
import { CASE_LABELS } from '../../words.ts';
import { FilterForm } from './filter-form.tsx';
import { type FilterName, type JournalAddress, journalHref, type Query } from './query.ts';
import { SavedFilters } from './saved-filters.tsx';

const REVIEWS = {
  'to-review': FILE_STATE_LABELS.GENERATED,
  approved: FILE_STATE_LABELS.APPROVED,
  rejected: FILE_STATE_LABELS.REJECTED,
  delivered: FILE_STATE_LABELS.DELIVERED,
} as const;
const KINDS = Object.keys(KIND_LABELS) as (keyof typeof KIND_LABELS)[];

type Props = {
  query: Query;
  address: JournalAddress;
  products: { id: string; name: string }[];
  members: { id: string; name: string }[];
};
type FiltersProps = Props & { saved: SavedFilter[]; total: number };

/** The filters of the API: kind, status and review as chips, the others in one row. Each active filter can be removed. */
export default function Filters({ query, address, products, members, saved, total }: FiltersProps) {
  const { search, pending, ask } = useAddress();
  const asked = (name: FilterName) => search.get(name) ?? '';
  // All filters go through one address, so that none is computed from an address that is about to be replaced.
  const put = (name: FilterName, value: string, how?: 'push') => ask({ [name]: value }, how);
  const chip = (name: 'kind' | 'status' | 'review', value: string, label: string) => {
    const active = asked(name) === value;
    return (
      <FilterChip
        key={value}
        href={journalHref(query, { [name]: active ? null : value })}
        onGo={() => put(name, active ? '' : value, 'push')}
        label={label}
        active={active}
      />
    );
  };
  return (
    <div className="mb-5 flex flex-col gap-2.5">
      <ChipRow label="Type">
        <FilterChip
          href={journalHref(query, { kind: null })}
          onGo={() => put('kind', '', 'push')}
          label="Tout"
          active={asked('kind') === ''}
        />
        {KINDS.map((kind) => chip('kind', kind.toLowerCase(), KIND_LABELS[kind]))}
      </ChipRow>
      <ChipRow label="État">
        {DISPLAYED_STATUSES.map((status) => chip('status', status, STATUS_LABELS[status]))}
      </ChipRow>
      <ChipRow label="Vérification">
        {Object.entries(REVIEWS).map(([review, label]) => chip('review', review, label))}
      </ChipRow>
      <FilterForm asked={asked} ask={put} pending={pending} products={products} members={members} />
      <InForce
        query={query}
        address={address}
        products={products}
        members={members}
        takeAway={(name) => put(name, '', 'push')}
      />
      <SavedFilters saved={saved} address={address} total={total} />
    </div>
  );
}

function ChipRow({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <nav aria-label={label} className="-mx-4 overflow-x-auto px-4 py-0.5 sm:-mx-1 sm:px-1">
      <div className="flex w-max gap-1.5 sm:w-auto sm:flex-wrap">{children}</div>
    </nav>
  );
}

type InForceProps = Props & { takeAway: (name: FilterName) => void };

function InForce({ query, address, products, members, takeAway }: InForceProps) {
  const { asked: filters } = address;
  const named = (list: { id: string; name: string }[], id: string) =>
    list.find((one) => one.id === id)?.name ?? id;
  const chips: [FilterName, string][] = [];
  if (filters.q) chips.push(['q', `«\u00a0${filters.q}\u00a0»`]);
  if (filters.case) chips.push(['case', CASE_LABELS[filters.case] ?? filters.case]);
  if (filters.productId) chips.push(['productId', named(products, filters.productId)]);
  if (filters.memberId) chips.push(['memberId', named(members, filters.memberId)]);
  if (filters.from) chips.push(['from', `depuis le ${date(filters.from)}`]);
  if (filters.to) chips.push(['to', `jusqu’au ${date(filters.to)}`]);
  if (chips.length === 0) return null;
  return (
    <ul role="list" aria-label="Filtres en vigueur" className="flex flex-wrap gap-1.5">
      {chips.map(([name, label]) => (
        <li key={name} className="max-w-full">
          <Link
            ref={focusBeside}
            href={journalHref(query, { [name]: null })}
            scroll={false}
            onNavigate={(event) => {
              event.preventDefault();
              takeAway(name);
            }}
            aria-label={`Retirer le filtre ${label}`}
            className="touch inline-flex h-8 max-w-full items-center gap-1.5 rounded-full bg-accent-soft pr-2 pl-3 font-medium text-accent-ink text-sm"
          >
            <span className="truncate">{label}</span>
            <Icon of={X} size={14} className="shrink-0" />
          </Link>
        </li>
      ))}
    </ul>
  );
}
