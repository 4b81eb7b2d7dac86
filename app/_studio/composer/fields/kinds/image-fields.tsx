'use client';
import { CASE_LABELS } from '#app/_studio/words.ts';
import { Field } from '#app/_ui/form/field.tsx';
import { Input } from '#app/_ui/form/input.tsx';
import { compositionOf, EDIT_CASE, isUpscale, TRANSPARENT_CASE, UPSCALE_CASE } from '../../draft/roles.ts';
import type { FieldsProps } from '../fields.tsx';
import { Choice } from './choice.tsx';

const failing = (sentence: string | undefined) => (sentence ? { error: sentence } : {});

/** The model, the format and the seed of an image. */
export default function ImageFields({ draft, data, change, problem }: FieldsProps) {
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
            onChange={(event) => change({ seed: event.currentTarget.value })}
          />
        </Field>
      )}
    </div>
  );
}
