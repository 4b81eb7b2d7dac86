import { usd, usdThat } from '#app/_ui/format.ts';
import { type Micros, microsFromUsd } from '#lib/core/money.ts';

/** An API amount, in dollars, as micro-dollars. */
export const micros = (value: number): Micros => microsFromUsd(value);
/** An API amount, in dollars, in words. */
export const dollars = (value: number): string => usd(microsFromUsd(value));
/** A held API amount, in dollars, in words. */
export const heldDollars = (value: number): string => usdThat(microsFromUsd(value), 'retenu');
