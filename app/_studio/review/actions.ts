'use server';
import { z } from 'zod';
import { memberCall } from '#lib/http/actions/member-action.ts';
import { withFiles } from '#lib/http/runtime/files.ts';
import { REVIEW_REASON_MAX } from '#lib/storage/assets/review-asset.ts';
import { MOST_REVIEWED, reviewGenerations } from '#lib/storage/assets/review-generations.ts';
import { undoReviews } from '#lib/storage/assets/undo-reviews.ts';
import { deleteManyFiles, MOST_DELETED } from '#lib/storage/deletion/delete-many-files.ts';

const id = z.string().min(1).max(40);
const reason = z.string().max(REVIEW_REASON_MAX).optional();
const DECIDED = {
  approve: ['Fichier approuvé\u00a0: il est gardé', 'fichiers approuvés et gardés'],
  reject: ['Fichier rejeté', 'fichiers rejetés'],
} as const;

/** Quality control of every file of some rows, in one gesture. */
export const reviewMany = memberCall({
  permission: 'generate',
  schema: z.object({
    generationIds: z.array(id).min(1).max(MOST_REVIEWED),
    review: z.enum(['approve', 'reject']),
    reason,
  }),
  async run(ctx, input) {
    const data = await reviewGenerations(ctx, input);
    const [one, several] = DECIDED[input.review];
    const files = data.assetIds.length;
    return { data, message: files === 1 ? one : files === 0 ? 'Rien à changer' : `${files} ${several}` };
  },
});

/** Takes back what was just decided. */
export const undoReviewsAction = memberCall({
  permission: 'generate',
  schema: z.object({ assetIds: z.array(id).min(1).max(1_000) }),
  async run(ctx, input) {
    return { data: await undoReviews(ctx, input) };
  },
});

/** Deletes the files of some rows; what is kept on purpose stays, and says why. */
export const deleteMany = memberCall({
  permission: 'generate',
  schema: z.object({ generationIds: z.array(id).min(1).max(MOST_DELETED) }),
  async run(ctx, input) {
    return { data: await deleteManyFiles(withFiles(ctx), input) };
  },
});
