import { type Span, SpanStatusCode, trace } from '@opentelemetry/api';
import { faultLabel } from '#lib/core/faults.ts';
import { usdFromMicros } from '#lib/core/money.ts';
import type { ProviderFailure, ProviderMode } from './ports.ts';

type TraceFacts = { mode: ProviderMode; capability: string; model?: string };

/**
 * Runs one provider call in a span `studio.provider.<capability>`. Attributes: mode, capability, model, outcome, failure
 * reason, gateway cost reported. Never a prompt, a reference, a file or a secret: nothing else is taken from the call.
 */
export async function traced<T extends { outcome: string }>(
  facts: TraceFacts,
  call: () => Promise<T | ProviderFailure>,
): Promise<T | ProviderFailure> {
  const tracer = trace.getTracer('atelier.providers');
  return tracer.startActiveSpan(`studio.provider.${facts.capability}`, async (span) => {
    span.setAttribute('studio.provider.mode', facts.mode);
    span.setAttribute('studio.provider.capability', facts.capability);
    if (facts.model) span.setAttribute('studio.provider.model', facts.model);
    try {
      const result = await call();
      describe(span, facts.capability, result);
      return result;
    } catch (error) {
      // Our own fault, not the provider's: adapters return outcomes. The message may quote an input; the label cannot.
      span.setStatus({ code: SpanStatusCode.ERROR, message: faultLabel(error) });
      throw error;
    } finally {
      span.end();
    }
  });
}

function describe(span: Span, capability: string, result: { outcome: string }): void {
  span.setAttribute('studio.provider.outcome', result.outcome);
  // Of a lipsync it is sync.so's own: no gateway is asked.
  if (!capability.startsWith('lipsync') && 'costMicros' in result && typeof result.costMicros === 'bigint')
    span.setAttribute('studio.provider.gateway_cost_usd', usdFromMicros(result.costMicros));
  if (result.outcome === 'failed' && 'reason' in result && typeof result.reason === 'string') {
    span.setAttribute('studio.provider.reason', result.reason);
    span.setStatus({ code: SpanStatusCode.ERROR, message: result.reason });
  }
}
