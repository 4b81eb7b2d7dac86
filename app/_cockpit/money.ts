import { usd } from '#app/_ui/format.ts';

/** An amount with its sign: `+ 25,00 $US`, `− 0,0421 $US`; `0,00 $US` without one. */
export function signedUsd(micros: bigint, digits?: number): string {
  if (micros === 0n) return usd(0n, digits);
  return micros > 0n ? `+\u00a0${usd(micros, digits)}` : `−\u00a0${usd(-micros, digits)}`;
}

/** The number of decimals, two to four, with which the amounts of a column align. */
export function usdDigits(column: readonly bigint[]): number {
  const needed = (micros: bigint) => (micros % 10_000n === 0n ? 2 : micros % 1_000n === 0n ? 3 : 4);
  return column.reduce((most, micros) => Math.max(most, needed(micros)), 2);
}

/** Micro-dollars as a person types them, for the value of a field: `12,5`; empty for null. */
export function editableUsd(micros: bigint | null): string {
  if (micros === null) return '';
  const whole = micros / 1_000_000n;
  const rest = (micros % 1_000_000n).toString().padStart(6, '0').replace(/0+$/, '');
  return rest ? `${whole},${rest}` : String(whole);
}

/** The address of the path with these parameters, without the undefined or empty ones. */
export function withQuery(path: string, query: Record<string, string | undefined>): string {
  const kept = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]));
  return kept.length > 0 ? `${path}?${new URLSearchParams(kept)}` : path;
}
