'use server';
import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { ServiceError } from '#lib/core/errors.ts';
import { memberAction, memberCall } from '#lib/http/actions/member-action.ts';
import { withFiles } from '#lib/http/runtime/files.ts';
import { keepCaptureRush, releaseCaptureRush } from '#lib/storage/assets/capture-rushes.ts';
import { deleteConcept } from '#lib/storage/assets/concepts.ts';
import { deleteLesson } from '#lib/storage/assets/lessons.ts';
import { purgeProductBlobs } from '#lib/storage/deletion/purge-product.ts';

/** In milliseconds, below the page's `maxDuration`. A purge that takes longer is reported as incomplete, and the founder can continue it. */
const BUDGET_MS = 45_000;

/**
 * Permanently deletes all files of a product that is no longer in the registry. Refused with `invalid` if `typed` is not the product's
 * identifier; other errors are those of `purgeProductBlobs`.
 */
export const purgeProduct = memberAction({
  permission: 'storage.purge',
  schema: z.object({ productId: z.string().min(1).max(60), typed: z.string() }),
  async run(ctx, { productId, typed }) {
    if (typed.trim() !== productId)
      throw new ServiceError('invalid', {
        message: 'Rien n’a été supprimé\u00a0: l’identifiant tapé n’est pas le bon.',
        problems: [{ field: 'typed', message: `Tapez exactement ${productId}.` }],
      });
    const report = await purgeProductBlobs(withFiles(ctx), productId, { budgetMs: BUDGET_MS });
    // The page is refreshed when the report is closed: revalidated now, it would remove the row and the report with it.
    return { data: report };
  },
});

/** Keeps an uploaded rush under a title: its file is no longer deleted after 30 days. */
export const keepRush = memberAction({
  permission: 'generate',
  schema: z.object({ uploadId: z.string().max(40), title: z.string() }),
  async run(ctx, input) {
    await keepCaptureRush(ctx, input);
    revalidatePath('/produits');
    return { message: 'Rush gardé' };
  },
});

/** Moves a concept to the bin for 30 days, during which it still protects its files from deletion. */
export const deleteConceptAction = memberCall({
  permission: 'generate',
  schema: z.object({ conceptId: z.string().max(40) }),
  async run(ctx, input) {
    await deleteConcept(ctx, input);
    revalidatePath('/produits');
  },
});

/** Deletes a lesson, which then no longer protects its file from deletion. */
export const deleteLessonAction = memberCall({
  permission: 'generate',
  schema: z.object({ lessonId: z.string().max(40) }),
  async run(ctx, input) {
    await deleteLesson(ctx, input);
    revalidatePath('/produits');
  },
});

/** Stops keeping a rush: its file is deleted 30 days later, unless something else keeps it. */
export const releaseRush = memberCall({
  permission: 'generate',
  schema: z.object({ rushId: z.string().max(40) }),
  async run(ctx, input) {
    await releaseCaptureRush(ctx, input);
    revalidatePath('/produits');
  },
});
