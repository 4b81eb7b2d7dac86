'use client';
import { type ComponentProps, createContext, type ReactNode, useContext, useId } from 'react';
import { problemsOf } from '#lib/http/actions/action-state.ts';
import { cx } from '../cx.ts';
import { useForm } from './form-context.ts';

type FieldContextValue = {
  id: string;
  name: string | undefined;
  describedBy: string | undefined;
  invalid: boolean;
  required: boolean;
  typed: string[] | undefined;
};
const FieldContext = createContext<FieldContextValue | null>(null);

/** What the surrounding `Field` gives to its control; null outside a `Field`. */
export function useField() {
  return useContext(FieldContext);
}

type OwnControl = Pick<
  ComponentProps<'input'>,
  'id' | 'name' | 'defaultValue' | 'aria-invalid' | 'aria-describedby'
>;

/** Attributes of a text control: its own and those of its field. */
export function useControl(own: OwnControl) {
  const field = useField();
  return {
    id: own.id ?? field?.id,
    name: own.name ?? field?.name,
    required: field?.required || undefined,
    'aria-describedby': cx(field?.describedBy, own['aria-describedby']) || undefined,
    'aria-invalid': field?.invalid || own['aria-invalid'] || undefined,
    ...(field?.typed ? { defaultValue: field.typed[0] } : {}),
  };
}

type FieldProps = {
  label: ReactNode;
  /** Name of the field in the form and in `problems`. */
  name?: string;
  hint?: ReactNode;
  /** A refusal that is not in the form's own state. */
  error?: string;
  required?: boolean;
  /** Shows « facultatif » after the label. */
  optional?: boolean;
  /** Shows the label to assistive technology only. */
  hideLabel?: boolean;
  className?: string;
  children: ReactNode;
};

/** The label, control, hint and refusal of one field, linked for assistive technology. */
export function Field({
  label,
  name,
  hint,
  error,
  required,
  optional,
  hideLabel,
  className,
  children,
}: FieldProps) {
  const id = useId();
  const { state } = useForm();
  const problems = [...(error ? [error] : []), ...(name ? problemsOf(state, name) : [])];
  const invalid = problems.length > 0;
  const describedBy = cx(invalid && `${id}-error`, hint != null && `${id}-hint`) || undefined;
  const typed = name && state.status === 'refused' ? state.values?.[name] : undefined;
  return (
    <FieldContext value={{ id, name, describedBy, invalid, required: required ?? false, typed }}>
      <div className={cx('flex min-w-0 flex-col gap-1.5', className)}>
        <label htmlFor={id} className={cx('font-medium text-sm', hideLabel && 'sr-only')}>
          {label}
          {optional ? <span className="font-normal text-ink-faint"> · facultatif</span> : null}
        </label>
        {children}
        {invalid ? (
          <p id={`${id}-error`} className="text-fail text-sm">
            {problems.join(' ')}
          </p>
        ) : null}
        {hint != null ? (
          <p id={`${id}-hint`} className="text-ink-faint text-xs">
            {hint}
          </p>
        ) : null}
      </div>
    </FieldContext>
  );
}
