'use client';
import { type ReactNode, useId } from 'react';
import { problemsOf } from '#lib/http/actions/action-state.ts';
import { useForm } from './form-context.ts';

type Props = {
  legend: string;
  /** Name of the boxes in the form and in `problems`. */
  name: string;
  children: ReactNode;
};

/** Boxes that answer one question. A refusal is shown above the first box, which takes the focus (`Form`). */
export function ChoiceGroup({ legend, name, children }: Props) {
  const id = useId();
  const problems = problemsOf(useForm().state, name);
  const isRefused = problems.length > 0;
  return (
    <fieldset
      data-refused={isRefused || undefined}
      aria-describedby={isRefused ? id : undefined}
      className="flex flex-col gap-2.5"
    >
      <legend className="mb-2 font-medium text-sm">{legend}</legend>
      {isRefused ? (
        <p id={id} className="text-fail text-sm">
          {problems.join(' ')}
        </p>
      ) : null}
      {children}
    </fieldset>
  );
}
