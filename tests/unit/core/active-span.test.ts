import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, context, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { afterEach, expect, test } from 'vitest';
import { activeSpan } from '#lib/core/active-span.ts';

afterEach(() => context.disable());

test('the span under way is the one that the OpenTelemetry API names, and none without telemetry', () => {
  expect(activeSpan()).toBeNull();
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
  expect(activeSpan()).toBeNull();
  const span = trace.wrapSpanContext({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 });
  context.with(trace.setSpan(context.active(), span), () => {
    expect(activeSpan()).toEqual(trace.getActiveSpan()?.spanContext());
    expect(activeSpan()).toMatchObject({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) });
  });
  expect(activeSpan()).toBeNull();
});
