import type { Micros } from '#lib/core/money.ts';

/** Whether a cap lets more through than before (null: none; undefined: left as it is). */
export function isRaised(before: Micros | null, after: Micros | null | undefined): boolean {
  if (before === null || after === undefined) return false;
  return after === null || after > before;
}
