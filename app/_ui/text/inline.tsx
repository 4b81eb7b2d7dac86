import { cx } from '../cx.ts';
import { bytes, number, usd } from '../format.ts';

/** An amount in micro-dollars; the exact amount on hover if the display rounds it. */
export function Money({
  micros,
  signed,
  className,
}: {
  micros: bigint;
  signed?: boolean;
  className?: string;
}) {
  const rounded = micros % 100n !== 0n;
  return (
    <span
      data-tip={rounded ? `${number(micros)}\u00a0millionièmes de dollar` : undefined}
      className={cx('tabular whitespace-nowrap font-mono text-[0.9375em]', className)}
    >
      {signed && micros > 0n ? '+' : ''}
      {usd(micros)}
    </span>
  );
}

/** A size in bytes; the exact number on hover. */
export function Bytes({ value, className }: { value: number; className?: string }) {
  return (
    <span data-tip={`${number(value)}\u00a0octets`} className={cx('tabular whitespace-nowrap', className)}>
      {bytes(value)}
    </span>
  );
}

/** An identifier, a key's prefix or a path, in a monospaced font; the whole text on hover if it is truncated. */
export function Mono({ children, className }: { children: string; className?: string }) {
  return (
    <code
      className={cx('inline-block max-w-full truncate align-bottom font-mono text-[0.9375em]', className)}
    >
      {children}
    </code>
  );
}

/** A text whose ranges `[start, end)` are marked; the ranges may overlap, be out of order or out of bounds. */
export function Highlight({
  text,
  ranges,
}: {
  text: string;
  ranges: readonly (readonly [number, number])[];
}) {
  const sorted = ranges
    .map(([start, end]) => [Math.max(0, start), Math.min(text.length, end)] as const)
    .filter(([start, end]) => start < end)
    .sort((a, b) => a[0] - b[0]);
  const parts: { text: string; marked: boolean; at: number }[] = [];
  let at = 0;
  for (const [start, end] of sorted) {
    if (end <= at) continue;
    const from = Math.max(at, start);
    if (from > at) parts.push({ text: text.slice(at, from), marked: false, at });
    parts.push({ text: text.slice(from, end), marked: true, at: from });
    at = end;
  }
  if (at < text.length) parts.push({ text: text.slice(at), marked: false, at });
  return <>{parts.map((part) => (part.marked ? <mark key={part.at}>{part.text}</mark> : part.text))}</>;
}
