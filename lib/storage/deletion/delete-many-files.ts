import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { faultFields } from '#lib/core/faults.ts';
import { MAX_CHOSEN } from '../limits.ts';
import { requireGenerate } from '../refusals.ts';
import { deleteGenerationFiles } from './delete-generation-files.ts';

/**
 * Puts the files of some rows of the journal into the bin, each like one that is deleted alone: what is kept on purpose, runs, delivered nothing or
 * is not of the account stays, and the first reason is given. Rows, costs and ledger lines stay. A fault once something was deleted ends it there: what
 * was not done is `left`, to be asked for again (the row of the fault may be deleted all the same, and is deleted once); sooner it is thrown.
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
