'use client';
import { Bookmark, Download, Ellipsis } from 'lucide';
import { useState } from 'react';
import { act } from '#app/_cockpit/act.ts';
import { AskedDownload } from '#app/_cockpit/downloads/asked-download.tsx';
import { focusBeside } from '#app/_cockpit/focus/focus-beside.ts';
import { buttonClass } from '#app/_ui/action/button.tsx';
import { Menu } from '#app/_ui/action/menu.tsx';
import { FilterChip } from '#app/_ui/data/filter-chip.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Form, FormFoot } from '#app/_ui/form/form.tsx';
import { Input } from '#app/_ui/form/input.tsx';
import { ShownInput } from '#app/_ui/form/shown-input.tsx';
import { Icon } from '#app/_ui/icon.tsx';
import { Dialog, DialogButton } from '#app/_ui/overlay/dialog.tsx';
import { toast } from '#app/_ui/toast.ts';
import { useRefresh } from '#app/_ui/use-refresh.ts';
import type { SavedFilter } from '#lib/studio/saved-filters/saved-filters.ts';
import { deleteFilterAction, renameFilterAction, restoreFilterAction, saveFilterAction } from './actions.ts';
import { apiQuery, type JournalAddress } from './query.ts';

type Props = {
  saved: SavedFilter[];
  address: JournalAddress;
  /** The number of generations found: with none, nothing can be exported. */
  total: number;
};

/** The same text for the same filters, whatever the order of their parameters. */
const sorted = (query: string) => [...new URLSearchParams(query)].map(String).sort().join('&');

/** The member's saved filters, and the actions on the current filters: save them, export the generations found. */
export function SavedFilters({ saved, address, total }: Props) {
  // Saved filters keep days; the export gets times.
  const query = apiQuery(address.asked);
  const exported = apiQuery(address.filters);
  const current = saved.find((one) => sorted(one.query) === sorted(query));
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {saved.length > 0 ? (
        <nav aria-label="Mes filtres" className="flex max-w-full flex-wrap gap-1.5">
          {saved.map((one) => (
            <FilterChip
              key={one.id}
              href={`/journal?${one.query}`}
              label={<span className="max-w-56 truncate">{one.name}</span>}
              active={one.id === current?.id}
            />
          ))}
        </nav>
      ) : null}
      {current ? (
        <Kept filter={current} />
      ) : query === '' ? null : (
        <span ref={focusBeside} className="contents">
          <DialogButton
            label="Enregistrer ces filtres"
            icon={Bookmark}
            size="sm"
            variant="quiet"
            title="Enregistrer ces filtres"
          >
            {(close) => <SaveForm query={query} saved={saved} close={close} />}
          </DialogButton>
        </span>
      )}
      {total > 0 ? (
        <AskedDownload
          href={`/api/generations/export${exported ? `?${exported}` : ''}`}
          className={buttonClass('quiet', 'sm')}
        >
          <Icon of={Download} size={16} strokeWidth={1.75} />
          Exporter en CSV
        </AskedDownload>
      ) : null}
    </div>
  );
}

function SaveForm({ query, saved, close }: { query: string; saved: SavedFilter[]; close: () => void }) {
  // As the form opened: another tab may save a filter meanwhile.
  const [shown] = useState(() => Object.fromEntries(saved.map((one) => [one.name, one.query])));
  return (
    <Form action={saveFilterAction} onDone={close} className="flex flex-col gap-4">
      <input type="hidden" name="query" value={query} />
      <ShownInput shown={shown} />
      <Field
        label="Nom"
        name="name"
        required
        hint={'Pour vous seul\u00a0; un nom déjà pris désigne alors ces filtres-ci.'}
      >
        <Input autoComplete="off" autoFocus />
      </Field>
      <FormFoot close={close} label="Enregistrer le filtre" />
    </Form>
  );
}

function RenameForm({ filter, close }: { filter: SavedFilter; close: () => void }) {
  // As the form opened: another tab may rename the filter meanwhile.
  const [shown] = useState(filter);
  return (
    <Form action={renameFilterAction} onDone={close} className="flex flex-col gap-4">
      <input type="hidden" name="savedFilterId" value={shown.id} />
      <ShownInput shown={{ name: shown.name }} />
      <Field label="Nom" name="name" required>
        <Input defaultValue={shown.name} autoComplete="off" autoFocus />
      </Field>
      <FormFoot close={close} label="Renommer" />
    </Form>
  );
}

/** The actions on the saved filter that is active. */
function Kept({ filter }: { filter: SavedFilter }) {
  const refresh = useRefresh();
  const [naming, setNaming] = useState(false);
  const forget = async () => {
    const done = await act(deleteFilterAction({ savedFilterId: filter.id }));
    if (!done?.data) return;
    const { name, query } = done.data;
    refresh();
    toast({
      title: `Filtre «\u00a0${name}\u00a0» supprimé`,
      undo: {
        run: async () => {
          const again = await act(restoreFilterAction({ name, query }));
          refresh();
          return again !== null;
        },
      },
    });
  };
  return (
    <span ref={focusBeside} className="contents">
      <Menu
        label={`Actions sur le filtre ${filter.name}`}
        align="start"
        items={[
          { label: 'Renommer', onSelect: () => setNaming(true) },
          { label: 'Supprimer', tone: 'danger', onSelect: () => void forget() },
        ]}
        className="touch grid size-8 place-items-center rounded-md text-ink-soft hover:bg-hover hover:text-ink"
      >
        <Icon of={Ellipsis} size={16} />
      </Menu>
      <Dialog open={naming} onOpenChange={setNaming} title="Renommer le filtre">
        <RenameForm filter={filter} close={() => setNaming(false)} />
      </Dialog>
    </span>
  );
}
