import type { Micros } from '#lib/core/money.ts';
import type { CostFacts } from '../generation/outcome.ts';
import type { Params } from '../generation/params.ts';
import { DIVERGENCE_PERCENT, IMPLAUSIBLE_FACTOR, IMPLAUSIBLE_MICROS } from '../limits.ts';

export type Cost = {
  costMicros: Micros;
  costSource: NonNullable<Params['costSource']>;
  /** The gateway's figure, when it is more than 20 % above or below the formula's. */
  divergentMicros: Micros | null;
};

/**
 * What the member is debited: the gateway's figure when there is one, else what was counted, else the formula. A figure that
 * cannot be true debits what was held, and no more: a person looks at it first.
 */
export function decideCost(facts: CostFacts, heldMicros: Micros): Cost {
  const { formulaMicros, gatewayMicros } = facts;
  if (gatewayMicros === undefined || gatewayMicros < 0n)
    return {
      costMicros: formulaMicros,
      costSource: facts.fromUsage ? 'usage' : 'formula',
      divergentMicros: null,
    };
  const gap = gatewayMicros > formulaMicros ? gatewayMicros - formulaMicros : formulaMicros - gatewayMicros;
  const divergentMicros = gap * 100n > formulaMicros * DIVERGENCE_PERCENT ? gatewayMicros : null;
  if (isImplausible(gatewayMicros, formulaMicros > heldMicros ? formulaMicros : heldMicros))
    return { costMicros: heldMicros, costSource: 'reserve', divergentMicros };
  return { costMicros: gatewayMicros, costSource: 'gateway', divergentMicros };
}

/** `expected`: the larger of the formula and of what was held. */
function isImplausible(gatewayMicros: Micros, expected: Micros): boolean {
  if (gatewayMicros > expected * IMPLAUSIBLE_FACTOR) return true;
  return gatewayMicros > IMPLAUSIBLE_MICROS && gatewayMicros * 100n > expected * (100n + DIVERGENCE_PERCENT);
}
