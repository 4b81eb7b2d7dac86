import { context, trace } from '@opentelemetry/api';
import { afterEach, expect, test } from 'vitest';
import { activeSpan } from '#lib/core/active-span.ts';
import { spanOf, useContextManager } from '#tests/setup/traces/context-manager.ts';

afterEach(() => context.disable());

test('the span under way is the one that the OpenTelemetry API names, and none without telemetry', () => {
  expect(activeSpan()).toBeNull();
  useContextManager();
  expect(activeSpan()).toBeNull();
  const span = spanOf('a'.repeat(32));
  context.with(trace.setSpan(context.active(), span), () => {
    expect(activeSpan()).toEqual(trace.getActiveSpan()?.spanContext());
    expect(activeSpan()).toMatchObject({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) });
  });
  expect(activeSpan()).toBeNull();
});
