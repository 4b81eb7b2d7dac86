// biome-ignore-all lint/a11y/useAriaPropsForRole: a native checkbox says by itself whether it is checked
'use client';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { problemsOf } from '#lib/http/actions/action-state.ts';
import { cx } from '../cx.ts';
import { useForm } from './form-context.ts';
import { useStrip } from './use-strip.ts';

type ToggleProps = { label: ReactNode; hint?: ReactNode } & Omit<ComponentProps<'input'>, 'type'>;

function useTypedCheck(own: ComponentProps<'input'>): { defaultChecked?: boolean } {
  const { state } = useForm();
  if (!own.name || own.checked !== undefined || state.status !== 'refused' || !state.values) return {};
  return { defaultChecked: state.values[own.name]?.includes(String(own.value ?? 'on')) ?? false };
}

/** A checkbox with its label. After a refusal it keeps what was ticked. */
export function Checkbox({ label, hint, className, ...own }: ToggleProps) {
  const id = useId();
  return (
    <label
      className={cx('flex min-h-6 cursor-pointer items-start gap-2.5 text-sm pointer-coarse:py-2', className)}
    >
      <input
        {...own}
        {...useTypedCheck(own)}
        type="checkbox"
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="check"
      />
      <Words id={id} label={label} hint={hint} />
    </label>
  );
}

/** An on/off switch, for settings that apply at once, without a form. */
export function Switch({ label, hint, className, ...own }: ToggleProps) {
  const id = useId();
  return (
    <label
      className={cx('flex min-h-6 cursor-pointer items-start gap-3 text-sm pointer-coarse:py-2', className)}
    >
      <span className="relative mt-px h-5 w-9 shrink-0">
        <input
          {...own}
          {...useTypedCheck(own)}
          type="checkbox"
          role="switch"
          aria-describedby={hint ? `${id}-hint` : undefined}
          className="peer absolute inset-0 appearance-none rounded-full border border-line-strong bg-sunken transition-colors checked:border-accent checked:bg-accent disabled:opacity-55"
        />
        <span className="pointer-events-none absolute top-1 left-1 size-3 rounded-full bg-line-strong transition-transform peer-checked:translate-x-4 peer-checked:bg-on-accent" />
      </span>
      <Words id={id} label={label} hint={hint} />
    </label>
  );
}

function Words({ id, label, hint }: { id: string; label: ReactNode; hint: ReactNode }) {
  return (
    <span className="min-w-0">
      {label}
      {hint ? (
        <span id={`${id}-hint`} className="block text-ink-faint text-xs">
          {hint}
        </span>
      ) : null}
    </span>
  );
}

type SegmentedProps = {
  /** Name of the group for assistive technology. */
  label: string;
  name: string;
  options: { value: string; label: string; icon?: ReactNode; disabled?: boolean }[];
  value?: string;
  defaultValue?: string;
  onChange?: (value: string) => void;
  className?: string;
};

/** A few exclusive choices side by side: a group of radio buttons, with its arrow keys. A refused one takes the focus (`Form`). */
export function SegmentedControl({
  label,
  name,
  options,
  value,
  defaultValue,
  onChange,
  className,
}: SegmentedProps) {
  const { state } = useForm();
  const typed = state.status === 'refused' ? state.values?.[name]?.[0] : undefined;
  const start = typed ?? defaultValue ?? options[0]?.value;
  const { strip, fade } = useStrip(value);
  const id = useId();
  const problems = problemsOf(state, name);
  const isRefused = problems.length > 0;
  return (
    <fieldset
      data-refused={isRefused || undefined}
      aria-describedby={isRefused ? id : undefined}
      className={cx('min-w-0 max-w-full', className)}
    >
      <legend className="sr-only">{label}</legend>
      <div
        ref={strip}
        style={fade}
        className="relative inline-flex max-w-full gap-0.5 overflow-x-auto rounded-md border border-line bg-sunken p-0.5"
      >
        {options.map((option) => (
          <label
            key={option.value}
            // Touch targets have a minimum width: without shrink-0, the labels would be squeezed instead of scrolled.
            className="segment touch shrink-0 gap-1.5 whitespace-nowrap px-2.5 transition-colors has-disabled:opacity-55 has-focus-visible:-outline-offset-2"
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              disabled={option.disabled}
              {...(value === undefined
                ? { defaultChecked: option.value === start }
                : { checked: option.value === value })}
              onChange={() => onChange?.(option.value)}
            />
            {option.icon}
            {option.label}
          </label>
        ))}
      </div>
      {isRefused ? (
        <p id={id} className="mt-1.5 text-fail text-sm">
          {problems.join(' ')}
        </p>
      ) : null}
    </fieldset>
  );
}
