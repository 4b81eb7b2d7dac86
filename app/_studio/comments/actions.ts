'use server';
import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { memberAction, memberCall } from '#lib/http/actions/member-action.ts';
import { addComment } from '#lib/studio/comments/add-comment.ts';
import { deleteComment } from '#lib/studio/comments/delete-comment.ts';

const id = z.string().min(1).max(40);

/** Adds a comment to a generation; the daily e-mail tells the members named in it. A comment sent twice under the same key is stored once. */
export const addCommentAction = memberAction({
  permission: 'generate',
  schema: z.object({
    generationId: id,
    text: z.string(),
    key: z
      .string()
      .regex(/^[\w-]{8,64}$/)
      .optional(),
  }),
  async run(ctx, input) {
    const { mentioned } = await addComment(ctx, input);
    revalidatePath('/journal', 'layout');
    return {
      message:
        mentioned === 0
          ? 'Commentaire publié'
          : mentioned === 1
            ? 'Commentaire publié\u00a0: le membre nommé le lira aussi dans le message du jour'
            : `Commentaire publié\u00a0: les ${mentioned} membres nommés le liront aussi dans le message du jour`,
    };
  },
});

/** Deletes a comment. */
export const deleteCommentAction = memberCall({
  permission: 'generate',
  schema: z.object({ commentId: id }),
  async run(ctx, input) {
    await deleteComment(ctx, input);
    return { message: 'Commentaire supprimé' };
  },
});
