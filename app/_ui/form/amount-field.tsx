import { Field } from './field.tsx';
import { Input } from './input.tsx';

type AmountFieldProps = { label: string; name: string; hint: string; value: string };

/** An amount that may be left empty: dollars, gigabytes. */
export function AmountField({ label, name, hint, value }: AmountFieldProps) {
  return (
    <Field label={label} name={name} hint={hint}>
      <Input mono inputMode="decimal" autoComplete="off" defaultValue={value} />
    </Field>
  );
}
