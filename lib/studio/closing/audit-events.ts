import type { AuditAction, AuditDetail, AuditEvent } from '#lib/core/audit.ts';
import { usdFromMicros } from '#lib/core/money.ts';
import type { Generation } from '../generation/generation.ts';
import type { Delivered, PaidNotDelivered } from '../generation/outcome.ts';
import { believedFormula, type Cost } from './decide-cost.ts';

type Subject = Pick<Generation, 'id' | 'accountId'>;

/** An audit entry about a row. */
export function audit<A extends AuditAction & `generation.${string}`>(
  row: Subject,
  action: A,
  data: AuditDetail<A>,
): AuditEvent {
  return {
    action,
    accountId: row.accountId,
    subject: { type: 'generation', id: row.id },
    data,
  } as AuditEvent;
}

/** The audit entry of a generation that the provider was paid for and the member did not get. */
export function paidNotDelivered(row: Subject, paid: PaidNotDelivered): AuditEvent {
  const { costMicros, ...facts } = paid;
  return audit(row, 'generation.paid_not_delivered', {
    ...facts,
    ...(costMicros === undefined ? {} : { costUsd: usdFromMicros(costMicros) }),
  });
}

/** The audit entry of a gateway's cost far from the formula's, or of a provider's count far from the held amount; none when they agree. */
export function divergence(row: Generation, outcome: Delivered, cost: Cost): AuditEvent[] {
  if (cost.divergentMicros === null) return [];
  return [
    audit(row, 'generation.cost_divergence', {
      gatewayCostUsd: usdFromMicros(cost.divergentMicros),
      formulaCostUsd: usdFromMicros(believedFormula(outcome.cost, row.heldMicros)),
      gatewayGenerationId:
        outcome.cost.gatewayGenerationId ?? outcome.gatewayGenerationId ?? row.gatewayGenerationId,
      // The debited amount is added only where it differs from the reported cost: an implausible cost was not debited.
      ...(cost.costSource === 'reserve' ? { debitedUsd: usdFromMicros(cost.costMicros) } : {}),
      ...(cost.divergentMicros === outcome.cost.gatewayMicros ? {} : { isCount: true as const }),
    }),
  ];
}
