import type { Micros } from '#lib/core/money.ts';
import type { CostFacts } from '../generation/outcome.ts';
import type { Params } from '../generation/params.ts';
import { DIVERGENCE_PERCENT, IMPLAUSIBLE_FACTOR, IMPLAUSIBLE_MICROS } from '../limits.ts';

export type Cost = {
  costMicros: Micros;
  costSource: NonNullable<Params['costSource']>;
  /** The reported cost where it diverges: a gateway's more than 20 % off the formula, or an implausible count; else null. */
  divergentMicros: Micros | null;
};

/**
 * The amount to debit: the gateway's cost when there is one, else the provider's count, else the formula. An implausible one, of gateway or
 * provider, is replaced by the held amount, until the operator reviews it.
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
 * The formula's amount; or the held amount, where the formula used a provider's implausible count: reported tokens and characters are
 * untrusted input.
 */
export function believedFormula({ formulaMicros, fromUsage }: CostFacts, heldMicros: Micros): Micros {
  return fromUsage && isImplausible(formulaMicros, heldMicros) ? heldMicros : formulaMicros;
}

/** `expected`: for a gateway's cost, the larger of the formula and the held amount; for a count, the held amount. */
function isImplausible(figureMicros: Micros, expected: Micros): boolean {
  if (figureMicros > expected * IMPLAUSIBLE_FACTOR) return true;
  return figureMicros > IMPLAUSIBLE_MICROS && figureMicros * 100n > expected * (100n + DIVERGENCE_PERCENT);
}
