import { withMember } from '#lib/http/middleware/with-member.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import {
  MAX_STUDIO_REQUEST_BYTES,
  templateCheckBody,
  templateCheckSchema,
  templatePath,
} from '#lib/studio/schemas.ts';
import { checkTemplate } from '#lib/studio/templates/preview/check-template.ts';

export const dynamic = 'force-dynamic';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  POST: withMember(
    {
      id: 'checkTemplate',
      summary: 'Ce qu’il faut corriger avant un rendu',
      description: 'Rien n’est gardé ni débité.',
      tag: 'Gabarits',
      dialect: 'studio',
      scope: 'studio:generate',
      permission: 'generate',
      path: templatePath,
      body: { type: 'json', schema: templateCheckBody, maxBytes: MAX_STUDIO_REQUEST_BYTES },
      answers: { 200: { description: 'Ce qui ne va pas, champ par champ', schema: templateCheckSchema } },
      errors: ['not_found'],
    },
    async (ctx, { path, body }) => ({ body: await checkTemplate(ctx, { templateId: path.id, ...body }) }),
  ),
});
