'use server';
import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { memberCall } from '#lib/http/actions/member-action.ts';
import { deleteUpload } from '#lib/storage/uploads/delete-upload.ts';

/** Moves an uploaded file to the bin, unless something uses it. */
export const deleteUploadAction = memberCall({
  permission: 'generate',
  schema: z.object({ uploadId: z.string().max(40) }),
  async run(ctx, input) {
    await deleteUpload(ctx, input);
    revalidatePath('/envois');
  },
});
