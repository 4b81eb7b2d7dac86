import type { Micros } from '#lib/core/money.ts';
import { type PricingQuantities, requestedCostMicros } from '#lib/providers/models/pricing.ts';
import type { Generation } from '../generation/generation.ts';

/**
 * What an ended job costs by the formula, from measured quantities and the rates that its request was held at. The held amount where the case,
 * its resolution or its basis left the table of models while the job ran.
 */
export function requestedCost(
  row: Generation,
  measured: PricingQuantities,
  caseId: string = row.params.case ?? '',
): Micros {
  const { pricing = {} } = row.params;
  try {
    return requestedCostMicros(caseId, pricing, measured);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return row.heldMicros;
  }
}
