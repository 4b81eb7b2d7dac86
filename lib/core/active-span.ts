/** What a log line and an audit entry keep of the span under way. */
type ActiveSpan = { traceId: string; spanId: string };

type Context = { getValue(key: symbol): unknown };
type Registered = { context?: { active(): Context } };

// Where `@opentelemetry/api` 1.x registers what an SDK gives it, shared by all its copies and versions (its public compatibility promise).
const API = Symbol.for('opentelemetry.js.api.1');
const SPAN = Symbol.for('OpenTelemetry Context Key SPAN');

/**
 * The span under way in this process, null without telemetry. Read where the OpenTelemetry API keeps it, so that a log line does not
 * load the forty-seven modules of the API in a process that has none.
 */
export function activeSpan(): ActiveSpan | null {
  const registered = (globalThis as unknown as Record<symbol, Registered | undefined>)[API];
  const span = registered?.context?.active().getValue(SPAN) as { spanContext(): ActiveSpan } | undefined;
  return span ? span.spanContext() : null;
}
