import { randomUUID } from 'node:crypto';
import type { RecordedRequest } from '../fixtures/recorded-request.ts';
import { encodeState } from '../fixtures/recorded-results.ts';
import type { TokenUsage } from '../ports.ts';

/** The price that the recorded gateway reports, in dollars, as text; undefined when it reports none. */
export function costText(request: RecordedRequest, usage?: TokenUsage): string | undefined {
  const formulaMicros = request.facts.formulaMicros?.(usage);
  if (formulaMicros === undefined || request.scenario === 'no-cost') return undefined;
  const micros = request.scenario === 'cost-divergence' ? (formulaMicros * 3n) / 2n : formulaMicros;
  return `${micros / 1_000_000n}.${String(micros % 1_000_000n).padStart(6, '0')}`;
}

/** An id that carries its own cost, so that any instance can be asked for it later. */
export function generationId(cost: string | undefined): string {
  return `gen_${encodeState({ id: randomUUID().slice(0, 8), ...(cost === undefined ? {} : { cost }) })}`;
}
