'use client';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useAddress } from '#app/_cockpit/address/use-address.ts';
import { useTyped } from '#app/_cockpit/use-typed.ts';
import { Checkbox } from '#app/_ui/form/choice.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Select, Textarea } from '#app/_ui/form/input.tsx';
import { Slider } from '#app/_ui/form/slider.tsx';
import { count, number } from '#app/_ui/format.ts';
import { isComposing } from '#app/_ui/text/composing.ts';
import type { PillarRole } from '#lib/brain/templates.ts';
import { charsAt, placeOf, STEPS, USUAL_SIZES } from './scale.ts';

const PAUSE_MS = 200;
/** In characters; more than a search accepts. The page then says that the question is too long instead of cutting what was pasted. */
const LONGEST_QUESTION = 2_000;

type ControlsProps = {
  spaces: { id: string; name: string }[];
  spaceId: string;
  /** The icons come from the server: importing those of all templates would add them to the page's scripts. */
  pillars: { role: PillarRole; label: string; icon: ReactNode; asked: boolean }[];
  maxChars: number;
  q: string;
  /** Whether anything matches `q`; null without a question. */
  answered: boolean | null;
};

/** The choices of the page: Space, question, pillars, length. They are kept in the address, so that it can be shared. */
export function Controls({ spaces, spaceId, pillars, maxChars, q, answered }: ControlsProps) {
  const { pending, ask } = useAddress();
  const { text, setText, send } = useTyped(q, (asked) => ask({ q: asked }));
  const [chars, setChars] = useState(maxChars);
  const [asked, setAsked] = useState(() => pillars.filter((pillar) => pillar.asked).map(({ role }) => role));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  // The controls follow the address (« back », a shared link), but an answer that arrives late does not undo a newer choice.
  const shown = pillars.filter((pillar) => pillar.asked).map(({ role }) => role);
  const settled = `${shown.join()}|${maxChars}`;
  // A layout effect runs before the next press; an ordinary effect could run after it, and undo it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the page shows is said by its words
  useLayoutEffect(() => {
    if (pending || timer.current !== undefined) return;
    setAsked(shown);
    setChars(maxChars);
  }, [settled, pending]);

  const toggle = (role: PillarRole, on: boolean) => {
    const next = pillars
      .map((pillar) => pillar.role)
      .filter((one) => (one === role ? on : asked.includes(one)));
    // A context needs at least one pillar: the last one stays.
    if (next.length === 0) return;
    setAsked(next);
    ask({ piliers: next.length === pillars.length ? '' : next.join(',') });
  };
  const slide = (place: number) => {
    const value = charsAt(place);
    setChars(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      timer.current = undefined;
      ask({ max: String(value) });
    }, PAUSE_MS);
  };
  return (
    <div className="space-y-6" aria-busy={pending}>
      <Field label="Espace">
        <Select value={spaceId} onChange={(event) => ask({ espace: event.currentTarget.value })}>
          {spaces.map((space) => (
            <option key={space.id} value={space.id}>
              {space.name}
            </option>
          ))}
        </Select>
      </Field>
      <search>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            send();
          }}
        >
          <Field
            label="À propos de"
            hint={
              answered === null
                ? 'Une question, des mots\u00a0: la place va à ce qui répond.'
                : answered
                  ? 'La place va d’abord à ce qui répond.'
                  : 'Rien n’y répond\u00a0: voici le contexte sans sujet.'
            }
          >
            {/* A question may be longer than the column, so the field grows. */}
            <Textarea
              rows={1}
              className="min-h-9 resize-none"
              autoComplete="off"
              value={text}
              enterKeyHint="search"
              onChange={(event) =>
                setText(event.currentTarget.value.replace(/[\r\n]+/g, ' ').slice(0, LONGEST_QUESTION))
              }
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return;
                event.preventDefault();
                send();
              }}
              placeholder="Tout l’espace"
            />
          </Field>
        </form>
      </search>
      <fieldset>
        <legend className="mb-2 font-medium text-sm">Piliers</legend>
        <div className="space-y-2">
          {pillars.map(({ role, label, icon }) => (
            <Checkbox
              key={role}
              checked={asked.includes(role)}
              onChange={(event) => toggle(role, event.currentTarget.checked)}
              label={
                <span className="inline-flex items-center gap-2">
                  {icon}
                  {label}
                </span>
              }
            />
          ))}
        </div>
        {/* Rendered before it has content: a live region added together with its text is not always announced. */}
        <p role="status" className="mt-2 text-ink-faint text-xs empty:mt-0">
          {asked.length === 1 ? 'Un contexte a au moins un pilier\u00a0: le dernier reste coché.' : null}
        </p>
      </fieldset>
      <Field
        label={`Longueur au plus\u00a0: ${count(chars, 'caractère')}`}
        hint="Environ quatre caractères par jeton d’un modèle."
      >
        <Slider
          min={0}
          max={STEPS}
          value={placeOf(chars)}
          onChange={slide}
          format={(place) => `${number(charsAt(place))} caractères`}
          marks={USUAL_SIZES.map((size) => ({
            value: placeOf(size),
            label: `${size / 1000}\u00a0k`,
          }))}
          className="pr-2"
        />
      </Field>
    </div>
  );
}
