import type { AccountActor } from '#lib/core/actor.ts';
import type { StudioContext } from '../context.ts';
import { findGeneration } from '../generation/find-generation.ts';
import type { References } from '../generation/params.ts';
import { type GenerationRequest, generationRequest } from '../request.ts';

/**
 * What a row of the account asked for, so that it can be composed again; null when it is too old to be read as a request.
 * Error: `not_found`.
 */
export async function readRequest(
  ctx: StudioContext<AccountActor>,
  input: { generationId: string },
): Promise<{ request: GenerationRequest; references: References } | null> {
  const row = await findGeneration(ctx, input.generationId);
  const parsed = generationRequest.safeParse(row.params.request);
  return parsed.success ? { request: parsed.data, references: row.references } : null;
}
