import { Field } from '#app/_ui/form/field.tsx';
import { Select } from '#app/_ui/form/input.tsx';

const failing = (sentence: string | undefined) => (sentence ? { error: sentence } : {});

/** A choice among the options of a model. */
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
  /** The option that is shown if none of them is chosen. */
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
