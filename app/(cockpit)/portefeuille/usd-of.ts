import { usd } from '#app/_ui/format.ts';

/** An amount in dollars, as text. For charts and meters, which use ordinary numbers instead of micro-dollars. */
export const usdOf = (dollars: number): string => usd(BigInt(Math.round(dollars * 1_000_000)));
