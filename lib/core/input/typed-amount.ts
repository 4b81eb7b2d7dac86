import { type Micros, microsFromUsd } from '../money.ts';

/** More digits than any bound has: which amount is too large, the verb says. */
const AMOUNT = /^\d{1,9}([.,]\d{1,6})?$/;

/** An amount as a person types it (« 12,50 », « 1 000 », with or without « $US »), in micro-dollars; null for a text that is none. */
export function microsFromTyped(text: string): Micros | null {
  const amount = text.replace(/\s|\$\s?US|\$/gi, '');
  return AMOUNT.test(amount) ? microsFromUsd(amount.replace(',', '.')) : null;
}
