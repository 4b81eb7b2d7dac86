'use server';
import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { memberCall } from '#lib/http/middleware/member-action.ts';
import { forgetAvatar } from '#lib/storage/assets/avatars.ts';

const forget = memberCall({
  permission: 'generate',
  schema: z.object({ avatarId: z.string().max(40) }),
  async run(ctx, input) {
    await forgetAvatar(ctx, input);
    revalidatePath('/avatars');
  },
});

/** Forgets a face; its file stays until retention decides. */
export async function forgetFace(avatarId: string) {
  return forget({ avatarId });
}
