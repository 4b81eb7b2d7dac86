'use client';
import type { CSSProperties } from 'react';
import { cx } from '../cx.ts';
import { useField } from './field.tsx';

type SliderProps = {
  /** Values with a label under the track; a click on the label selects the value. */
  marks?: { value: number; label: string }[];
  /** Formats the value for assistive technology. */
  format?: (value: number) => string;
  value: number;
  min: number;
  max: number;
  step?: number;
  /** Called while the thumb moves. */
  onChange: (value: number) => void;
  'aria-label'?: string;
  className?: string;
};

/** A slider for one number. */
export function Slider({
  marks,
  format = String,
  value,
  min,
  max,
  step,
  onChange,
  className,
  ...aria
}: SliderProps) {
  const field = useField();
  // The centre of the thumb stays half its width (9 px) away from the ends of the track.
  const place = (at: number) => `calc(9px + (100% - 18px) * ${(at - min) / (max - min)})`;
  return (
    <div className={cx('min-w-0', className)}>
      <input
        {...aria}
        id={field?.id}
        name={field?.name}
        aria-describedby={field?.describedBy}
        type="range"
        min={min}
        max={max}
        step={step}
        value={value}
        aria-valuetext={format(value)}
        onChange={(event) => onChange(event.currentTarget.valueAsNumber)}
        style={{ '--filled': `calc(9px + (100% - 18px) * ${(value - min) / (max - min)})` } as CSSProperties}
        className="range touch h-6 w-full"
      />
      {marks?.length ? (
        <div className="relative h-7 text-ink-faint text-xs pointer-coarse:h-10">
          {marks.map((mark) => (
            <button
              key={mark.value}
              type="button"
              onClick={() => onChange(mark.value)}
              style={{ left: place(mark.value) }}
              className={cx(
                'touch absolute -translate-x-1/2 whitespace-nowrap rounded-xs px-1 py-1 hover:text-ink',
                mark.value === value && 'font-medium text-accent-ink',
              )}
            >
              {mark.label}
            </button>
          ))}
        </div>
      ) : null}
    </div>
  );
}
