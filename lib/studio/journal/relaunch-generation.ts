import type { AccountActor } from '#lib/core/actor.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { StudioContext } from '../context.ts';
import { findGeneration } from '../generation/find-generation.ts';
import { generationRequest } from '../request.ts';
import { type Submitted, submitGeneration } from '../submission/submit-generation.ts';
import { canRelaunch } from './view.ts';

/**
 * Starts a failed, blacked-out or unanswered render again: a new row with the same request, which names the old one. The old row
 * does not change. `conflict` when the row is not one to relaunch.
 */
export async function relaunchGeneration(
  ctx: StudioContext<AccountActor>,
  input: { generationId: string; idempotencyKey?: string | undefined },
): Promise<Submitted> {
  const row = await findGeneration(ctx, input.generationId);
  if (!canRelaunch(row))
    throw new ServiceError('conflict', { message: 'Seul un rendu qui n’a pas abouti peut être relancé.' });
  const request = generationRequest.safeParse(row.params.request);
  if (!request.success)
    throw new ServiceError('conflict', {
      message: 'Cette demande est trop ancienne pour être relancée telle quelle.',
    });
  return submitGeneration(ctx, {
    request: request.data,
    relaunchOfId: row.id,
    ...(input.idempotencyKey ? { idempotencyKey: input.idempotencyKey } : {}),
  });
}
