import { type Attributes, type Span, type Tracer, trace } from '@opentelemetry/api';
import { afterAll, beforeAll } from 'vitest';

type SeenSpan = { name: string; attributes: Attributes; status?: unknown; ended: boolean };

/** Records every span that the code of the test file starts, in order. */
export function useSpans(): SeenSpan[] {
  const spans: SeenSpan[] = [];
  const tracer = {
    startActiveSpan(name: string, run: (span: Span) => unknown) {
      const seen: SeenSpan = { name, attributes: {}, ended: false };
      spans.push(seen);
      return run({
        setAttribute: (key: string, value: string) => {
          seen.attributes[key] = value;
        },
        setStatus: (status: unknown) => {
          seen.status = status;
        },
        end: () => {
          seen.ended = true;
        },
      } as unknown as Span);
    },
  } as unknown as Tracer;
  beforeAll(() => void trace.setGlobalTracerProvider({ getTracer: () => tracer }));
  afterAll(() => trace.disable());
  return spans;
}
