'use client';
import { ChevronDown } from 'lucide';
import { type ComponentProps, useState } from 'react';
import { Icon } from '#app/_ui/icon.tsx';
import { cx } from '../cx.ts';
import { count, number } from '../format.ts';
import { useControl } from './field.tsx';

const CONTROL =
  'w-full min-w-0 rounded-md border border-line-strong bg-surface text-ink transition-colors hover:border-ink-faint disabled:opacity-55 aria-invalid:border-fail pointer-coarse:text-base text-sm';

/**
 * A one-line text field. Takes its name, identifier and refusal from the surrounding `Field`. It has no `maxLength`, which would cut a pasted text
 * silently: the server names the field and its limit.
 */
export function Input({ className, mono, ...own }: { mono?: boolean } & ComponentProps<'input'>) {
  return (
    <input
      {...own}
      {...useControl(own)}
      className={cx(CONTROL, 'touch h-9 px-3', mono && 'font-mono', className)}
    />
  );
}

type TextareaProps = {
  /** Always shows the number of characters, against `maxLength` if it is set. */
  counter?: boolean;
  mono?: boolean;
} & ComponentProps<'textarea'>;

/**
 * A multi-line text field; grows with its text up to 60 % of the screen. A text longer than `maxLength` is kept and marked as too long. The number of
 * characters is shown from 80 % of `maxLength` on.
 */
export function Textarea({ className, counter, mono, maxLength, onInput, ...own }: TextareaProps) {
  const control = useControl(own);
  const [length, setLength] = useState(
    String(own.value ?? control.defaultValue ?? own.defaultValue ?? '').length,
  );
  const shown = own.value === undefined ? length : String(own.value).length;
  const over = maxLength !== undefined && shown > maxLength;
  const counted = counter || (maxLength !== undefined && shown > maxLength * 0.8);
  return (
    <>
      <textarea
        rows={4}
        {...own}
        {...control}
        aria-invalid={over || control['aria-invalid']}
        onInput={(event) => {
          setLength(event.currentTarget.value.length);
          onInput?.(event);
        }}
        className={cx(
          CONTROL,
          'field-sizing-content max-h-[60vh] min-h-20 resize-y px-3 py-2',
          mono && 'font-mono',
          className,
        )}
      />
      {counted ? (
        <p
          className={cx('tabular text-right text-xs', over ? 'font-medium text-fail' : 'text-ink-faint')}
          aria-live="off"
        >
          {maxLength === undefined ? count(shown, 'caractère') : `${number(shown)} / ${number(maxLength)}`}
          {over ? (
            <span role="alert" className="sr-only">
              {' '}
              · trop long
            </span>
          ) : null}
        </p>
      ) : null}
    </>
  );
}

/** A select with the system's own picker, the best one on a phone. */
export function Select({ className, children, ...own }: ComponentProps<'select'>) {
  return (
    <span className="relative block min-w-0">
      <select
        {...own}
        {...useControl(own)}
        className={cx(CONTROL, 'touch h-9 appearance-none truncate pr-9 pl-3', className)}
      >
        {children}
      </select>
      <Icon
        of={ChevronDown}
        size={16}
        className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-ink-faint"
      />
    </span>
  );
}
