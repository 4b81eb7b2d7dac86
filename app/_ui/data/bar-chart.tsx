import type { CSSProperties } from 'react';
import { cx } from '../cx.ts';
import { number } from '../format.ts';

type BarDatum = {
  /** Stable key and full label, e.g. `3 novembre`. */
  label: string;
  /** Shown under the axis if there is room, e.g. `3`. */
  short?: string;
  value: number;
  /** A day in the future, or whose value is not known yet. */
  pending?: boolean;
};

type BarChartProps = {
  /** The title: what the values of the chart mean. */
  title: string;
  data: BarDatum[];
  format?: (value: number) => string;
  /** A horizontal line, e.g. the daily share of a quota. */
  limit?: { value: number; label: string };
  height?: 96 | 128 | 176;
  className?: string;
};

/** The smallest round number at or above `value`: 1, 2, 2.5, 5 or 10 times a power of ten. */
function niceCeiling(value: number): number {
  if (value <= 0) return 1;
  const magnitude = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 2.5, 5, 10].map((step) => step * magnitude).find((step) => step >= value) ?? value;
}

/**
 * A bar chart without client JavaScript (a chart library weighs 97 KB). Each bar shows its exact value in a tooltip, and has it for assistive technology. A day takes two
 * elements: the styles of `.bars` draw its bar and its label under the axis.
 */
export function BarChart({ title, data, format = number, limit, height = 128, className }: BarChartProps) {
  const top = niceCeiling(Math.max(limit?.value ?? 0, ...data.map((datum) => datum.value)));
  const share = (value: number) => `${(Math.max(0, value) / top) * 100}%`;
  const barOf = (value: number) =>
    value > 0 ? ({ '--bar': `max(2px, ${share(value)})` } as CSSProperties) : undefined;
  const every = Math.ceil(data.length / 8);
  return (
    <figure className={cx('min-w-0 pb-5', className)}>
      <figcaption className="mb-3 font-medium text-sm">{title}</figcaption>
      <div className={cx('relative border-line border-y', { 96: 'h-24', 128: 'h-32', 176: 'h-44' }[height])}>
        {/* The top of the scale is written on its own line: beside the title it would read as a total. */}
        {data.some(({ value }) => value > 0) ? (
          <span className="tabular absolute top-0.5 left-0 z-10 bg-surface/80 px-1 text-ink-faint text-xs">
            Échelle&nbsp;: {format(top)} en haut
          </span>
        ) : null}
        {limit ? (
          <div
            className="absolute inset-x-0 z-10 border-warn border-t border-dashed"
            style={{ bottom: share(limit.value) }}
            data-tip={limit.label}
          >
            <span className="absolute right-0 bottom-0.5 bg-surface/80 px-1 text-warn text-xs">
              {limit.label}
            </span>
          </div>
        ) : null}
        <ol role="list" className="bars flex h-full items-end gap-px sm:gap-0.5">
          {data.map((datum, index) => {
            const words = `${datum.label}\u00a0: ${datum.pending ? 'à venir' : format(datum.value)}`;
            return (
              <li
                key={datum.label}
                data-tip={words}
                data-short={index % every === 0 ? (datum.short ?? datum.label) : undefined}
                style={barOf(datum.value)}
              >
                <span className="sr-only">{words}</span>
              </li>
            );
          })}
        </ol>
      </div>
    </figure>
  );
}
