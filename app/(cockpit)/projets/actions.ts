'use server';
import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { registerProject, updateProject } from '#lib/brain/projects/register-project.ts';
import { memberAction } from '#lib/http/actions/member-action.ts';

const fields = { name: z.string(), websiteUrl: z.string().trim() };

export const addProject = memberAction({
  permission: 'brain.write',
  schema: z.object(fields),
  async run(ctx, input) {
    await registerProject(ctx, { ...input, accountId: ctx.actor.accountId });
    revalidatePath('/projets');
    return { message: 'Projet enregistré' };
  },
});

export const changeProject = memberAction({
  permission: 'brain.write',
  schema: z.object({ ...fields, projectId: z.string() }),
  async run(ctx, input) {
    await updateProject(ctx, { ...input, accountId: ctx.actor.accountId });
    revalidatePath('/projets');
    return { message: 'Projet modifié' };
  },
});
