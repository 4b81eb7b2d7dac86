/** Money is an integer number of micro-dollars (1 $US = 1 000 000), held in a bigint. */
export type Micros = bigint;

export const MICROS_PER_USD = 1_000_000n;

/**
 * Reads a decimal dollar amount (provider costs come as strings such as `"0.0421337"`).
 * Rounds half up at the sixth decimal. Throws RangeError on anything that is not a finite decimal number.
 */
export function microsFromUsd(usd: string | number): Micros {
  const text = typeof usd === 'number' ? decimalText(usd) : usd.trim();
  const match = /^(-?)(\d+)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i.exec(text);
  if (!match) throw new RangeError('not a decimal dollar amount');
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const shift = 6 + Number(exponent) - fraction.length;
  const digits = BigInt(whole + fraction);
  const magnitude = shift >= 0 ? digits * 10n ** BigInt(shift) : divideHalfUp(digits, 10n ** BigInt(-shift));
  return sign === '-' ? -magnitude : magnitude;
}

function decimalText(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError('not a finite dollar amount');
  return String(value);
}

/** Integer division of non-negative numbers, rounding half up. */
function divideHalfUp(numerator: bigint, denominator: bigint): bigint {
  return (numerator * 2n + denominator) / (denominator * 2n);
}

/** Dollars as a JSON number, exact to the micro-dollar. */
export function usdFromMicros(micros: Micros): number {
  return Number(micros) / 1_000_000;
}

/** By number of digits: a format takes far longer to make than to use. */
const dollarFormats = new Map<number | undefined, Intl.NumberFormat>();

/** French display, e.g. `0,0421 $US`: two to four decimals as the amount needs, or exactly as many as told; below zero « − », which Intl does not write. */
export function formatUsd(micros: Micros, digits?: number): string {
  let format = dollarFormats.get(digits);
  if (!format) {
    format = new Intl.NumberFormat('fr-FR', {
      style: 'currency',
      currency: 'USD',
      signDisplay: 'negative',
      minimumFractionDigits: digits ?? 2,
      maximumFractionDigits: digits ?? 4,
    });
    dollarFormats.set(digits, format);
  }
  return format.format(usdFromMicros(micros)).replace('-', '−');
}
