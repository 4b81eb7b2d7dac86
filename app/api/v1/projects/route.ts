import { projectsRead } from '#lib/brain/projects/list-projects.ts';
import { projectListSchema } from '#lib/brain/schemas/account.ts';
import { noQuery } from '#lib/brain/schemas/fields.ts';
import { withCredential } from '#lib/http/middleware/with-credential.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: withCredential(
    {
      id: 'listProjects',
      summary: 'Lister les projets',
      description:
        'Les projets enregistrés du compte, du plus ancien au plus récent. Avec une clé de développeur seulement. Ne coûte aucune lecture.',
      tag: 'Compte',
      scope: 'projects:read',
      query: noQuery,
      answers: { 200: { description: 'Les projets', schema: projectListSchema } },
    },
    { read: projectsRead, handle: (_ctx, { read }) => ({ body: read }) },
  ),
});
