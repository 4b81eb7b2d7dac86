import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { findGeneration } from '../generation/find-generation.ts';
import { type CaptionFormat, captionFile, captionsOf } from '../speech/captions.ts';

/**
 * The captions of a voice, or of a lipsync of one, as a file: what is said and when, by the provider's own times. Errors: `not_found` for a row
 * of no account of the actor's, and for one whose times the provider did not tell.
 */
export async function readCaptions(
  ctx: Pick<Context<AccountActor>, 'actor' | 'kysely'>,
  input: { generationId: string; format: CaptionFormat },
): Promise<{ name: string; text: string }> {
  const row = await findGeneration(ctx, input.generationId);
  const { alignment, brief } = row.params;
  if (row.state !== 'COMPLETED' || !alignment || !brief)
    throw new ServiceError('not_found', {
      subject: row.id,
      message:
        'Cette génération n’a pas de sous-titres\u00a0: le fournisseur n’a pas dit quand chaque mot est lu.',
    });
  return {
    name: `sous-titres-${row.id}.${input.format}`,
    text: captionFile(captionsOf(brief, alignment), input.format),
  };
}
