import { usd } from '#app/_ui/format.ts';

/** Dollars in words, from the ordinary number that a chart or a meter is drawn with. */
export const usdOf = (dollars: number): string => usd(BigInt(Math.round(dollars * 1_000_000)));
