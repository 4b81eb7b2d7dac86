import type { StudioContext } from '../context.ts';
import type { Generation } from '../generation/generation.ts';

/** The services that a row was asked of: what was played on recorded answers goes on there, for a live service knows nothing of its job. */
export function withProvidersOf(ctx: StudioContext, { params }: Pick<Generation, 'params'>): StudioContext {
  if (params.mode !== 'fixtures' || !ctx.studio.recorded) return ctx;
  return { ...ctx, studio: { ...ctx.studio, providers: ctx.studio.recorded } };
}
