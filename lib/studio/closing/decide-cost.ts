import type { Micros } from '#lib/core/money.ts';
import type { CostFacts } from '../generation/outcome.ts';
import type { Params } from '../generation/params.ts';
import { DIVERGENCE_PERCENT, IMPLAUSIBLE_FACTOR, IMPLAUSIBLE_MICROS } from '../limits.ts';

export type Cost = {
  costMicros: Micros;
  costSource: NonNullable<Params['costSource']>;
  /** The gateway's figure, when it is more than 20 % above or below the formula's; or what was counted, when it cannot be true. */
  divergentMicros: Micros | null;
};

/**
 * What the member is debited: the gateway's figure when there is one, else what was counted, else the formula. A figure that
 * cannot be true, of the gateway or of the provider that counted, debits what was held, and no more: a person looks at it first.
 */
export function decideCost(facts: CostFacts, heldMicros: Micros): Cost {
  const { gatewayMicros } = facts;
  const formulaMicros = believedFormula(facts, heldMicros);
  if (gatewayMicros === undefined || gatewayMicros < 0n) {
    if (formulaMicros !== facts.formulaMicros)
      return { costMicros: heldMicros, costSource: 'reserve', divergentMicros: facts.formulaMicros };
    return {
      costMicros: formulaMicros,
      costSource: facts.fromUsage ? 'usage' : 'formula',
      divergentMicros: null,
    };
  }
  const gap = gatewayMicros > formulaMicros ? gatewayMicros - formulaMicros : formulaMicros - gatewayMicros;
  const divergentMicros = gap * 100n > formulaMicros * DIVERGENCE_PERCENT ? gatewayMicros : null;
  if (isImplausible(gatewayMicros, formulaMicros > heldMicros ? formulaMicros : heldMicros))
    return { costMicros: heldMicros, costSource: 'reserve', divergentMicros };
  return { costMicros: gatewayMicros, costSource: 'gateway', divergentMicros };
}

/**
 * What the formula says; or what was held, where its quantities are a provider's count that cannot be true: tokens and characters are a
 * stranger's word too.
 */
export function believedFormula({ formulaMicros, fromUsage }: CostFacts, heldMicros: Micros): Micros {
  return fromUsage && isImplausible(formulaMicros, heldMicros) ? heldMicros : formulaMicros;
}

/** `expected`: the larger of the formula and of what was held; of a count, what was held. */
function isImplausible(figureMicros: Micros, expected: Micros): boolean {
  if (figureMicros > expected * IMPLAUSIBLE_FACTOR) return true;
  return figureMicros > IMPLAUSIBLE_MICROS && figureMicros * 100n > expected * (100n + DIVERGENCE_PERCENT);
}
