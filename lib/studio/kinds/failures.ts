import { generation as sentences } from '#lib/messages/studio.ts';
import type { FailureReason, GatewayCharge, JobFailed, ProviderFailure } from '#lib/providers/ports.ts';
import type { Failed, Outcome, PaidNotDelivered } from '../generation/outcome.ts';

/** A provider's failure as the row tells it: one code, a sentence for the cases that a person can act on. */
export function providerFailure(failure: ProviderFailure): Failed {
  // What was not sent was refused by nobody else.
  const isOurs = failure.reason === 'invalid-request' && failure.retrySafe === 'surely-not-sent';
  const message = isOurs ? undefined : sentenceOf(failure.reason);
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

/** The provider was paid and a step of ours lost the file; with the amount that it charged, when known. */
export function paidLoss({ costMicros }: GatewayCharge): PaidNotDelivered {
  return { reason: 'step-failed', ...(costMicros === undefined ? {} : { costMicros }) };
}

/** A fault of ours as it ends a row: refunded, with the technical detail on the row alone. */
export function stepFailed(fault: unknown): Failed {
  const errorMessage = fault instanceof Error ? `${fault.name}: ${fault.message}` : 'unknown';
  return { result: 'failed', code: 'internal-error', errorMessage, fault };
}

/**
 * Runs the processing of a provider's answer that is already paid: one of our own faults ends the row as `internal-error`, and records the
 * payment without delivery.
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

const SENTENCES: Partial<Record<FailureReason | JobFailed['reason'], string>> = {
  timeout: sentences.timeout,
  unreachable: sentences.providerUnreachable,
  'rate-limited': sentences.providerBusy,
  unauthorized: sentences.keyRefused,
  'missing-permission': sentences.keyRefused,
  'not-found': sentences.notFoundThere,
  'content-refused': sentences.contentRefused,
  'quota-exhausted': sentences.providerQuota,
  'invalid-request': sentences.requestRefused,
  'denied-by-rule': sentences.deniedByRule,
  'input-unreadable': sentences.inputUnreadable,
  'input-too-long': sentences.inputTooLong,
  'input-size': sentences.inputSize,
  'no-face': sentences.noFace,
};

/** The sentence for a provider's reason that a person can act on; undefined where the code says as much. */
export function sentenceOf(reason: FailureReason | JobFailed['reason']): string | undefined {
  return SENTENCES[reason];
}
