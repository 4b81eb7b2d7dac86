'use client';
import { CASE_LABELS } from '#app/_studio/words.ts';
import { Switch } from '#app/_ui/form/choice.tsx';
import type { FieldsProps } from '../fields.tsx';
import { Choice } from './choice.tsx';

/** The model and the settings of a video; only the settings of the model are shown. */
export default function VideoFields({ draft, data, change, problem }: FieldsProps) {
  const { limits } = data.cases[draft.videoCase] ?? { limits: {} };
  const audio = limits.audio ?? 'choice';
  return (
    <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
      <Choice
        label="Modèle"
        value={draft.videoCase}
        options={data.videoCases}
        format={(id) => CASE_LABELS[id] ?? String(id)}
        onChange={(videoCase) => change({ videoCase })}
      />
      {limits.durationsSeconds ? (
        <Choice
          label="Durée"
          value={draft.durationSeconds}
          options={limits.durationsSeconds}
          usual={String(limits.durationsSeconds[0])}
          format={(seconds) => `${seconds}\u00a0s`}
          error={problem('durationSeconds')}
          onChange={(durationSeconds) => change({ durationSeconds })}
        />
      ) : null}
      {limits.aspectRatios ? (
        <Choice
          label="Format"
          value={draft.videoRatio}
          options={limits.aspectRatios}
          usual={limits.aspectRatios[0] ?? ''}
          error={problem('aspectRatio')}
          onChange={(videoRatio) => change({ videoRatio })}
        />
      ) : null}
      {limits.resolutions ? (
        <Choice
          label="Définition"
          value={draft.resolution}
          options={limits.resolutions}
          usual={limits.resolutions[0] ?? ''}
          error={problem('resolution')}
          onChange={(resolution) => change({ resolution })}
        />
      ) : null}
      {audio === 'choice' ? (
        <Switch
          label="Avec le son"
          className="self-center sm:col-span-2"
          checked={draft.audio}
          onChange={(event) => change({ audio: event.currentTarget.checked })}
        />
      ) : (
        <p className="self-center text-ink-soft text-sm sm:col-span-2">
          {audio === 'always' ? 'Ce modèle fait toujours le son.' : 'Ce modèle ne fait pas de son.'}
          {limits.durationsSeconds ? '' : ' La durée est celle du clip fourni.'}
        </p>
      )}
      {problem('startImage', 'endImage', 'characters', 'clips', 'frames-and-references') ? (
        <p className="text-fail text-sm sm:col-span-2 xl:col-span-4">
          {problem('startImage', 'endImage', 'characters', 'clips', 'frames-and-references')}
        </p>
      ) : null}
    </div>
  );
}
