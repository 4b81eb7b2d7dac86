import { withMember } from '#lib/http/middleware/with-member.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { withStudio } from '#lib/http/runtime/studio.ts';
import { getGeneration } from '#lib/studio/journal/get-generation.ts';
import { generationPath, generationSchema } from '#lib/studio/schemas.ts';

export const dynamic = 'force-dynamic';
export const maxDuration = 300;

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: withMember(
    {
      id: 'getGeneration',
      summary: 'Lire une génération',
      description: 'Pour une vidéo en cours, demande aussi où elle en est\u00a0: la consulter peut la clore.',
      tag: 'Générations',
      dialect: 'studio',
      scope: 'studio:read',
      permission: 'generate',
      path: generationPath,
      answers: { 200: { description: 'La génération', schema: generationSchema } },
      errors: ['not_found'],
    },
    async (ctx, { path, request }) => ({
      body: await getGeneration(withStudio(ctx, request), { generationId: path.id }),
    }),
  ),
});
