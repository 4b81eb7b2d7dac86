/** The identifiers of the active span, as log lines and audit entries record them. */
type ActiveSpan = { traceId: string; spanId: string };

type Context = { getValue(key: symbol): unknown };
type Registered = { context?: { active(): Context } };

// Where `@opentelemetry/api` 1.x registers what an SDK gives it, shared by all its copies and versions (its public compatibility promise).
const API = Symbol.for('opentelemetry.js.api.1');
const SPAN = Symbol.for('OpenTelemetry Context Key SPAN');

/**
 * The active span of this process; null without telemetry. Read from the global where the OpenTelemetry API registers it, so that logging does
 * not load the API's forty-seven modules in a process that has no telemetry.
 */
export function activeSpan(): ActiveSpan | null {
  const registered = (globalThis as unknown as Record<symbol, Registered | undefined>)[API];
  const span = registered?.context?.active().getValue(SPAN) as { spanContext(): ActiveSpan } | undefined;
  return span ? span.spanContext() : null;
}
