import type { AccountActor } from '#lib/core/actor.ts';
import type { StudioContext } from '../context.ts';
import { findSent } from '../submission/find-variants.ts';
import { listGenerationsById } from './list-generations-by-id.ts';
import type { GenerationView } from './view.ts';

/** What became of a request of this member, by its key: the rows that it made as the journal shows them, none when it never arrived. Asks no provider. */
export async function listSent(
  ctx: StudioContext<AccountActor>,
  input: { idempotencyKey: string },
): Promise<GenerationView[]> {
  const sent = await findSent(ctx, input);
  return listGenerationsById(ctx, { generationIds: sent.map(({ id }) => id) });
}
