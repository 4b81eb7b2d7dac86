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

/** The same for an optional amount: an empty field gives null. A unit without a number is refused: it must not remove a cap. */
export function typedAmountOrNone(problem: string) {
  return typedOrNone(/\s|\$\s?US|\$/gi, AMOUNT, problem).transform((amount) =>
    amount === null ? null : microsFromUsd(amount),
  );
}

const GIGABYTES = /^\d{1,6}([.,]\d{1,3})?$/;

/** The same for an optional number of GiB (« 12,5 », « 1 000 Go »), in bytes. */
export function typedGigabytesOrNone(problem: string) {
  return typedOrNone(/\s|Go(?=\s*$)/gi, GIGABYTES, problem).transform((amount) =>
    amount === null ? null : BigInt(Math.round(Number(amount) * 1024 ** 3)),
  );
}

/** A number with a decimal point, from what was typed without what is `around` it; null for an empty field. */
function typedOrNone(around: RegExp, form: RegExp, problem: string) {
  return z
    .string()
    .transform((text) => (text.trim() === '' ? null : text.replace(around, '')))
    .refine((text) => text === null || form.test(text), problem)
    .transform((text) => text?.replace(',', '.') ?? null);
}
