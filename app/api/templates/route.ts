import { withMember } from '#lib/http/middleware/with-member.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { templateListSchema } from '#lib/studio/schemas.ts';
import { listTemplates } from '#lib/studio/templates/registry.ts';

export const dynamic = 'force-dynamic';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: withMember(
    {
      id: 'listTemplates',
      summary: 'Lister les gabarits',
      description: 'Leurs champs et leurs tailles\u00a0: ce qu’une demande de rendu doit remplir.',
      tag: 'Gabarits',
      dialect: 'studio',
      scope: 'studio:read',
      permission: 'generate',
      answers: { 200: { description: 'Les gabarits', schema: templateListSchema } },
    },
    async () => ({ body: { object: 'list', data: listTemplates() } }),
  ),
});
