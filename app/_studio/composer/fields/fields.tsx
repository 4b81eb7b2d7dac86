'use client';
import { CASE_LABELS } from '#app/_studio/words.ts';
import { Checkbox } from '#app/_ui/form/choice.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Input, Select, Textarea } from '#app/_ui/form/input.tsx';
import type { ComposerData, Draft } from '../draft/draft.ts';
import { compositionOf, EDIT_CASE, isUpscale, TRANSPARENT_CASE, UPSCALE_CASE } from '../draft/roles.ts';
import type { Change } from '../draft/use-draft.ts';

export type FieldsProps = {
  draft: Draft;
  data: ComposerData;
  change: Change;
  /** The sentence about a field, if it was refused. */
  problem: (...names: string[]) => string | undefined;
  /** Sending was asked for once: what is still empty is then worth a word. */
  asked: boolean;
};

/** An error as `Field` takes it: absent when there is none. */
const failing = (sentence: string | undefined) => (sentence ? { error: sentence } : {});

/** One choice among what a model offers. */
export function Choice({
  label,
  value,
  options,
  usual,
  format = String,
  error,
  onChange,
}: {
  label: string;
  value: string;
  options: readonly (string | number)[];
  /** What is taken when nothing is chosen. */
  usual?: string;
  format?: (option: string | number) => string;
  error?: string | undefined;
  onChange: (value: string) => void;
}) {
  const known = options.some((option) => String(option) === value);
  return (
    <Field label={label} {...failing(error)}>
      <Select value={known ? value : (usual ?? '')} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map((option) => (
          <option key={option} value={String(option)}>
            {format(option)}
          </option>
        ))}
      </Select>
    </Field>
  );
}

/** What is asked in words, the skills that join it, and the Brain's context. */
export function BriefFields({ draft, data, change, problem }: FieldsProps) {
  const skills = data.skills.filter((skill) => skill.kinds.includes(draft.kind));
  return (
    <>
      <Field label="Demande" required {...failing(problem('brief'))}>
        <Textarea
          data-autofocus
          rows={5}
          counter
          maxLength={8000}
          value={draft.brief}
          placeholder={
            draft.kind === 'vector'
              ? 'Une bougie vue de face, la flamme au centre'
              : 'Bougie ambrée posée sur une table en chêne, lumière du matin'
          }
          onChange={(event) => change({ brief: event.currentTarget.value })}
        />
      </Field>
      {skills.length > 0 ? (
        <fieldset className="min-w-0">
          <legend className="mb-1.5 font-medium text-sm">
            Savoir-faire <span className="font-normal text-ink-faint">· facultatif</span>
          </legend>
          <div className="flex flex-wrap gap-x-5 gap-y-2">
            {skills.map((skill) => (
              <Checkbox
                key={skill.id}
                label={skill.label}
                checked={draft.skills.includes(skill.id)}
                onChange={() =>
                  change((before) => ({
                    skills: before.skills.includes(skill.id)
                      ? before.skills.filter((id) => id !== skill.id)
                      : [...before.skills, skill.id],
                  }))
                }
              />
            ))}
          </div>
        </fieldset>
      ) : null}
      {data.spaces.length > 0 ? (
        <Field
          label="Contexte d’un espace"
          optional
          hint="Son contexte se joint au prompt, et consomme une lecture à l’envoi. L’aperçu n’en consomme aucune."
          {...failing(problem('spaceId'))}
        >
          <Select value={draft.spaceId} onChange={(event) => change({ spaceId: event.currentTarget.value })}>
            <option value="">Aucun</option>
            {data.spaces.map((space) => (
              <option key={space.id} value={space.id}>
                {space.name}
              </option>
            ))}
          </Select>
        </Field>
      ) : null}
    </>
  );
}

/** Model, format and seed of an image. */
export function ImageFields({ draft, data, change, problem }: FieldsProps) {
  const limits = data.cases[draft.imageCase]?.limits;
  const ratios = limits?.aspectRatios ?? ['1:1'];
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <Choice
        label="Modèle"
        value={draft.imageCase}
        options={['image-fast', 'image-best', TRANSPARENT_CASE, EDIT_CASE, UPSCALE_CASE]}
        format={(id) => CASE_LABELS[id] ?? String(id)}
        onChange={(imageCase) => change({ imageCase })}
      />
      {isUpscale(draft) ? (
        <Choice
          label="Agrandissement"
          value={draft.scale}
          options={limits?.scales ?? [2]}
          usual="2"
          format={(scale) => `${scale}\u00a0fois plus large et plus haute`}
          error={problem('scale')}
          onChange={(scale) => change({ scale })}
        />
      ) : draft.imageCase === EDIT_CASE ? (
        <p className="self-center text-ink-soft text-sm">Le format est celui de l’image de départ.</p>
      ) : compositionOf(draft) ? (
        <p className="self-center text-ink-soft text-sm">Le format est celui du produit.</p>
      ) : (
        <Choice
          label="Format"
          value={draft.imageRatio}
          options={ratios}
          usual="1:1"
          error={problem('aspectRatio')}
          onChange={(imageRatio) => change({ imageRatio })}
        />
      )}
      {limits?.seed === 'never' ? null : (
        <Field label="Graine" optional {...failing(problem('seed'))}>
          <Input
            inputMode="numeric"
            value={draft.seed}
            placeholder="au hasard"
            onChange={(event) => change({ seed: event.currentTarget.value.replace(/\D/g, '').slice(0, 10) })}
          />
        </Field>
      )}
    </div>
  );
}
