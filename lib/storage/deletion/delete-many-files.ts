import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { faultFields } from '#lib/core/faults.ts';
import { MAX_CHOSEN } from '../limits.ts';
import { requireGenerate } from '../refusals.ts';
import { deleteGenerationFiles } from './delete-generation-files.ts';

/**
 * Puts the files of some journal rows into the bin, each as `deleteGenerationFiles` does: rows that are kept on purpose, running, undelivered
 * or of another account stay, and the first reason is returned. An error after something was deleted ends the batch, and the rest is `left` to
 * be requested again (the failed row may have been deleted, and is deleted once); an earlier error is thrown.
 */
export async function deleteManyFiles(
  ctx: Context<AccountActor>,
  input: { generationIds: readonly string[] },
): Promise<{
  deleted: string[];
  refused: { generationId: string; message: string | null }[];
  left: string[];
}> {
  requireGenerate(ctx);
  const deleted: string[] = [];
  const refused: { generationId: string; message: string | null }[] = [];
  const wanted = [...new Set(input.generationIds.slice(0, MAX_CHOSEN))];
  for (const [at, generationId] of wanted.entries()) {
    try {
      await deleteGenerationFiles(ctx, { generationId });
      deleted.push(generationId);
    } catch (error) {
      if (error instanceof ServiceError && ['conflict', 'not_found'].includes(error.code)) {
        refused.push({ generationId, message: error.options.message ?? null });
        continue;
      }
      if (deleted.length === 0) throw error;
      ctx.log.error('files.deletion_stopped', { deleted: deleted.length, ...faultFields(error) });
      return { deleted, refused, left: wanted.slice(at) };
    }
  }
  return { deleted, refused, left: [] };
}
