import { z } from 'zod';
import { microsFromUsd } from '#lib/core/money.ts';

const AMOUNT = /^\d{1,7}([.,]\d{1,6})?$/;

/**
 * A schema for an amount as a person types it (« 12,50 », « 1 000 », with or without « $US »), in micro-dollars. `problem` is the message of a
 * refusal.
 */
export function typedAmount(problem: string) {
  return z
    .string()
    .transform((text) => text.replace(/\s|\$\s?US|\$/gi, ''))
    .refine((text) => AMOUNT.test(text), problem)
    .transform((text) => microsFromUsd(text.replace(',', '.')));
}

/** The same for an optional amount: an empty field gives null. */
export function typedAmountOrNone(problem: string) {
  return z
    .string()
    .transform((text) => text.replace(/\s|\$\s?US|\$/gi, ''))
    .refine((text) => text === '' || AMOUNT.test(text), problem)
    .transform((text) => (text === '' ? null : microsFromUsd(text.replace(',', '.'))));
}
