import { ServiceError } from '#lib/core/errors.ts';

/** The most that an account is given of either: past it somebody typed something else. */
const MAX_ALLOWANCE = 100_000_000;

/** Refuses what is no capacity in CU, or no number of reads a month. Errors: `invalid_request` naming the field. */
export function refuseAllowance(field: 'capacityCu' | 'contractualReads', value: number): void {
  if (Number.isInteger(value) && value >= 0 && value <= MAX_ALLOWANCE) return;
  throw new ServiceError('invalid_request', {
    message: `${field}\u00a0: il faut un nombre entier entre 0 et ${MAX_ALLOWANCE}.`,
    problems: [{ field, message: 'Nombre entier positif attendu.' }],
  });
}
