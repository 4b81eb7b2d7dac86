'use server';
import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { rereadOnConflict } from '#app/_cockpit/reread-on-conflict.ts';
import { registerProject, updateProject } from '#lib/brain/projects/register-project.ts';
import { memberAction } from '#lib/http/actions/member-action.ts';
import { shownFields } from '#lib/http/requests/shown-fields.ts';

const name = z.string();
const websiteUrl = z.string().trim();

export const addProject = memberAction({
  permission: 'brain.write',
  schema: z.object({ name, websiteUrl }),
  async run(ctx, input) {
    await registerProject(ctx, { ...input, accountId: ctx.actor.accountId });
    revalidatePath('/projets');
    return { message: 'Projet enregistré' };
  },
});

/** Changes the name or the site of a project; a field that is not sent is unchanged. */
export const changeProject = memberAction({
  permission: 'brain.write',
  schema: z.object({
    projectId: z.string(),
    name: name.optional(),
    websiteUrl: websiteUrl.optional(),
    shown: shownFields,
  }),
  async run(ctx, input) {
    const change = { ...input, accountId: ctx.actor.accountId };
    await updateProject(ctx, change).catch(rereadOnConflict('/projets'));
    revalidatePath('/projets');
    return { message: 'Projet modifié' };
  },
});
