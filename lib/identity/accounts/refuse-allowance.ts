import { ServiceError } from '#lib/core/errors.ts';

/** The largest capacity or number of reads: a greater number is a typing error. */
const MAX_ALLOWANCE = 100_000_000;

/** Throws `invalid_request`, naming the field, for a number that is no capacity in CU or no number of reads a month. */
export function refuseAllowance(field: 'capacityCu' | 'contractualReads', value: number): void {
  if (Number.isInteger(value) && value >= 0 && value <= MAX_ALLOWANCE) return;
  throw new ServiceError('invalid_request', {
    message: `${field}\u00a0: il faut un nombre entier entre 0 et ${MAX_ALLOWANCE}.`,
    problems: [{ field, message: 'Nombre entier positif attendu.' }],
  });
}
