'use client';
import { withChosen } from '#app/_studio/with-chosen.ts';
import { Checkbox } from '#app/_ui/form/choice.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Select, Textarea } from '#app/_ui/form/input.tsx';
import type { ComposerData, Draft } from '../draft/draft.ts';
import type { Change } from '../draft/use-draft.ts';

export type FieldsProps = {
  draft: Draft;
  data: ComposerData;
  change: Change;
  /** The refusal of the first of these fields that was refused, if any. */
  problem: (...names: string[]) => string | undefined;
  /** Whether the send button was pressed: refusals of empty fields are shown from then on. */
  asked: boolean;
};

/** The `error` property of a `Field`; absent without a refusal. */
const failing = (sentence: string | undefined) => (sentence ? { error: sentence } : {});

/** The text of the request, its skills, and the Space that gives it context. */
export function BriefFields({ draft, data, change, problem }: FieldsProps) {
  const skills = data.skills.filter((skill) => skill.kinds.includes(draft.kind));
  const spaces = withChosen(data.spaces, draft.spaceId, 'Espace introuvable');
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
      {spaces.length > 0 ? (
        <Field
          label="Contexte d’un espace"
          optional
          hint="Son contexte se joint au prompt, et consomme une lecture à l’envoi. L’aperçu n’en consomme aucune."
          {...failing(problem('spaceId'))}
        >
          <Select value={draft.spaceId} onChange={(event) => change({ spaceId: event.currentTarget.value })}>
            <option value="">Aucun</option>
            {spaces.map((space) => (
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
