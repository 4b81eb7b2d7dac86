import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { MAX_CHOSEN } from '../limits.ts';
import { requireGenerate } from '../refusals.ts';
import { deleteGenerationFiles } from './delete-generation-files.ts';

/**
 * Puts the files of some rows of the journal into the bin, each like one that is deleted alone: what is kept on purpose, runs, delivered nothing or
 * is not of the account stays, and the first reason is given. Rows, costs and ledger lines stay.
 */
export async function deleteManyFiles(
  ctx: Context<AccountActor>,
  input: { generationIds: readonly string[] },
): Promise<{ deleted: string[]; refused: { generationId: string; message: string | null }[] }> {
  requireGenerate(ctx);
  const deleted: string[] = [];
  const refused: { generationId: string; message: string | null }[] = [];
  for (const generationId of new Set(input.generationIds.slice(0, MAX_CHOSEN))) {
    try {
      await deleteGenerationFiles(ctx, { generationId });
      deleted.push(generationId);
    } catch (error) {
      if (!(error instanceof ServiceError) || !['conflict', 'not_found'].includes(error.code)) throw error;
      refused.push({ generationId, message: error.options.message ?? null });
    }
  }
  return { deleted, refused };
}
