'use server';
import { z } from 'zod';
import { memberCall } from '#lib/http/actions/member-action.ts';
import { REVIEW_REASON_MAX } from '#lib/storage/assets/review-asset.ts';
import { MAX_REVIEWED, reviewGenerations } from '#lib/storage/assets/review-generations.ts';
import { undoReviews } from '#lib/storage/assets/undo-reviews.ts';
import { readBinnedFiles } from '#lib/storage/bin/read-binned-files.ts';
import { restoreAllBinned } from '#lib/storage/bin/restore-all-binned.ts';
import { deleteManyFiles, MAX_DELETED } from '#lib/storage/deletion/delete-many-files.ts';

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
    generationIds: z.array(id).min(1).max(MAX_REVIEWED),
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

/** Puts the files of some rows into the bin; what is kept on purpose stays, and says why. */
export const deleteMany = memberCall({
  permission: 'generate',
  schema: z.object({ generationIds: z.array(id).min(1).max(MAX_DELETED) }),
  async run(ctx, input) {
    return { data: await deleteManyFiles(ctx, input) };
  },
});

/** Brings the files of some rows back from the bin. */
export const restoreMany = memberCall({
  permission: 'generate',
  schema: z.object({ generationIds: z.array(id).min(1).max(MAX_DELETED) }),
  async run(ctx, { generationIds }) {
    const only = generationIds.map((one) => ({ kind: 'files' as const, id: one }));
    const { restored } = await restoreAllBinned(ctx, { only });
    return { data: { restored: restored.map((one) => one.id) } };
  },
});

/** Until when the files of some rows wait in the bin. */
export const readBinned = memberCall({
  whileClosed: true,
  permission: 'generate',
  schema: z.object({ generationIds: z.array(id).max(100) }),
  async run(ctx, input) {
    return { data: await readBinnedFiles(ctx, input) };
  },
});
