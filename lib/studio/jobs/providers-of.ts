import type { StudioContext } from '../context.ts';
import type { Generation } from '../generation/generation.ts';

/** The context with the providers that the row was submitted to: a job played on recorded answers is unknown to the live services. */
export function withProvidersOf(ctx: StudioContext, { params }: Pick<Generation, 'params'>): StudioContext {
  if (params.mode !== 'fixtures' || !ctx.studio.recorded) return ctx;
  return { ...ctx, studio: { ...ctx.studio, providers: ctx.studio.recorded } };
}
