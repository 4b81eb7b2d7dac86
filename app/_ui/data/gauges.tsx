// biome-ignore-all lint/a11y/useSemanticElements: the native meter cannot be drawn alike in every browser
import type { CSSProperties, ReactNode } from 'react';
import { cx } from '../cx.ts';
import { number } from '../format.ts';

type RingProps = {
  /** 0 to 100. */
  value: number;
  /** What the ring measures, for assistive technology and on hover: « Couverture ». */
  label: string;
  size?: 16 | 20 | 32 | 64;
  /** Colour class of the stroke, e.g. a pillar's `text-identity`. */
  className?: string;
};

const RADIUS = 16;

/** A percentage as a ring; at 64 px the number is written inside. */
export function Ring({ value, label, size = 20, className = 'text-accent-ink' }: RingProps) {
  const part = Math.min(100, Math.max(0, value));
  const width = size >= 64 ? 3 : size >= 32 ? 4 : 6;
  const middle = RADIUS + width / 2;
  const box = `0 0 ${2 * middle} ${2 * middle}`;
  const words = `${label}\u00a0: ${Math.round(part)}\u00a0%`;
  const lines = (
    <>
      <circle cx={middle} cy={middle} r={RADIUS} className="stroke-line" />
      {part > 0 ? (
        <circle
          cx={middle}
          cy={middle}
          r={RADIUS}
          pathLength={100}
          strokeDasharray={`${part} 100`}
          strokeLinecap={part < 100 ? 'round' : 'butt'}
          className="stroke-current"
        />
      ) : null}
    </>
  );
  if (size < 64)
    return (
      <svg
        role="img"
        aria-label={words}
        data-tip={words}
        width={size}
        height={size}
        viewBox={box}
        fill="none"
        strokeWidth={width}
        className={cx('shrink-0 -rotate-90', className)}
      >
        {lines}
      </svg>
    );
  return (
    <span
      role="img"
      aria-label={words}
      data-tip={words}
      className={cx('relative inline-grid shrink-0 place-items-center', className)}
    >
      <svg
        aria-hidden
        width={size}
        height={size}
        viewBox={box}
        fill="none"
        strokeWidth={width}
        className="-rotate-90"
      >
        {lines}
      </svg>
      <span aria-hidden className="tabular absolute font-semibold text-base text-ink">
        {Math.round(part)}
      </span>
    </span>
  );
}

type MeterProps = {
  label: string;
  used: number;
  total: number;
  /** Formats a quantity; with French thousands by default. */
  format?: (value: number) => string;
  unit?: string;
  /** Shown under the bar: when the quota renews, what happens once it is used up. */
  hint?: ReactNode;
  className?: string;
};

/** How much of a limit is used: amber from 90 %, red from 100 %. */
export function Meter({ label, used, total, format = number, unit, hint, className }: MeterProps) {
  const share = total > 0 ? Math.min(1, used / total) : used > 0 ? 1 : 0;
  const words = `${format(used)} / ${format(total)}${unit ? `\u00a0${unit}` : ''}`;
  return (
    <div className={cx('min-w-0', className)}>
      <div className="mb-1.5 flex items-baseline justify-between gap-3 text-sm">
        <span className="truncate text-ink-soft">{label}</span>
        <span className="tabular whitespace-nowrap font-medium">{words}</span>
      </div>
      <Bar share={share} label={label} words={words} />
      {hint ? <p className="mt-1.5 text-ink-faint text-xs">{hint}</p> : null}
    </div>
  );
}

/** The bar of a `Meter` alone. `share`: 0 to 1. */
export function Bar({ share, label, words }: { share: number; label: string; words: string }) {
  const fill = share >= 1 ? 'before:bg-fail' : share >= 0.9 ? 'before:bg-warn-fill' : 'before:bg-accent-ink';
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      aria-valuetext={words}
      style={{ '--filled': `${Math.min(1, Math.max(0, share)) * 100}%` } as CSSProperties}
      className={cx(
        'h-1.5 overflow-hidden rounded-full bg-line before:block before:h-full before:w-(--filled) before:rounded-full forced-colors:border',
        fill,
        share > 0 && 'before:min-w-1',
      )}
    />
  );
}

type ProgressProps = {
  label: string;
  /** 0 to 1; absent while the total is unknown. */
  value?: number;
  className?: string;
};

/** The progress of an upload or an import. */
export function Progress({ label, value, className }: ProgressProps) {
  const known = value !== undefined;
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={known ? Math.round(value * 100) : undefined}
      className={cx('h-1.5 overflow-hidden rounded-full bg-line', className)}
    >
      <div
        className={cx('h-full rounded-full bg-run transition-[width]', !known && 'w-1/3 animate-breathe')}
        style={known ? { width: `${value * 100}%` } : undefined}
      />
    </div>
  );
}
