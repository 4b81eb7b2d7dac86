'use client';
import { LoaderCircle, Search } from 'lucide';
import { useAddress } from '#app/_cockpit/address/use-address.ts';
import { useTyped } from '#app/_cockpit/use-typed.ts';
import { Switch } from '#app/_ui/form/choice.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Select } from '#app/_ui/form/input.tsx';
import { Icon } from '#app/_ui/icon.tsx';

type SearchControlsProps = {
  spaces: { id: string; name: string }[];
  pillars: { value: string; label: string }[];
};

/** The search field and its filters. They are kept in the address, so that a search can be shared and opened again. */
export function SearchControls({ spaces, pillars }: SearchControlsProps) {
  const { search, pending, ask } = useAddress();
  const { text, setText, send } = useTyped(search.get('q') ?? '', (q) => ask({ q }));

  return (
    <search className="mb-6 block">
      <form
        action="/recherche"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <div className="relative">
          <label htmlFor="q" className="sr-only">
            Mots à chercher
          </label>
          {pending ? (
            <Icon
              of={LoaderCircle}
              size={20}
              className="absolute top-1/2 left-4 -mt-2.5 animate-turn text-ink-faint"
            />
          ) : (
            <Icon
              of={Search}
              size={20}
              strokeWidth={1.75}
              className="absolute top-1/2 left-4 -mt-2.5 text-ink-faint"
            />
          )}
          <input
            id="q"
            name="q"
            type="search"
            data-search
            // Above the searched length, so that the page can say that a pasted text is cut; the browser would cut it silently.
            maxLength={2_000}
            autoComplete="off"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            placeholder="Un mot, un nom, une expression"
            className="h-12 w-full rounded-md border border-line-strong bg-surface pr-4 pl-12 text-base hover:border-ink-faint"
          />
        </div>
        <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2">
          <Field label="Espace" hideLabel className="w-56 max-sm:w-full">
            <Select
              name="espace"
              value={search.get('espace') ?? ''}
              onChange={(event) => ask({ espace: event.currentTarget.value })}
            >
              <option value="">Tous les espaces</option>
              {spaces.map((space) => (
                <option key={space.id} value={space.id}>
                  {space.name}
                </option>
              ))}
            </Select>
          </Field>
          <Field label="Pilier" hideLabel className="w-56 max-sm:w-full">
            <Select
              name="pilier"
              value={search.get('pilier') ?? ''}
              onChange={(event) => ask({ pilier: event.currentTarget.value })}
            >
              <option value="">Tous les piliers</option>
              {pillars.map((pillar) => (
                <option key={pillar.value} value={pillar.value}>
                  {pillar.label}
                </option>
              ))}
            </Select>
          </Field>
          <Switch
            label="Grouper par espace"
            checked={search.get('groupe') === 'espace'}
            onChange={(event) => ask({ groupe: event.currentTarget.checked ? 'espace' : '' })}
          />
        </div>
      </form>
    </search>
  );
}
