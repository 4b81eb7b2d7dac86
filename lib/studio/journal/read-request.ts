import type { AccountActor } from '#lib/core/actor.ts';
import { reaches } from '#lib/db/space-rights.ts';
import type { StudioContext } from '../context.ts';
import { findGeneration } from '../generation/find-generation.ts';
import type { References } from '../generation/params.ts';
import { type GenerationRequest, generationRequest } from '../request.ts';

/**
 * What a row of the account asked for, so that it can be composed again; null when it is too old to be read as a request.
 * Without its Space when that one is out of reach. Error: `not_found`.
 */
export async function readRequest(
  ctx: StudioContext<AccountActor>,
  input: { generationId: string },
): Promise<{ request: GenerationRequest; references: References } | null> {
  const row = await findGeneration(ctx, input.generationId);
  const parsed = generationRequest.safeParse(row.params.request);
  if (!parsed.success) return null;
  const { spaceId, ...rest } = { spaceId: undefined, ...parsed.data };
  const request = spaceId === undefined || reaches(ctx.actor, spaceId) ? parsed.data : rest;
  return { request: request as GenerationRequest, references: row.references };
}
