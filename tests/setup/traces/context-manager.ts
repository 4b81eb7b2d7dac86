import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, context, ROOT_CONTEXT, type Span, trace } from '@opentelemetry/api';

/** Gives the OpenTelemetry API of this process a context that follows asynchronous work, as an SDK would. `context.disable()` removes it. */
export function useContextManager(): void {
  const storage = new AsyncLocalStorage<Context>();
  context.setGlobalContextManager({
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (given, work, self, ...args) => storage.run(given, () => work.call(self as never, ...args)),
    bind: (_, target) => target,
    enable() {
      return this;
    },
    disable() {
      return this;
    },
  });
}

/** A span of the given trace. */
export const spanOf = (traceId: string): Span =>
  trace.wrapSpanContext({ traceId, spanId: 'b'.repeat(16), traceFlags: 1 });
