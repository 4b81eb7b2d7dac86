'use server';
import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { eraseNow } from '#lib/brain/bin/erase.ts';
import { restoreAll } from '#lib/brain/bin/restore-all.ts';
import { undoDelete } from '#lib/brain/memories/undo-delete.ts';
import { memberCall } from '#lib/http/actions/member-action.ts';
import { withFiles } from '#lib/http/runtime/files.ts';
import { BINNED_KINDS, type BinnedKind } from '#lib/storage/bin/binned-kinds.ts';
import { eraseBinned } from '#lib/storage/bin/erase-binned.ts';
import { restoreAllBinned } from '#lib/storage/bin/restore-all-binned.ts';
import { restoreBinned } from '#lib/storage/bin/restore-binned.ts';
import { erasedWords } from './erased-words.ts';

const deletion = z.object({ deletionId: z.string().min(1).max(64) });
const thing = z.object({ kind: z.enum(BINNED_KINDS), id: z.string().min(1).max(40) });
const many = (memories: number, word: string) =>
  memories > 1
    ? `${memories} mémoires ${word}s`
    : memories === 1
      ? `Mémoire ${word}`
      : `Aucune mémoire ${word}`;

export const restoreDeletion = memberCall({
  permission: 'brain.write',
  schema: deletion,
  async run(ctx, input) {
    const { restored, atRoot } = await undoDelete(ctx, input);
    const place = atRoot ? ', à la racine du pilier\u00a0: la mémoire parente n’est plus là' : '';
    return { message: `${many(restored, 'rétablie')}${place}` };
  },
});

export const restoreBin = memberCall({
  permission: 'brain.write',
  schema: z.object({}),
  async run(ctx) {
    const { restored, left, capacityFull } = await restoreAll(ctx);
    if (capacityFull)
      return {
        message: `${many(restored, 'rétablie')}. La capacité ne suffit pas\u00a0: le reste attend ici`,
      };
    return {
      message: left > 0 ? `${many(restored, 'rétablie')}. Il en reste ici` : many(restored, 'rétablie'),
    };
  },
});

export const eraseDeletion = memberCall({
  permission: 'storage.purge',
  schema: deletion,
  async run(ctx, input) {
    const { erased } = await eraseNow(ctx, input);
    return { message: many(erased, 'effacée') };
  },
});

const RESTORED: Record<BinnedKind, string> = {
  files: 'Fichiers rétablis',
  upload: 'Envoi rétabli',
  avatar: 'Avatar rétabli',
  concept: 'Concept rétabli',
};

/** Restores the files of a generation, an uploaded file, an avatar or a concept. */
export const restoreThing = memberCall({
  permission: 'generate',
  schema: thing,
  async run(ctx, input) {
    const { files } = await restoreBinned(ctx, input);
    for (const page of ['/corbeille', '/avatars', '/produits', '/envois']) revalidatePath(page);
    return { message: input.kind === 'files' && files === 1 ? 'Fichier rétabli' : RESTORED[input.kind] };
  },
});

/** Restores everything in the bin, or everything of one kind. */
export const restoreThings = memberCall({
  permission: 'generate',
  schema: z.object({ kind: z.enum(BINNED_KINDS).optional() }),
  async run(ctx, { kind }) {
    const { restored, left } = await restoreAllBinned(ctx, kind ? { kind } : {});
    const back = restored.length > 1 ? `${restored.length} éléments rétablis` : 'Un élément rétabli';
    const waiting = left > 1 ? `${left} attendent encore ici` : 'Un autre attend encore ici';
    return {
      message: [restored.length > 0 ? back : 'Rien n’a pu être rétabli', left > 0 ? waiting : '']
        .filter(Boolean)
        .join('. '),
    };
  },
});

/** Founders only: erases one item immediately, with its file. */
export const eraseThing = memberCall({
  permission: 'storage.purge',
  schema: thing,
  async run(ctx, input) {
    return { message: erasedWords(await eraseBinned(withFiles(ctx), input)) };
  },
});
