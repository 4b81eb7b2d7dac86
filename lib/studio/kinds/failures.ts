import { generation as sentences } from '#lib/messages/studio.ts';
import type { ProviderFailure } from '#lib/providers/ports.ts';
import type { Failed } from '../lifecycle/outcome.ts';

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
    ...(failure.gatewayGenerationId ? { gatewayGenerationId: failure.gatewayGenerationId } : {}),
  };
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
