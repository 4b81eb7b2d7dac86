import { usd, usdThat } from '#app/_ui/format.ts';
import { type Micros, microsFromUsd } from '#lib/core/money.ts';

/** Dollars of the API as micro-dollars. */
export const micros = (value: number): Micros => microsFromUsd(value);
/** Dollars of the API in words. */
export const dollars = (value: number): string => usd(microsFromUsd(value));
/** Dollars of the API that are held, in words. */
export const heldDollars = (value: number): string => usdThat(microsFromUsd(value), 'retenu');
