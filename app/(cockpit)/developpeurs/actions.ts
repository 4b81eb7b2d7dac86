'use server';
import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { typedAmount, typedAmountOrNone } from '#app/_cockpit/amount.ts';
import { rereadOnConflict } from '#app/_cockpit/reread-on-conflict.ts';
import { SCOPES } from '#lib/core/actor.ts';
import { integerText } from '#lib/core/input/integer-text.ts';
import { memberAction, memberCall } from '#lib/http/actions/member-action.ts';
import { shownFields } from '#lib/http/requests/shown-fields.ts';
import { postLater } from '#lib/http/runtime/mailer.ts';
import { chosenSpaces, shownSpaces, spacesFields } from '#lib/identity/chosen-spaces.ts';
import { createKey } from '#lib/identity/keys/create-key.ts';
import type { KeyLifetimeDays } from '#lib/identity/keys/developer-keys.ts';
import { revokeKey } from '#lib/identity/keys/revoke-key.ts';
import { rotateKey } from '#lib/identity/keys/rotate-key.ts';
import { setKeyCap } from '#lib/identity/keys/set-key-cap.ts';
import { setKeySpaces } from '#lib/identity/keys/set-key-spaces.ts';

const lifetime = z
  .enum(['30', '90', '365', 'never'], 'Choisissez une durée.')
  .transform((value) => (value === 'never' ? null : Number(value)) as KeyLifetimeDays);

export const newKey = memberAction({
  schema: z.object({
    name: z.string(),
    scopes: z.array(z.enum(SCOPES)).min(1, 'Cochez au moins un droit.'),
    expiresInDays: lifetime,
    monthlyCapMicros: typedAmountOrNone('Écrivez un montant en dollars.').optional(),
    ...spacesFields,
  }),
  async run(ctx, input) {
    const { accountId, memberId } = ctx.actor;
    const key = await createKey(ctx, { ...input, accountId, memberId, spaces: chosenSpaces(input) }, (mail) =>
      postLater(mail, ctx.requestId),
    );
    // No revalidation yet: it could remove the button that shows the secret, and the secret with it. The page is refreshed when the secret is
    // closed.
    return { data: { secret: key.secret, name: key.name, previousEndsAt: null as Date | null } };
  },
});

export const replaceKey = memberAction({
  schema: z.object({
    keyId: z.string(),
    overlapDays: integerText,
  }),
  async run(ctx, input) {
    const key = await rotateKey(ctx, { ...input, accountId: ctx.actor.accountId }, (mail) =>
      postLater(mail, ctx.requestId),
    );
    return {
      data: { secret: key.secret, name: key.name, previousEndsAt: key.previousEndsAt as Date | null },
    };
  },
});

/** Changes the Spaces that a key may read. */
export const changeKeySpaces = memberAction({
  schema: z.object({ keyId: z.string(), ...spacesFields }),
  async run(ctx, { keyId, ...chosen }) {
    // A form without any Space adds no access.
    const spaces = chosenSpaces({ reach: 'some', ...chosen }) ?? null;
    const change = { accountId: ctx.actor.accountId, keyId, spaces, shown: shownSpaces(chosen) };
    await setKeySpaces(ctx, change).catch(rereadOnConflict('/developpeurs'));
    revalidatePath('/developpeurs');
    return { message: 'Espaces enregistrés' };
  },
});

/** Changes how much a key may spend in a month. */
export const changeKeyCap = memberAction({
  schema: z.object({
    keyId: z.string(),
    monthlyCapMicros: typedAmount('Écrivez un montant en dollars.'),
    shown: shownFields,
  }),
  async run(ctx, input) {
    const change = { ...input, accountId: ctx.actor.accountId };
    await setKeyCap(ctx, change).catch(rereadOnConflict('/developpeurs'));
    revalidatePath('/developpeurs');
    return { message: 'Plafond enregistré' };
  },
});

export const endKey = memberCall({
  whileClosed: true,
  schema: z.object({ keyId: z.string() }),
  async run(ctx, input) {
    await revokeKey(ctx, { ...input, accountId: ctx.actor.accountId });
    revalidatePath('/developpeurs');
    return { message: 'Clé révoquée\u00a0: sa prochaine requête sera refusée' };
  },
});
