import { type Span, SpanStatusCode, trace } from '@opentelemetry/api';
import { faultLabel } from '#lib/core/faults.ts';

const tracer = () => trace.getTracer('atelier.studio');

/** The only attributes that the studio's spans carry: no prompt, reference, file or secret. */
type SpanFacts = Partial<
  Record<
    | 'member.id'
    | 'product.id'
    | 'generation.id'
    | 'generation.kind'
    | 'outcome'
    | 'trigger'
    | 'code'
    | 'settled'
    | 'reconciled'
    | 'errors',
    string | number
  >
>;

type StudioSpan = 'studio.generation' | 'studio.video.settle' | 'studio.sweep' | 'studio.retention';
type RenderSpan = 'studio.render.launch' | 'studio.render.callback';

/** Runs `work` in a span; `describe` adds what is known at the end. The error's class is kept, its message never. */
export async function withSpan<T>(
  name: StudioSpan | RenderSpan,
  facts: SpanFacts,
  work: () => Promise<T>,
  describe?: (result: T) => SpanFacts,
): Promise<T> {
  return tracer().startActiveSpan(name, async (span) => {
    setFacts(span, facts);
    try {
      const result = await work();
      if (describe) setFacts(span, describe(result));
      return result;
    } catch (error) {
      const code = (error as { code?: unknown } | null)?.code;
      if (typeof code === 'string') setFacts(span, { outcome: code });
      span.setStatus({ code: SpanStatusCode.ERROR, message: faultLabel(error) });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** The span of a generation that its schema refused, with the refusal's code; of what was sent it says nothing. */
export async function traceRefused(actor: { memberId: string }, error: unknown): Promise<void> {
  const refused = () => Promise.reject(error);
  await withSpan('studio.generation', { 'member.id': actor.memberId }, refused).catch(() => undefined);
}

/** A render's launch or callback, with how it came out. */
export function withRenderSpan<T extends { result: string }>(
  name: RenderSpan,
  work: () => Promise<T>,
): Promise<T> {
  return withSpan(name, {}, work, (result) => ({ outcome: result.result }));
}

function setFacts(span: Span, facts: SpanFacts): void {
  for (const [name, value] of Object.entries(facts)) span.setAttribute(`studio.${name}`, value);
}
