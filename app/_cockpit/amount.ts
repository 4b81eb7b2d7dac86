import { z } from 'zod';
import { microsFromTyped } from '#lib/core/input/typed-amount.ts';
import type { Micros } from '#lib/core/money.ts';

/** The `pattern` of a field that the browser compares, without scripts: what `typedAmount` reads. */
export const AMOUNT_PATTERN = String.raw`\s*(\$\s?([Uu][Ss])?\s*)?[0-9][0-9\s]*([.,][0-9\s]+)?(\$\s?([Uu][Ss])?)?\s*`;

/** A schema for an amount as `microsFromTyped` reads it, in micro-dollars. `problem` is the message of a refusal. */
export function typedAmount(problem: string) {
  return z.string().transform((text, check) => microsFromTyped(text) ?? refused(check, problem));
}

/** The same for an optional amount: an empty field gives null. A unit without a number is refused: it must not remove a cap. */
export function typedAmountOrNone(problem: string) {
  return z
    .string()
    .transform((text, check): Micros | null =>
      text.trim() === '' ? null : (microsFromTyped(text) ?? refused(check, problem)),
    );
}

function refused(check: z.core.$RefinementCtx<string>, message: string): never {
  check.addIssue({ code: 'custom', message });
  return z.NEVER;
}

const GIGABYTES = /^\d{1,9}([.,]\d{1,3})?$/;

/** The same for an optional number of GiB (« 12,5 », « 1 000 Go »), in bytes. */
export function typedGigabytesOrNone(problem: string) {
  return z
    .string()
    .transform((text) => (text.trim() === '' ? null : text.replace(/\s|Go(?=\s*$)/gi, '')))
    .refine((text) => text === null || GIGABYTES.test(text), problem)
    .transform((text) =>
      text === null ? null : BigInt(Math.round(Number(text.replace(',', '.')) * 1024 ** 3)),
    );
}
