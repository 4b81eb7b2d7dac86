'use server';
import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { rereadOnConflict } from '#app/_cockpit/reread-on-conflict.ts';
import { memberAction, memberCall } from '#lib/http/actions/member-action.ts';
import { shownFields } from '#lib/http/requests/shown-fields.ts';
import { saveAvatar } from '#lib/storage/assets/avatars.ts';
import {
  attachToConcept,
  attachToNewConcept,
  detachFromConcept,
  listConceptNames,
} from '#lib/storage/assets/concepts.ts';
import { addLesson, deleteLesson } from '#lib/storage/assets/lessons.ts';
import { readGenerationFiles } from '#lib/storage/assets/read-generation-files.ts';
import { REVIEW_REASON_MAX, reviewAsset } from '#lib/storage/assets/review-asset.ts';
import { deleteGenerationFiles } from '#lib/storage/deletion/delete-generation-files.ts';
import { FILE_STATES } from '#lib/storage/file-states.ts';

const id = z.string().min(1).max(40);
const reason = z.string().max(REVIEW_REASON_MAX).optional();
const FILE_STATE_WORDS = { approve: 'Fichier approuvé', reject: 'Fichier rejeté', deliver: 'Fichier livré' };

/** Why the files of some generations are kept, and until when. */
export const readRetention = memberCall({
  whileClosed: true,
  permission: 'generate',
  schema: z.object({ generationIds: z.array(id).max(100) }),
  async run(ctx, input) {
    return { data: await readGenerationFiles(ctx, input) };
  },
});

/** Approves, rejects or delivers a file. A decision made by somebody else since the state `shown` is not overwritten. */
export const reviewFile = memberCall({
  permission: 'generate',
  schema: z.object({
    assetId: id,
    review: z.enum(['approve', 'reject', 'deliver']),
    reason,
    shown: z.enum(FILE_STATES).optional(),
  }),
  async run(ctx, input) {
    await reviewAsset(ctx, input);
    return { message: FILE_STATE_WORDS[input.review] };
  },
});

/** Keeps an image as an avatar. */
export const saveAvatarAction = memberAction({
  permission: 'generate',
  schema: z.object({ assetId: id, name: z.string().trim().min(1, 'Donnez un nom à ce visage.') }),
  async run(ctx, input) {
    const { name } = await saveAvatar(ctx, input);
    revalidatePath('/journal', 'layout');
    // A colleague may have kept it in between, under another name.
    return {
      message:
        name === input.name
          ? 'Visage gardé parmi les avatars'
          : `Ce visage était déjà parmi les avatars, sous le nom «\u00a0${name}\u00a0»`,
    };
  },
});

/** The concepts of a product that are older than one of them, to attach a file to. */
export const listOlderConcepts = memberCall({
  permission: 'generate',
  schema: z.object({ productId: z.string().max(60), before: z.string().max(40) }),
  async run(ctx, input) {
    return { data: await listConceptNames(ctx, input) };
  },
});

/** Attaches a file to an existing concept, or to a new one; a repeated request creates no second concept. */
export const attachFile = memberAction({
  permission: 'generate',
  schema: z.object({
    assetId: id,
    productId: z.string().max(60),
    conceptId: z.string().max(40),
    name: z.string().trim().optional(),
    shown: shownFields,
  }),
  async run(ctx, input) {
    const { assetId, productId, conceptId, name = '', shown } = input;
    const attached =
      conceptId === ''
        ? attachToNewConcept(ctx, { assetId, productId, name, shown })
        : attachToConcept(ctx, { conceptId, assetId, shown });
    await attached.catch(rereadOnConflict('/journal', 'layout'));
    revalidatePath('/journal', 'layout');
    return { message: 'Fichier rattaché au concept' };
  },
});

/** Removes a file from the concept that the page showed. */
export const detachFile = memberCall({
  permission: 'generate',
  schema: z.object({ assetId: id, conceptId: z.string().max(40).optional() }),
  async run(ctx, { assetId, conceptId }) {
    await detachFromConcept(ctx, { assetId, ...(conceptId ? { shown: { conceptId } } : {}) });
    return { message: 'Fichier retiré du concept' };
  },
});

/** Adds a lesson learnt from a file, which is kept as its example. A lesson sent twice under the same key is stored once. */
export const noteLesson = memberAction({
  permission: 'generate',
  schema: z.object({
    assetId: id,
    text: z.string(),
    key: z
      .string()
      .regex(/^[\w-]{8,64}$/)
      .optional(),
  }),
  async run(ctx, input) {
    await addLesson(ctx, input);
    revalidatePath('/journal', 'layout');
    return { message: 'Leçon retenue' };
  },
});

/** Deletes a lesson, which then no longer keeps its file. */
export const deleteLessonAction = memberCall({
  permission: 'generate',
  schema: z.object({ lessonId: id }),
  async run(ctx, input) {
    await deleteLesson(ctx, input);
    return { message: 'Leçon oubliée' };
  },
});

/** Moves the files of a generation to the bin; the generation and its cost stay. */
export const deleteFilesAction = memberCall({
  permission: 'generate',
  schema: z.object({ generationId: id }),
  async run(ctx, input) {
    const { pathnames } = await deleteGenerationFiles(ctx, input);
    // None: somebody else has deleted them in between.
    if (pathnames.length === 0) return { message: 'Il n’y avait plus de fichier à supprimer.' };
    const what = pathnames.length > 1 ? 'Fichiers mis' : 'Fichier mis';
    return { message: `${what} à la corbeille. La ligne et son coût restent.` };
  },
});
