'use server';
import { revalidatePath } from 'next/cache';
import { headers } from 'next/headers';
import { z } from 'zod';
import { integerText } from '#lib/core/input/integer-text.ts';
import { memberAction, memberCall } from '#lib/http/actions/member-action.ts';
import { pageOrigin } from '#lib/http/security/origin.ts';
import { createShare } from '#lib/storage/shares/create-share.ts';
import { withdrawShare } from '#lib/storage/shares/withdraw-share.ts';

/** Creates a share link. Its address is returned once: only a hash of its token is stored. */
export const shareByLink = memberAction({
  schema: z.object({
    shared: z.enum(['file', 'space']),
    subject: z.string().min(1).max(64),
    days: integerText,
  }),
  async run(ctx, { shared, subject, days }) {
    const target =
      shared === 'file'
        ? ({ kind: 'file', assetId: subject } as const)
        : ({ kind: 'space', spaceId: subject } as const);
    const { token, expiresAt, fileEndsAt } = await createShare(ctx, { target, days });
    revalidatePath('/partages');
    const address = `${pageOrigin(await headers())}/partage/${token}`;
    return { data: { address, expiresAt, fileEndsAt } };
  },
});

export const endShare = memberCall({
  whileClosed: true,
  schema: z.object({ shareId: z.string().max(64) }),
  async run(ctx, input) {
    await withdrawShare(ctx, input);
    revalidatePath('/partages');
    return { message: 'Partage retiré' };
  },
});
