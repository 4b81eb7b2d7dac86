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

/** Well under what a server gives a request; what is left is for the next press. */
const BUDGET_MS = 45_000;

/** Deletes every file of a product that left the registry. The founder types its identifier: nothing brings the files back. */
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
    // The page is read again when the report is closed: doing it now would take the report away with its row.
    return { data: report };
  },
});

/** Keeps a rush that was sent as a reference: its file stays beyond its 30 days. */
export const keepRush = memberAction({
  permission: 'generate',
  schema: z.object({ uploadId: z.string().max(40), title: z.string() }),
  async run(ctx, input) {
    await keepCaptureRush(ctx, input);
    revalidatePath('/produits');
    return { message: 'Rush gardé' };
  },
});

/** Puts a concept into the bin: its files stay, and it keeps them for its 30 days there. */
export const deleteConceptAction = memberCall({
  permission: 'generate',
  schema: z.object({ conceptId: z.string().max(40) }),
  async run(ctx, input) {
    await deleteConcept(ctx, input);
    revalidatePath('/produits');
  },
});

/** Deletes a lesson: its file is no longer kept by it. */
export const deleteLessonAction = memberCall({
  permission: 'generate',
  schema: z.object({ lessonId: z.string().max(40) }),
  async run(ctx, input) {
    await deleteLesson(ctx, input);
    revalidatePath('/produits');
  },
});

/** Lets a rush go: its upload counts its 30 days again. */
export const releaseRush = memberCall({
  permission: 'generate',
  schema: z.object({ rushId: z.string().max(40) }),
  async run(ctx, input) {
    await releaseCaptureRush(ctx, input);
    revalidatePath('/produits');
  },
});
