'use server';
import { z } from 'zod';
import { count } from '#app/_ui/format.ts';
import { memberCall } from '#lib/http/actions/member-action.ts';
import { REVIEW_REASON_MAX } from '#lib/storage/assets/review-asset.ts';
import { reviewGenerations } from '#lib/storage/assets/review-generations.ts';
import { undoReviews } from '#lib/storage/assets/undo-reviews.ts';
import { readBinnedFiles } from '#lib/storage/bin/read-binned-files.ts';
import { restoreAllBinned } from '#lib/storage/bin/restore-all-binned.ts';
import { deleteManyFiles } from '#lib/storage/deletion/delete-many-files.ts';
import { FILE_STATES } from '#lib/storage/file-states.ts';
import { MAX_CHOSEN, MAX_REVIEWED } from '#lib/storage/limits.ts';

const id = z.string().min(1).max(40);
const reason = z.string().max(REVIEW_REASON_MAX).optional();
const DECIDED = {
  approve: ['Fichier approuvé\u00a0: il est gardé', 'fichiers approuvés et gardés'],
  reject: ['Fichier rejeté', 'fichiers rejetés'],
} as const;

const STAYS = 'la décision date de plus de dix minutes, ou une autre l’a suivie';

/** Approves or rejects all files of some generations. Decisions made by others since the states `shown` are not overwritten. */
export const reviewMany = memberCall({
  permission: 'generate',
  schema: z.object({
    generationIds: z.array(id).min(1).max(MAX_CHOSEN),
    review: z.enum(['approve', 'reject']),
    reason,
    shown: z
      .object({ files: z.record(id, z.enum(FILE_STATES)), others: z.enum(FILE_STATES).optional() })
      .optional(),
  }),
  async run(ctx, input) {
    const data = await reviewGenerations(ctx, input);
    const [one, several] = DECIDED[input.review];
    const files = data.assetIds.length;
    return { data, message: files === 1 ? one : files === 0 ? 'Rien à changer' : `${files} ${several}` };
  },
});

/** Undoes the last decisions and says for how many files. Files decided again since, or too long ago, stay as they are. */
export const undoReviewsAction = memberCall({
  permission: 'generate',
  schema: z.object({ assetIds: z.array(id).min(1).max(MAX_REVIEWED) }),
  async run(ctx, input) {
    const data = await undoReviews(ctx, input);
    const files = data.assetIds.length;
    if (files === 0) return { data, message: `Rien n’a changé\u00a0: ${STAYS}` };
    const back = `${count(files, 'fichier redevient', 'fichiers redeviennent')} comme avant votre décision`;
    const isAll = files === new Set(input.assetIds).size;
    return { data, message: isAll ? back : `${back}. Pour le reste, ${STAYS}` };
  },
});

/** How many generations keep their files, and why. */
function keptWords(refused: readonly { message: string | null }[]) {
  if (refused.length === 0) return [];
  const title = count(refused.length, 'génération garde ses fichiers', 'générations gardent leurs fichiers');
  const reasons = [...new Set(refused.flatMap(({ message }) => message ?? []))].slice(0, 2);
  return [{ title, description: reasons.join(' ') }];
}

/** How many generations had no files any more: somebody else deleted them, or their term has passed. */
function alreadyWords(rows: number) {
  if (rows === 0) return [];
  const title = count(rows, 'génération n’avait plus de fichier', 'générations n’avaient plus de fichiers');
  return [{ title, description: 'Rien n’y a changé.', tone: 'neutral' as const }];
}

/** How many generations were left undone by an error, and what to do. */
function leftWords(rows: number) {
  if (rows === 0) return [];
  const title = count(rows, 'génération n’a pas été traitée', 'générations n’ont pas été traitées');
  const description =
    'La suppression s’est arrêtée en chemin. Ce qui est dans la corbeille y reste\u00a0: recommencez pour le reste.';
  return [{ title, description }];
}

/**
 * Moves the files of some generations to the bin. Files kept on purpose stay, with the reason; generations without files, and those left undone by an
 * error, are counted.
 */
export const deleteMany = memberCall({
  permission: 'generate',
  schema: z.object({ generationIds: z.array(id).min(1).max(MAX_CHOSEN) }),
  async run(ctx, input) {
    const { deleted, already, refused, left } = await deleteManyFiles(ctx, input);
    const whose = deleted.length > 1 ? `de ${deleted.length} générations sont` : 'd’une génération sont';
    const stays = [...alreadyWords(already.length), ...keptWords(refused), ...leftWords(left.length)];
    return { data: { deleted, already, stays }, message: `Les fichiers ${whose} dans la corbeille` };
  },
});

/** Restores the files of some generations from the bin, and says so if some are no longer there. */
export const restoreMany = memberCall({
  permission: 'generate',
  schema: z.object({ generationIds: z.array(id).min(1).max(MAX_CHOSEN) }),
  async run(ctx, { generationIds }) {
    const only = generationIds.map((one) => ({ kind: 'files' as const, id: one }));
    const data = { restored: (await restoreAllBinned(ctx, { only })).restored.map((one) => one.id) };
    const asked = new Set(generationIds).size;
    const back = data.restored.length;
    if (back === asked) return { data };
    if (back === 0)
      return { data, message: 'Rien n’a été rétabli\u00a0: ces fichiers ne sont plus dans la corbeille' };
    const whose = back === 1 ? 'd’une génération' : `de ${back} générations`;
    const message = `Les fichiers ${whose} sur ${asked} sont rétablis\u00a0: les autres ne sont plus dans la corbeille`;
    return { data, message };
  },
});

/** Until when the files of some generations are in the bin. */
export const readBinned = memberCall({
  whileClosed: true,
  permission: 'generate',
  schema: z.object({ generationIds: z.array(id).max(100) }),
  async run(ctx, input) {
    return { data: await readBinnedFiles(ctx, input) };
  },
});
