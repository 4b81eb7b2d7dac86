import { withMember } from '#lib/http/middleware/with-member.ts';
import { privateFile } from '#lib/http/responses/private-file.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { templatePath } from '#lib/studio/schemas.ts';
import { drawExample } from '#lib/studio/templates/preview/draw-preview.ts';

export const dynamic = 'force-dynamic';
export const maxDuration = 60;

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: withMember(
    {
      id: 'drawTemplateExample',
      summary: 'L’exemple d’un gabarit',
      tag: 'Gabarits',
      dialect: 'studio',
      scope: 'studio:read',
      path: templatePath,
      answers: { 200: { description: 'L’image', contentType: 'image/png' } },
      errors: ['not_found'],
    },
    async (_ctx, { path }) =>
      privateFile(await drawExample(path.id), { contentType: 'image/png', maxAgeSeconds: 3_600 }),
  ),
});
