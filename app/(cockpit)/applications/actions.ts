'use server';
import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { memberCall } from '#lib/http/actions/member-action.ts';
import { revokeApplication } from '#lib/oauth/revoke-application.ts';

export const disconnectApplication = memberCall({
  whileClosed: true,
  schema: z.object({ clientId: z.string().max(500), memberId: z.string().max(64) }),
  async run(ctx, input) {
    await revokeApplication(ctx, input);
    revalidatePath('/applications');
    return { message: 'Application déconnectée' };
  },
});
