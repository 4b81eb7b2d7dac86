'use server';
import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { typedAmount } from '#app/_cockpit/amount.ts';
import { rereadOnConflict } from '#app/_cockpit/reread-on-conflict.ts';
import { memberAction, memberCall } from '#lib/http/actions/member-action.ts';
import { shownFields } from '#lib/http/requests/shown-fields.ts';
import { chosenSpaces, shownSpaces, spacesFields } from '#lib/identity/chosen-spaces.ts';
import { revokeApplication } from '#lib/oauth/revoke-application.ts';
import { setApplicationCap } from '#lib/oauth/set-application-cap.ts';
import { setApplicationSpaces } from '#lib/oauth/set-application-spaces.ts';

export const disconnectApplication = memberCall({
  whileClosed: true,
  schema: z.object({ clientId: z.string().max(500), memberId: z.string().max(64) }),
  async run(ctx, input) {
    await revokeApplication(ctx, input);
    revalidatePath('/applications');
    return { message: 'Application déconnectée' };
  },
});

/** Changes how much an application may spend for a member in a month. */
export const changeApplicationCap = memberAction({
  schema: z.object({
    clientId: z.string().max(500),
    memberId: z.string().max(64),
    monthlyCapMicros: typedAmount('Écrivez un montant en dollars.'),
    shown: shownFields,
  }),
  async run(ctx, input) {
    await setApplicationCap(ctx, input).catch(rereadOnConflict('/applications'));
    revalidatePath('/applications');
    return { message: 'Plafond enregistré' };
  },
});

/** Changes the Spaces that an application may read for a member. */
export const changeApplicationSpaces = memberAction({
  schema: z.object({ clientId: z.string().max(500), memberId: z.string().max(64), ...spacesFields }),
  async run(ctx, { clientId, memberId, ...chosen }) {
    // A form without any Space adds no access.
    const spaces = chosenSpaces({ reach: 'some', ...chosen }) ?? null;
    const change = { clientId, memberId, spaces, shown: shownSpaces(chosen) };
    await setApplicationSpaces(ctx, change).catch(rereadOnConflict('/applications'));
    revalidatePath('/applications');
    return { message: 'Espaces enregistrés' };
  },
});
