'use server';
import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { typedAmount } from '#app/_cockpit/amount.ts';
import { memberAction, memberCall } from '#lib/http/actions/member-action.ts';
import { revokeApplication } from '#lib/oauth/revoke-application.ts';
import { setApplicationCap } from '#lib/oauth/set-application-cap.ts';

export const disconnectApplication = memberCall({
  whileClosed: true,
  schema: z.object({ clientId: z.string().max(500), memberId: z.string().max(64) }),
  async run(ctx, input) {
    await revokeApplication(ctx, input);
    revalidatePath('/applications');
    return { message: 'Application déconnectée' };
  },
});

/** Changes what an application may spend for a member in a month. */
export const changeApplicationCap = memberAction({
  schema: z.object({
    clientId: z.string().max(500),
    memberId: z.string().max(64),
    monthlyCapMicros: typedAmount('Écrivez un montant en dollars.'),
  }),
  async run(ctx, input) {
    await setApplicationCap(ctx, input);
    revalidatePath('/applications');
    return { message: 'Plafond enregistré' };
  },
});
