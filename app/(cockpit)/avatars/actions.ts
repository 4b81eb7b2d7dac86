'use server';
import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { memberCall } from '#lib/http/actions/member-action.ts';
import { deleteAvatar } from '#lib/storage/assets/avatars.ts';

/** Moves an avatar to the bin; its file is kept. */
export const deleteAvatarAction = memberCall({
  permission: 'generate',
  schema: z.object({ avatarId: z.string().max(40) }),
  async run(ctx, input) {
    await deleteAvatar(ctx, input);
    revalidatePath('/avatars');
  },
});
