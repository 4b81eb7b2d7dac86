'use server';
import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { rereadOnConflict } from '#app/_cockpit/reread-on-conflict.ts';
import { archiveSpace, changeSpace as change } from '#lib/brain/spaces/change-space.ts';
import { createSpace as create } from '#lib/brain/spaces/create-space.ts';
import { SPACE_TEMPLATES } from '#lib/brain/templates.ts';
import { memberAction, memberCall } from '#lib/http/actions/member-action.ts';
import { shownFields } from '#lib/http/requests/shown-fields.ts';
import { hideFirstSteps } from '#lib/identity/first-steps/hide-first-steps.ts';

const website = z
  .string()
  .trim()
  .transform((text) => (text === '' ? null : /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`))
  .optional();

export const createSpace = memberAction({
  permission: 'brain.write',
  schema: z.object({
    name: z.string().trim().min(1, 'Donnez un nom à cet espace.'),
    template: z.enum(SPACE_TEMPLATES, 'Choisissez un type d’espace.'),
    websiteUrl: website,
  }),
  async run(ctx, { websiteUrl = null, ...input }) {
    const space = await create(ctx, { accountId: ctx.actor.accountId, ...input, websiteUrl });
    return { message: `Espace «\u00a0${space.name}\u00a0» créé`, data: { id: space.id } };
  },
});

/** Changes the name or the website of a Space; a field that is not sent is unchanged. */
export const changeSpace = memberAction({
  permission: 'brain.write',
  schema: z.object({
    spaceId: z.string(),
    name: z.string().trim().min(1, 'Donnez un nom à cet espace.').optional(),
    websiteUrl: website,
    shown: shownFields,
  }),
  async run(ctx, input) {
    const isChanged = await change(ctx, input).catch(rereadOnConflict('/espaces', 'layout'));
    // Revalidated with the answer: opened again before a refresh, the form would show the former name and refuse its own change.
    revalidatePath('/espaces', 'layout');
    return { message: isChanged ? 'Espace modifié' : 'Rien n’a changé' };
  },
});

export const setArchived = memberCall({
  permission: 'brain.write',
  schema: z.object({ spaceId: z.string(), archived: z.boolean() }),
  run: async (ctx, input) => archiveSpace(ctx, input),
});

export const putFirstStepsAway = memberCall({
  schema: z.object({ hidden: z.boolean() }),
  run: async (ctx, input) => hideFirstSteps(ctx, input),
});
