import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { faultFields } from '#lib/core/faults.ts';
import { MAX_CHOSEN } from '../limits.ts';
import { requireGenerate } from '../refusals.ts';
import { deleteGenerationFiles } from './delete-generation-files.ts';

/**
 * Puts the files of some journal rows into the bin, each as `deleteGenerationFiles` does: rows that are kept on purpose, running, undelivered or
 * of another account stay, and the first reason is returned. A row that has no file left, because somebody else deleted them or their time was
 * over, is `already`; one whose files the member put into the bin before is `deleted`, because that answer may have been lost. An error after
 * something was deleted ends the batch, and the rest is `left` to be requested again (the failed row may have been deleted, and is deleted
 * once); an earlier error is thrown.
 */
export async function deleteManyFiles(
  ctx: Context<AccountActor>,
  input: { generationIds: readonly string[] },
): Promise<{
  deleted: string[];
  already: string[];
  refused: { generationId: string; message: string | null }[];
  left: string[];
}> {
  requireGenerate(ctx);
  const deleted: string[] = [];
  const already: string[] = [];
  const refused: { generationId: string; message: string | null }[] = [];
  const wanted = [...new Set(input.generationIds.slice(0, MAX_CHOSEN))];
  for (const [at, generationId] of wanted.entries()) {
    try {
      const { pathnames } = await deleteGenerationFiles(ctx, { generationId });
      const isOwn = pathnames.length > 0 || (await hasBinned(ctx, generationId));
      (isOwn ? deleted : already).push(generationId);
    } catch (error) {
      if (error instanceof ServiceError && ['conflict', 'not_found'].includes(error.code)) {
        refused.push({ generationId, message: error.options.message ?? null });
        continue;
      }
      if (deleted.length === 0) throw error;
      ctx.log.error('files.deletion_stopped', { deleted: deleted.length, ...faultFields(error) });
      return { deleted, already, refused, left: wanted.slice(at) };
    }
  }
  return { deleted, already, refused, left: [] };
}

/** Whether files of this row are in the bin because the member put them there. */
async function hasBinned(ctx: Context<AccountActor>, generationId: string): Promise<boolean> {
  const { accountId, memberId } = ctx.actor;
  const found = await ctx.db.asset.findFirst({
    where: { accountId, generationId, binnedBy: memberId },
    select: { id: true },
  });
  return found !== null;
}
