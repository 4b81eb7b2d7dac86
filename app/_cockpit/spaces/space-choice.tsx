'use client';
import { useState } from 'react';
import { SegmentedControl } from '#app/_ui/form/choice.tsx';
import { useForm } from '#app/_ui/form/form-context.ts';
import { Select } from '#app/_ui/form/input.tsx';
import type { SpaceAccess, SpaceRights } from '#lib/db/space-rights.ts';
import { problemsOf } from '#lib/http/actions/action-state.ts';

export type ChoosableSpace = { id: string; name: string };

type SpaceChoiceProps = {
  spaces: readonly ChoosableSpace[];
  /** The current access; null for all Spaces. */
  given: SpaceRights | null;
  /** What « Tous » includes: also the Spaces to come. */
  all: string;
  /** Whether write access can be given. */
  writes?: boolean;
};

/** The choice of all Spaces, or of some, each to read or to write. Its fields are those of `chosenSpaces`. */
export function SpaceChoice({ spaces, given, all, writes = true }: SpaceChoiceProps) {
  const { state } = useForm();
  const [reach, setReach] = useState(given === null ? 'all' : 'some');
  const [chosen, setChosen] = useState<SpaceRights>(given ?? {});
  const set = (id: string, access: SpaceAccess | '') => {
    const { [id]: _, ...others } = chosen;
    setChosen(access === '' ? others : { ...others, [id]: access });
  };
  const problems = problemsOf(state, 'spaces');
  return (
    <div data-refused={problems.length > 0 || undefined} className="flex min-w-0 flex-col gap-2">
      <span aria-hidden className="font-medium text-sm">
        Espaces
      </span>
      <SegmentedControl
        label="Espaces"
        name="reach"
        options={[
          { value: 'all', label: 'Tous' },
          { value: 'some', label: 'Certains' },
        ]}
        value={reach}
        onChange={setReach}
      />
      <input type="hidden" name="spaces" value={JSON.stringify(chosen)} />
      {reach === 'all' ? (
        <p className="text-ink-faint text-xs">{all}</p>
      ) : (
        <>
          <p className="text-ink-faint text-xs">
            Ceux qui ne sont pas ouverts ici n’existent pas&nbsp;: ni dans les listes, ni dans la recherche,
            ni dans les nombres.
          </p>
          <ul
            role="list"
            className="flex max-h-72 flex-col gap-1.5 overflow-y-auto rounded-md border border-line p-2"
          >
            {spaces.map(({ id, name }) => (
              <li
                key={id}
                className="grid grid-cols-[minmax(0,1fr)_11rem] items-center gap-3 max-sm:grid-cols-1"
              >
                <span className="wrap-anywhere text-sm">{name}</span>
                <Select
                  aria-label={`Accès à l’espace ${name}`}
                  value={chosen[id] ?? ''}
                  onChange={(event) => set(id, event.currentTarget.value as SpaceAccess | '')}
                >
                  <option value="">Aucun accès</option>
                  <option value="read">Lecture</option>
                  {writes || chosen[id] === 'write' ? (
                    <option value="write">Lecture et écriture</option>
                  ) : null}
                </Select>
              </li>
            ))}
            {spaces.length === 0 ? (
              <li className="text-ink-faint text-sm">Il n’y a pas encore d’espace.</li>
            ) : null}
          </ul>
        </>
      )}
      {problems.length > 0 ? (
        <p role="alert" className="text-fail text-sm">
          {problems.join(' ')}
        </p>
      ) : null}
    </div>
  );
}
