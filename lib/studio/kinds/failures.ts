import { generation as sentences } from '#lib/messages/studio.ts';
import type { GatewayCharge, ProviderFailure } from '#lib/providers/ports.ts';
import type { Failed, Outcome, PaidNotDelivered } from '../generation/outcome.ts';

/** A provider's failure as the row tells it: one code, a sentence for the cases that a person can act on. */
export function providerFailure(failure: ProviderFailure): Failed {
  const message = sentenceOf(failure);
  return {
    result: 'failed',
    code: 'provider-failure',
    errorMessage: `${failure.reason} (${failure.retrySafe}, ${failure.attempts} attempts, ${failure.elapsedMs} ms)${
      failure.status === undefined ? '' : ` HTTP ${failure.status}`
    }: ${failure.detail}`,
    ...(message ? { message } : {}),
    ...(failure.paid ? { paid: paidLoss(failure) } : {}),
    ...(failure.gatewayGenerationId ? { gatewayGenerationId: failure.gatewayGenerationId } : {}),
  };
}

/** The provider was paid and a step of ours lost the file; with what the provider took, when it said so. */
export function paidLoss({ costMicros }: GatewayCharge): PaidNotDelivered {
  return { reason: 'step-failed', ...(costMicros === undefined ? {} : { costMicros }) };
}

/** A fault of ours as it ends a row: refunded, with the technical detail on the row alone. */
export function stepFailed(fault: unknown): Failed {
  const errorMessage = fault instanceof Error ? `${fault.name}: ${fault.message}` : 'unknown';
  return { result: 'failed', code: 'internal-error', errorMessage, fault };
}

/**
 * Runs what is done with a provider's answer once it is paid for: a fault of ours in it ends the row as `internal-error`, and
 * says what was paid for nothing.
 */
export async function oncePaid(charge: GatewayCharge, work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    return {
      ...stepFailed(error),
      paid: paidLoss(charge),
      ...(charge.gatewayGenerationId ? { gatewayGenerationId: charge.gatewayGenerationId } : {}),
    };
  }
}

function sentenceOf(failure: ProviderFailure): string | undefined {
  switch (failure.reason) {
    case 'timeout':
      return sentences.timeout;
    case 'content-refused':
      return sentences.contentRefused;
    case 'quota-exhausted':
      return sentences.providerQuota;
    default:
      return undefined;
  }
}
