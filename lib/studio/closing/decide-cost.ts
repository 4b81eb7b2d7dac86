import type { Micros } from '#lib/core/money.ts';
import type { CostFacts } from '../generation/outcome.ts';
import { DIVERGENCE_PERCENT } from '../limits.ts';

export type Cost = {
  costMicros: Micros;
  costSource: 'gateway' | 'usage' | 'formula';
  /** The gateway's figure is more than 20 % above or below the formula's. */
  diverges: boolean;
};

/** What the member is debited: the gateway's figure when there is one, else what was counted, else the formula. */
export function decideCost(facts: CostFacts): Cost {
  const { formulaMicros, gatewayMicros } = facts;
  if (gatewayMicros !== undefined && gatewayMicros >= 0n) {
    const gap = gatewayMicros > formulaMicros ? gatewayMicros - formulaMicros : formulaMicros - gatewayMicros;
    const diverges = gap * 100n > formulaMicros * DIVERGENCE_PERCENT;
    return { costMicros: gatewayMicros, costSource: 'gateway', diverges };
  }
  return { costMicros: formulaMicros, costSource: facts.fromUsage ? 'usage' : 'formula', diverges: false };
}
